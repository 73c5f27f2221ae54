/* SPDX-License-Identifier: MIT
 *
 * harness_tables.c: the tables as a reader finds them: columns, fields, quotes, numbers.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/csv.h"
#include "tests/harness_files.h"
#include "tests/harness_lab.h"

/* ---- columns --------------------------------------------------------------------------------- */

static const struct {
    const char *name, *header;
} tables_headers[] = {
    {"trials.csv",
     "experiment,cell_id,trial,seed,filter,params,hash,family,digest_bits,reduction,keys,m,m_"
     "actual,"
     "n,n_distinct,k,queries,false_positives,false_negatives,bits_set,fpr,fpr_bits,fpr_scheme,"
     "wilson_lo,wilson_hi,cp_lo,cp_hi,memory_bytes,keys_digest,bits_digest\n"},
    {"cells.csv",
     "experiment,cell_id,filter,params,hash,family,digest_bits,reduction,keys,m,m_actual,n,k,"
     "bits_per_key,trials,queries_per_trial,queries,false_positives,false_negatives,fpr,fpr_lo,"
     "fpr_hi,interval,deff,tau,fill,fill_expected,fill_sd_expected,memory_bytes,fpr_standard,"
     "fpr_bloom,fpr_exact,fpr_model,model,model_se,fpr_bits,fpr_scheme,fpr_scheme_lo,fpr_scheme_hi,"
     "z_fill,p_fill,z_spread,p_spread,z_probe,p_probe,z_model,p_model,ratio,ratio_lo,ratio_hi,mde,"
     "verdict,explained_by,flags\n"},
    {"estimates.csv", "cell_id,estimate,value,z,p,q,source\n"},
    {"measures.csv", "experiment,cell_id,trial,measure,value\n"},
    {"skipped.csv",
     "experiment,filter,params,hash,family,digest_bits,reduction,keys,m,n,k,reason\n"},
};
enum { TABLES = sizeof tables_headers / sizeof *tables_headers };

/* Filters that share few columns, and edges: nothing inserted, nothing asked, all full, one bit. */
static const char tables_mixed[] =
    "grid:\n"
    "  - {filter: [classic, blocked, split_block, counting, partitioned, double_hashing,"
    " enhanced_double, scalable_linear, scalable_exponential, hyperloglog, \"null\"],"
    " hash: [murmur3_x64_128, {name: murmur2, family: salted}], keys: random64, m: 64,"
    " n: [0, 8, 500], k: [1, 3]}\n"
    "  - {filter: [classic, counting, partitioned, \"null\"], hash: xxh3_64, keys: random64, m: 1,"
    " n: [0, 1, 2], k: [1, 256]}\n"
    "  - {filter: [classic, hyperloglog, scalable_linear], hash: xxh3_64, keys: random64, m: 64,"
    " n: 5, k: 2, queries: 0}\n"
    "  - {filter: [classic, hyperloglog, double_hashing, \"null\"], hash: xxh3_64, keys: random64,"
    " m: 65, n: [0, 5], k: 2, trials: 0}\n"
    "  - {filter: [classic, \"null\"], hash: xxh3_64, keys: random64, m: 65, n: 5, k: 2, trials: "
    "1}\n"
    "trials: 3\nqueries: 60\n";

Test(harness_tables, columns_and_fields)
{
    char *folder = folder_new();
    struct lab lab;
    lab_open(&lab, tables_mixed);
    lab_run(&lab, 2, UINT64_MAX, NULL);
    lab_write(&lab, folder);
    for (size_t t = 0; t < TABLES; t++) {
        char *text = file_load(folder, tables_headers[t].name, NULL),
             *path = path_of(folder, tables_headers[t].name);
        size_t header = strlen(tables_headers[t].header);
        cr_assert_eq(strncmp(text, tables_headers[t].header, header), 0, "%s",
                     tables_headers[t].name);
        struct csv *table = csv_read(path); /* fails where a row has another number of fields */
        cr_assert_gt(csv_rows(table), 0);
        csv_free(table);
        free(path);
        free(text);
    }
    lab_close(&lab);
    folder_remove(folder);
}

/* Walks every field of a table: row_split is tested by its results here and by csv_read above. */
static void tables_fields(const char *name, char *text,
                          void (*check)(const char *, const char *, const char *))
{
    enum { FIELDS = 64 };
    char *header[FIELDS], *fields[FIELDS], *next;
    int columns = row_split(text, header, FIELDS, &next);
    while (*next) {
        cr_assert_eq(row_split(next, fields, FIELDS, &next), columns);
        for (int i = 0; i < columns; i++)
            check(name, header[i], fields[i]);
    }
}

static void tables_no_nan(const char *table, const char *column, const char *field)
{
    cr_assert_not(strcasestr(field, "nan") && strcmp(column, "source") != 0, "%s: %s is %s", table,
                  column, field);
    bool cardinality = strcmp(table, "measures.csv") == 0;
    cr_assert(cardinality || (strcmp(field, "inf") != 0 && strcmp(field, "-inf") != 0),
              "%s: %s is %s", table, column, field);
    cr_assert(strcmp(field, "-0") != 0 && strcmp(field, "-0.000") != 0);
}

static void tables_only_cardinality_is_infinite(char *measures)
{
    for (const char *at = measures; (at = strstr(at, ",inf\n")); at++)
        cr_assert_eq(strncmp(at - strlen("cardinality"), "cardinality", strlen("cardinality")), 0);
    cr_assert(strstr(measures, ",cardinality,inf\n"), "no filter is saturated");
}

Test(harness_tables, no_number_is_nan)
{
    char *folder = folder_new();
    struct lab lab;
    lab_open(&lab, tables_mixed);
    lab_run(&lab, 2, UINT64_MAX, NULL);
    lab_write(&lab, folder);
    for (size_t t = 0; t < TABLES; t++) {
        char *text = file_load(folder, tables_headers[t].name, NULL);
        if (strcmp(tables_headers[t].name, "measures.csv") == 0)
            tables_only_cardinality_is_infinite(text);
        tables_fields(tables_headers[t].name, text, tables_no_nan);
        free(text);
    }
    lab_close(&lab);
    folder_remove(folder);
}

/* The columns that trials.csv and cells.csv share. */
static void tables_axes(const struct csv *table, size_t row, const struct plan *plan)
{
    const struct cell *cell = plan_find(plan, csv_text(table, row, "cell_id"));
    const struct filter_ops *ops = cell->ops;
    cr_assert(csv_is(table, row, "filter", ops->name));
    cr_assert_eq(csv_empty(table, row, "m"), !(ops->axes & AXIS_M), "%s", ops->name);
    cr_assert_eq(csv_empty(table, row, "m_actual"), cell->layout.m == 0, "%s", ops->name);
    cr_assert_eq(csv_empty(table, row, "k"), cell->layout.k == 0, "%s", ops->name);
    cr_assert_eq(csv_empty(table, row, "reduction"), !(ops->axes & AXIS_REDUCTION));
    cr_assert_eq(csv_empty(table, row, "hash"), !(ops->axes & AXIS_HASH));
    cr_assert_eq(csv_empty(table, row, "digest_bits"), !(ops->axes & AXIS_HASH));
    cr_assert_eq(csv_empty(table, row, "queries"), ops->query == NULL, "%s", ops->name);
    bool asked = !csv_empty(table, row, "queries") && csv_integer(table, row, "queries") > 0;
    cr_assert_eq(csv_empty(table, row, "fpr"), !asked);
    cr_assert_not(csv_empty(table, row, "n"));
}

Test(harness_tables, what_a_filter_does_not_use_is_empty)
{
    char *folder = folder_new();
    struct lab lab;
    lab_open(&lab, tables_mixed);
    lab_run(&lab, 2, UINT64_MAX, NULL);
    lab_write(&lab, folder);
    for (size_t t = 0; t < 2; t++) {
        char *path = path_of(folder, tables_headers[t].name);
        struct csv *table = csv_read(path);
        for (size_t r = 0; r < csv_rows(table); r++)
            tables_axes(table, r, lab.plan);
        csv_free(table);
        free(path);
    }
    lab_close(&lab);
    folder_remove(folder);
}

/* ---- text ------------------------------------------------------------------------------------ */

Test(harness_tables, names_with_commas_and_quotes)
{
    char *folder = folder_new(), *run = folder_new();
    static const char name[] = "a, \"b\".txt";
    file_save(folder, name, "x\ny\nz\nu\nv\n", 10);
    char *path = path_of(folder, name), text[512], expected[512];
    struct lab lab;
    snprintf(text, sizeof text,
             "grid: {filter: [classic, counting], hash: {pair: [murmur2, fnv1a_32]}, m: 64, n: 2,"
             " k: 2,\n keys: {file: '%s'}}\ntrials: 1\nqueries: 3\n",
             path);
    snprintf(expected, sizeof expected, "file(%s)", path);
    lab_open(&lab, text);
    lab_run(&lab, 1, UINT64_MAX, NULL);
    lab_write(&lab, run);
    for (size_t t = 0; t < 2; t++) {
        char *table_path = path_of(run, tables_headers[t].name);
        struct csv *table = csv_read(table_path);
        cr_assert_eq(csv_rows(table), 2);
        cr_assert_str_eq(csv_text(table, 0, "keys"), expected);
        cr_assert_str_eq(csv_text(table, 1, "keys"), expected);
        csv_free(table);
        free(table_path);
    }
    lab_close(&lab);
    free(path);
    folder_remove(folder);
    folder_remove(run);
}

Test(harness_tables, fields_survive_the_way_through_a_row)
{
    static const char *const values[] = {
        "",     "plain", "a,b",   "\"",  "\"\"",  "a\"b", ",",   "\n",
        "a\nb", "\r",    "a\r\n", " a ", "\",\"", "ü,ä",  "\"a", "a\"",
    };
    enum { COUNT = sizeof values / sizeof *values };
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < COUNT; j++) {
            struct text text = {0};
            char *fields[3], *next;
            field_string(&text, values[i]);
            field_string(&text, values[j]);
            field_count(&text, UINT64_MAX);
            row_end(&text);
            text_printf(&text, "next");
            cr_assert_eq(row_split(text.data, fields, 3, &next), 3);
            cr_assert_str_eq(fields[0], values[i]);
            cr_assert_str_eq(fields[1], values[j]);
            cr_assert_str_eq(fields[2], "18446744073709551615");
            cr_assert_str_eq(next, "next");
            text_release(&text);
        }
}

Test(harness_tables, broken_rows_are_refused)
{
    static const char *const rows[] = {"\"a", "\"a\"b,c\n", "\"", "a,\"b\n", "a,b,c,d\n"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char row[16], *fields[3], *next;
        strcpy(row, rows[i]);
        cr_assert_eq(row_split(row, fields, 3, &next), -1, "%s", rows[i]);
    }
    char row[] = "a,,\r\nb", *fields[3], *next;
    cr_assert_eq(row_split(row, fields, 3, &next), 3);
    cr_assert_str_eq(fields[2], "");
    cr_assert_str_eq(next, "b");
}

Test(harness_tables, numbers_as_they_are_printed)
{
    struct text text = {0};
    field_rate(&text, 0.0123456789);
    field_rate(&text, -0.0);
    field_rate(&text, NAN);
    field_rate(&text, 1e-300);
    field_p(&text, 0.000123456);
    field_z(&text, -0.0001);
    field_z(&text, -1.23456);
    field_z(&text, NAN);
    field_hex(&text, 255);
    field_real(&text, 1.0 / 3, 12);
    row_end(&text);
    cr_assert_str_eq(text.data, "0.0123457,0,,1e-300,0.0001235,0.000,-1.235,,00000000000000ff,"
                                "0.333333333333\n");
    text_release(&text);
}
