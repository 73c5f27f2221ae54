/* SPDX-License-Identifier: MIT
 *
 * harness_locale.c: a decimal is written with a point where people write a comma.
 *
 * The locale is the test's own, so that it does not hang on what a machine has installed: one
 * LC_NUMERIC file as glibc reads it (locale/loadlocale.c: a magic number, the number of fields,
 * where each starts, then the fields), with the numbers of de_DE.
 */
#include <criterion/criterion.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/table/text.h"
#include "tests/harness_files.h"
#include "tests/harness_program.h"

#define LOCALE_NAME "de_BLOOM"

/* decimal point, thousands separator, grouping, both signs as wide characters, codeset */
static void locale_make(const char *folder)
{
    enum { FIELDS = 6, HEAD = (2 + FIELDS) * 4 };
    static const uint32_t start[FIELDS] = {HEAD,     HEAD + 2,  HEAD + 4,
                                           HEAD + 8, HEAD + 12, HEAD + 16};
    struct {
        uint32_t magic, fields, start[FIELDS];
        char narrow[8];
        uint32_t wide[2];
        char codeset[8];
    } file = {LC_NUMERIC ^ 0x20031115, FIELDS, {0}, ",\0.\0\3\3", {',', '.'}, "UTF-8"};
    memcpy(file.start, start, sizeof start);
    char *path = path_of(folder, LOCALE_NAME);
    cr_assert_eq(mkdir(path, 0777), 0);
    file_save(path, "LC_NUMERIC", &file, sizeof file);
    free(path);
}

static char *locale_sweep(const struct surroundings *around)
{
    static const char text[] =
        "name: x\nquestion: y\ngrid: {filter: [classic, {name: scalable_linear, tightening: 0.25},"
        " hyperloglog], hash: murmur3_x64_128, keys: random64, m: 100, bits_per_key: 7.5, k: 2}\n"
        "trials: 3\nqueries: 200\n";
    char *folder = folder_new(), *file = path_of(folder, "x.yaml"), *run = path_of(folder, "x");
    struct program sweep;
    file_save(folder, "x.yaml", text, sizeof text - 1);
    program_run(&sweep, around, "sweep", file, "--out", folder, "--no-plots", "--quiet", NULL);
    cr_assert_eq(sweep.status, 0, "%s", sweep.err);
    program_release(&sweep);
    char *tables = folder_tables(run);
    free(file);
    free(run);
    folder_remove(folder);
    return tables;
}

static char *locale_output(const struct surroundings *around)
{
    struct program predict, size;
    struct text text = {0};
    program_run(&predict, around, "predict", "--filter", "scalable_linear", "--n", "1000",
                "--param", "tightening=0.25", "--csv", NULL);
    program_run(&size, around, "size", "--n", "1e3", "--p", "0.01", "--csv", NULL);
    cr_assert(predict.status == 0 && size.status == 0);
    char *tables = locale_sweep(around);
    text_printf(&text, "%s%s%s", predict.out, size.out, tables);
    free(tables);
    program_release(&predict);
    program_release(&size);
    return text.data;
}

Test(harness_locale, points_where_the_locale_has_commas)
{
    char *folder = folder_new(), path[256], text[16];
    locale_make(folder);
    snprintf(path, sizeof path, "LOCPATH=%s", folder);
    struct surroundings around = {.environment = {path, "LC_ALL=", "LC_NUMERIC=" LOCALE_NAME}};
    char *plain = locale_output(NULL), *german = locale_output(&around);
    same_text(plain, german, "output");
    cr_assert(strstr(plain, "1000,0.01,9586,7,1199,0.0100345319627,"), "%s", plain);
    /* And it is a locale that a program could set. */
    setenv("LOCPATH", folder, 1);
    cr_assert(setlocale(LC_NUMERIC, LOCALE_NAME));
    snprintf(text, sizeof text, "%.1f", 0.5);
    cr_assert_str_eq(text, "0,5");
    free(plain);
    free(german);
    folder_remove(folder);
}
