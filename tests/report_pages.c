/* SPDX-License-Identifier: MIT
 *
 * Pages of runs: whole in themselves, and nothing a table holds is markup in them.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/plot/plot.h"
#include "harness/report/html.h"
#include "harness/report/report.h"
#include "harness/table/file.h"
#include "tests/plot_support.h"

static const char evil[] = "<script>alert(\"1\")</script>&'";

static void evil_run(struct made_run *run, size_t cells)
{
    made_open(run);
    for (size_t c = 1; c <= cells; c++)
        made_add(run, (struct made_cell){.filter = evil,
                                         .params = "a=<b>",
                                         .keys = "\"x\" onload=y",
                                         .m = 4096,
                                         .n = 512,
                                         .k = (double)c,
                                         .queries = 1000,
                                         .hits = 500,
                                         .scheme = 0.05,
                                         .verdict = c % 2 ? "PASS" : "FAIL"});
    made_write(run, "name: <made>\n");
}

Test(report, a_page_escapes_everything)
{
    struct made_run run;
    struct error err;
    evil_run(&run, 4);
    cr_assert_eq(plot_run(run.directory, &err), OK, "%s", err.text);
    cr_assert_eq(report_write(run.directory, &err), OK, "%s", err.text);
    struct text page = made_read(&run, "index.html");
    cr_expect_eq(occurrences(page.data, "<script"), 0);
    cr_expect_eq(occurrences(page.data, "<it>"), 0, "the question");
    cr_expect_neq(occurrences(page.data, "Is &lt;it&gt; &quot;safe&quot; &amp; sound?"), 0);
    cr_expect_neq(
        occurrences(page.data, "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;"), 0);
    cr_expect_eq(occurrences(page.data, "\" onload"), 0);
    cr_expect_neq(occurrences(page.data, "name: &lt;made&gt;"), 0);
    text_release(&page);
    made_remove(&run);
}

Test(report, a_page_needs_nothing_else)
{
    struct made_run run;
    struct error err;
    evil_run(&run, 4);
    cr_assert_eq(plot_run(run.directory, &err), OK, "%s", err.text);
    cr_assert_eq(report_write(run.directory, &err), OK, "%s", err.text);
    struct text page = made_read(&run, "index.html");
    cr_expect_eq(occurrences(page.data, "http:") + occurrences(page.data, "https:"), 0);
    cr_expect_eq(occurrences(page.data, "<link"), 0);
    cr_expect_eq(occurrences(page.data, " src=\"data:image/svg+xml;base64,PD94bWwg"), 1);
    cr_expect_eq(occurrences(page.data, " src="), 1);
    cr_expect_neq(occurrences(page.data, ">FAIL</td><td class=\"number\">2</td>"), 0);
    cr_expect_neq(occurrences(page.data, "href=\"cells.csv\""), 0);
    cr_expect_neq(occurrences(page.data, "commit 0123456789abcdef"), 0);
    text_release(&page);
    made_remove(&run);
}

Test(report, long_tables_are_cut_and_say_so)
{
    struct made_run run;
    struct error err;
    evil_run(&run, 250);
    cr_assert_eq(report_write(run.directory, &err), OK, "%s", err.text);
    struct text page = made_read(&run, "index.html");
    cr_expect_neq(occurrences(page.data, "The first 200 of 250 rows of"), 0);
    cr_expect_eq(occurrences(page.data, "<tr>"), 4 + 1 + 200, "verdicts, header, rows");
    text_release(&page);
    made_remove(&run);
}

Test(report, what_is_no_run_is_refused)
{
    struct error err;
    cr_expect_eq(report_write("/nowhere/at/all", &err), E_INPUT);
    cr_expect_eq(report_index("/nowhere/at/all", &err), E_INPUT);
}

/* A folder with one run in it. */
struct results {
    char folder[48], inside[96];
};

static void results_open(struct results *results)
{
    struct made_run run;
    snprintf(results->folder, sizeof results->folder, "/tmp/made-results-XXXXXX");
    cr_assert_not_null(mkdtemp(results->folder));
    evil_run(&run, 2);
    snprintf(results->inside, sizeof results->inside, "%s/a run", results->folder);
    cr_assert_eq(rename(run.directory, results->inside), 0);
    snprintf(run.directory, sizeof run.directory, "%s/a run", results->folder);
    text_release(&run.cells);
    text_release(&run.trials);
    text_release(&run.measures);
    text_release(&run.estimates);
    text_release(&run.skipped);
}

static void results_close(struct results *results)
{
    struct made_run inside = {0}, folder = {0};
    snprintf(inside.directory, sizeof inside.directory, "%s/a run", results->folder);
    snprintf(folder.directory, sizeof folder.directory, "%s", results->folder);
    made_remove(&inside);
    made_remove(&folder);
}

Test(report, the_index_lists_runs_and_their_questions)
{
    struct results results;
    struct made_run folder = {0};
    struct error err;
    results_open(&results);
    snprintf(folder.directory, sizeof folder.directory, "%s", results.folder);
    cr_assert_eq(report_index(results.folder, &err), OK, "%s", err.text);
    struct text page = made_read(&folder, "index.html"), readme = made_read(&folder, "README.md");
    cr_expect_neq(occurrences(page.data, "href=\"a%20run/index.html\""), 0);
    cr_expect_neq(occurrences(page.data, "Is &lt;it&gt;"), 0);
    cr_expect_neq(occurrences(readme.data, "| [made](a%20run/index.html) | Is \\<it\\> "), 0, "%s",
                  readme.data);
    text_release(&page);
    text_release(&readme);
    results_close(&results);
}

Test(report, a_readme_of_somebodys_own_is_left_alone)
{
    struct results results;
    struct made_run folder = {0};
    struct error err;
    struct text own = {0}, marked = {0};
    results_open(&results);
    snprintf(folder.directory, sizeof folder.directory, "%s", results.folder);
    text_printf(&own, "# Mine\n");
    cr_assert_eq(file_write(results.folder, "README.md", &own, &err), OK);
    cr_assert_eq(report_index(results.folder, &err), OK, "%s", err.text);
    struct text after = made_read(&folder, "README.md");
    cr_expect_str_eq(after.data, "# Mine\n");
    text_release(&after);

    text_printf(&marked, "# Mine\n<!-- experiments: written by `make plots` -->\nold\n"
                         "<!-- end of experiments -->\nbelow\n");
    cr_assert_eq(file_write(results.folder, "README.md", &marked, &err), OK);
    cr_assert_eq(report_index(results.folder, &err), OK, "%s", err.text);
    after = made_read(&folder, "README.md");
    cr_expect_eq(strncmp(after.data, "# Mine\n<!-- exp", 15), 0);
    cr_expect_eq(occurrences(after.data, "old\n"), 0);
    cr_expect_eq(occurrences(after.data, "| [made]("), 1);
    cr_expect_eq(occurrences(after.data, "<!-- end of experiments -->\nbelow\n"), 1);
    text_release(&after);
    text_release(&own);
    text_release(&marked);
    results_close(&results);
}

Test(report, paths_and_data_are_encoded)
{
    struct text out = {0}, bytes = {0};
    html_path(&out, "a b/\"<%é");
    cr_expect_str_eq(out.data, "a%20b/%22%3C%25%C3%A9");
    text_release(&out);
    text_printf(&bytes, "hello");
    html_data(&out, "text/plain", &bytes);
    cr_expect_str_eq(out.data, "data:text/plain;base64,aGVsbG8=");
    text_release(&out);
    text_release(&bytes);
}
