/* SPDX-License-Identifier: MIT
 *
 * pages.c: a folder of claims beside other runs: drawn and listed as they are; and lists and
 * spellings that several commands share.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/report.h"
#include "harness/table/file.h"
#include "tests/harness_files.h"
#include "tests/harness_program.h"

static const char pages_claims[] =
    "source,claim,claimed,measured,interval,verdict,how\n"
    "a source,bits of a byte,8,8,,reproduced,counted\n"
    "a source,\"a <b>\"\"quoted\"\" one\",more,less,,refuted,a count\n";
static const char pages_readings[] = "source,claim,reading,claimed,value,lo,hi,z\n"
                                     "a source,bits of a byte,bits,8,8,,,\n";
static const char pages_timings[] = "source,claim,claimed,measured,interval,verdict,how\n";

static void pages_save(const char *folder, const char *name, const char *text)
{
    file_save(folder, name, text, strlen(text));
}

static void pages_has(const char *folder, const char *name, const char *part)
{
    char *text = file_load(folder, name, NULL);
    cr_expect(strstr(text, part), "%s has no %s", name, part);
    free(text);
}

/* A folder of runs that holds claims only. */
static char *pages_folder(char **claims)
{
    struct error error;
    char *folder = folder_new();
    *claims = path_of(folder, "claims");
    cr_assert_eq(directory_make(*claims, &error), OK, "%s", error.text);
    pages_save(*claims, "claims.csv", pages_claims);
    pages_save(*claims, "readings.csv", pages_readings);
    pages_save(*claims, "timings.csv", pages_timings);
    return folder;
}

Test(pages, claims_are_drawn_and_listed_as_other_runs_are, .timeout = 120)
{
    struct program program;
    char *claims, *folder = pages_folder(&claims);
    pages_save(claims, "claims-7.svg", "of an earlier run");
    program_run(&program, NULL, "plot", folder, NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    program_release(&program);
    cr_expect(folder_has(claims, "claims.svg"));
    cr_expect_not(folder_has(claims, "claims-7.svg"));
    pages_has(claims, "index.html", "Of 2 claims 1 are reproduced in every digit, 0 hold");
    pages_has(claims, "index.html", "a &lt;b&gt;&quot;quoted&quot; one");
    pages_has(claims, "index.html", "class=\"WARN\">refuted<");
    pages_has(folder, "index.html", "<a href=\"claims/index.html\">claims</a>");
    pages_has(folder, "README.md", "| [claims](claims/index.html) |");
    free(claims);
    folder_remove(folder);
}

/* The page of a folder is written again where it is ours, and only there. */
Test(pages, somebody_elses_page_is_left_alone)
{
    struct error error;
    char *claims, *folder = pages_folder(&claims);
    cr_assert_eq(report_index_again(folder, &error), OK);
    cr_expect_not(folder_has(folder, "index.html"));
    pages_save(folder, "index.html", "<title>mine</title>");
    cr_assert_eq(report_index_again(folder, &error), OK);
    pages_has(folder, "index.html", "<title>mine</title>");
    cr_assert_eq(report_index(folder, &error), OK, "%s", error.text);
    pages_save(claims, "claims.csv", "source,claim,claimed,measured,interval,verdict,how\n");
    cr_assert_eq(report_index_again(folder, &error), OK);
    char *page = file_load(folder, "index.html", NULL);
    cr_expect(strstr(page, "claims/index.html"));
    cr_expect_not(strstr(page, "Of 2 claims"));
    free(page);
    free(claims);
    folder_remove(folder);
}

Test(pages, workloads_are_listed_with_their_parameters)
{
    struct program program;
    program_run(&program, NULL, "list", "workloads", "--csv", NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    cr_expect(strstr(program.out, "name,summary,source,params\n") == program.out);
    cr_expect(strstr(program.out, "\nmembership,"));
    cr_expect(strstr(program.out, ",removals=1 (0 to "));
    cr_expect(strstr(program.out, ",overlap=0.5 (0 to 1)\n"));
    program_release(&program);
}

Test(pages, a_rate_is_spelt_both_ways)
{
    struct program p, fpr;
    program_run(&p, NULL, "size", "--n", "1e6", "--p", "1%", "--csv", NULL);
    program_run(&fpr, NULL, "size", "--n", "1e6", "--fpr", "1%", "--csv", NULL);
    cr_assert_eq(p.status, 0, "%s", p.err);
    cr_expect_str_eq(p.out, fpr.out);
    program_release(&p);
    program_release(&fpr);
}
