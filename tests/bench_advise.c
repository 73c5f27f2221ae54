/* SPDX-License-Identifier: MIT
 *
 * bench_advise.c: tables of times written and read, times between the measured sizes, and the
 * filter that costs least: by hand.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/bench/advise.h"
#include "tests/csv.h"
#include "tests/harness_files.h"
#include "tests/harness_program.h"

/* Classic, k = 7: 2 ns at 1 MiB, 10 ns at 16 MiB, so 6 ns at 4 MiB. blocked is three times as fast.
 * null costs 1 ns. */
static const char advise_times[] =
    "filter,params,bytes,bits_per_key,operation,hit_ratio,digests,path,threads,ns_per_key\n"
    "null,,0,10,query_list,0,computed,portable,1,1\n"
    "classic,,16777216,10,query_list,0,computed,portable,1,10\n"
    "classic,,1048576,10,query_list,0,computed,portable,1,2\n"
    "classic,,1048576,10,query_list,0,computed,avx2,1,2.5\n"
    "classic,,1048576,10,query_list,0.5,computed,portable,1,0.1\n"
    "classic,,1048576,10,query_list,0,given,portable,1,0.1\n"
    "classic,,1048576,10,query_count,0,computed,portable,1,0.1\n"
    "classic,,4194304,20,query_list,0,computed,portable,1,12\n"
    "blocked,block_bits=512,16777216,10,query_list,0,computed,portable,1,2.5\n"
    "blocked,block_bits=512,1048576,10,query_list,0,computed,portable,1,1.5\n";

static char *advise_file(char **folder)
{
    *folder = folder_new();
    file_save(*folder, "timings.csv", advise_times, sizeof advise_times - 1);
    return path_of(*folder, "timings.csv");
}

static void advise_read(struct timings *timings, const char *text)
{
    struct error error;
    char *folder = folder_new(), *path = path_of(folder, "timings.csv");
    file_save(folder, "timings.csv", text, strlen(text));
    cr_assert_eq(timings_read(timings, path, &error), OK, "%s", error.text);
    free(path);
    folder_remove(folder);
}

static const struct lookup *advise_lookup(const struct lookups *lookups, const char *filter,
                                          unsigned k)
{
    for (size_t l = 0; l < lookups->count; l++)
        if (strcmp(lookups->lookup[l].row->filter, filter) == 0 && lookups->lookup[l].k == k)
            return &lookups->lookup[l];
    cr_assert_fail("no times of %s with k = %u", filter, k);
    return NULL;
}

Test(bench_advise, times_between_sizes)
{
    struct timings timings;
    struct lookups lookups;
    struct error error;
    advise_read(&timings, advise_times);
    cr_assert_eq(lookups_open(&lookups, &timings, &error), OK, "%s", error.text);
    cr_expect_str_eq(lookups.operation, "query_list");
    cr_expect_str_eq(lookups.digests, "computed");
    const struct lookup *seven = advise_lookup(&lookups, "classic", 7);
    cr_expect_float_eq(lookup_ns(&lookups, seven, 4194304), 6, 1e-12);
    cr_expect_float_eq(lookup_ns(&lookups, seven, 1048576), 2, 1e-12, "the faster of two paths");
    cr_expect_float_eq(lookup_ns(&lookups, seven, 1000), 2, 1e-12);
    cr_expect_float_eq(lookup_ns(&lookups, seven, 1e12), 10, 1e-12);
    /* k = 14 was measured at 4 MiB only, 12 ns: beyond, it goes as k = 7 does. */
    const struct lookup *fourteen = advise_lookup(&lookups, "classic", 14);
    cr_expect_float_eq(lookup_ns(&lookups, fourteen, 4194304), 12, 1e-12);
    cr_expect_float_eq(lookup_ns(&lookups, fourteen, 16777216), 20, 1e-12);
    cr_expect_float_eq(lookup_ns(&lookups, fourteen, 1048576), 4, 1e-12);
    lookups_release(&lookups);
    timings_release(&timings);
}

/* n = 3355443 keys of 10 bits are 4 MiB: classic 6 ns at a rate of 0.0081937, blocked 2 ns at
 * 0.0094 to 0.0100. */
Test(bench_advise, least_cost)
{
    struct timings timings;
    struct lookups lookups;
    struct error error;
    struct candidate *candidates;
    size_t count;
    const double n = 3355443;
    advise_read(&timings, advise_times);
    cr_assert_eq(lookups_open(&lookups, &timings, &error), OK, "%s", error.text);
    static const struct {
        double miss_cost_ns;
        const char *best;
    } cases[] = {{0.4, "null"}, {100, "blocked"}, {1e5, "classic"}};
    for (int i = 0; i < 3; i++) {
        struct advice_request request = {3355443, cases[i].miss_cost_ns, 10 * n, INFINITY};
        cr_assert_eq(advise(&candidates, &count, &lookups, &request, &error), OK);
        cr_expect_str_eq(candidates[0].filter, cases[i].best, "miss cost %g",
                         cases[i].miss_cost_ns);
        for (size_t c = 0; c < count; c++) {
            const struct candidate *x = &candidates[c];
            cr_expect_float_eq(x->cost_ns, x->lookup_ns + x->fpr * cases[i].miss_cost_ns,
                               1e-9 * x->cost_ns);
            cr_expect(c == 0 || candidates[c - 1].cost_ns <= x->cost_ns);
        }
        if (i == 2) {
            cr_expect_eq(candidates[0].k, 7);
            cr_expect_float_eq(candidates[0].lookup_ns, 6, 1e-6);
            cr_expect_float_eq(candidates[0].fpr, 0.00819372, 1e-8);
            cr_expect_float_eq(candidates[0].bits_per_key, 10, 1e-9);
        }
        free(candidates);
    }
    lookups_release(&lookups);
    timings_release(&timings);
}

Test(bench_advise, rate_wanted)
{
    struct timings timings;
    struct lookups lookups;
    struct error error;
    struct candidate *candidates;
    size_t count;
    advise_read(&timings, advise_times);
    cr_assert_eq(lookups_open(&lookups, &timings, &error), OK, "%s", error.text);
    struct advice_request request = {100000, 0, 16 * 1e5, 0.01};
    cr_assert_eq(advise(&candidates, &count, &lookups, &request, &error), OK);
    cr_assert_gt(count, 0);
    for (size_t c = 0; c < count; c++) {
        cr_expect_leq(candidates[c].fpr, 0.01);
        cr_expect_str_neq(candidates[c].filter, "null");
        cr_expect_leq(8 * candidates[c].bytes, 1600000 + 4096);
    }
    free(candidates);
    request.fpr = 1e-9;
    cr_assert_eq(advise(&candidates, &count, &lookups, &request, &error), OK);
    cr_expect_eq(count, 0);
    free(candidates);
    lookups_release(&lookups);
    timings_release(&timings);
}

Test(bench_advise, table_round_trip)
{
    struct timings timings = {0}, again;
    struct text text = {0};
    struct timing row = {.filter = "counting",
                         .params = "a=1;b=x,y",
                         .bytes = 4096,
                         .bits_per_key = 9.5,
                         .operation = "insert",
                         .hit_ratio = NAN,
                         .digests = "given",
                         .path = "avx2",
                         .threads = 1,
                         .ns = {3, 2.5, 3.25},
                         .floor_ns = 1.5,
                         .rounds = 7,
                         .noisy = true,
                         .count = 99,
                         .m = 10,
                         .n = 11,
                         .k = 12,
                         .fpr_model = 0.25};
    for (int e = 0; e < COUNTER_COUNT; e++)
        row.per_key.event[e] = NAN;
    timings_add(&timings, &row);
    row.noisy = false;
    timings_add(&timings, &row);
    timings_format(&timings, &text);
    cr_expect_eq(strncmp(text.data,
                         "filter,params,bytes,bits_per_key,operation,hit_ratio,digests,path,"
                         "threads,ns_per_key,ns_q1,ns_q3,floor_ns,ratio_to_floor,rounds,noisy,"
                         "cycles_per_key,instructions_per_key,cache_misses_per_key,"
                         "branch_misses_per_key,",
                         sizeof "filter,params,bytes,bits_per_key,operation,hit_ratio,digests,path,"
                                "threads,ns_per_key,ns_q1,ns_q3,floor_ns,ratio_to_floor,rounds,"
                                "noisy" -
                             1),
                 0);
    cr_expect(strstr(text.data, "\ncounting,\"a=1;b=x,y\",4096,9.5,insert,,given,avx2,1,3,2.5,3.25,"
                                "1.5,2,7,noisy,,,,,99,") != NULL,
              "%s", text.data);
    advise_read(&again, text.data);
    cr_assert_eq(again.count, 2);
    cr_expect_str_eq(again.row[0].params, row.params);
    cr_expect(again.row[0].noisy && !again.row[1].noisy);
    cr_expect(isnan(again.row[0].hit_ratio) && again.row[0].ns.q3 == 3.25);
    cr_expect(again.row[0].k == 12 && again.row[0].count == 99 && again.row[0].fpr_model == 0.25);
    text_release(&text);
    timings_release(&timings);
    timings_release(&again);
}

Test(bench_advise, bad_tables)
{
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"filter,bytes,operation\n", "no column ns_per_key"},
        {"filter,bytes,operation,ns_per_key\nclassic,1,query_list,fast\n", "'fast' is no number"},
        {"filter,bytes,operation,ns_per_key\nclassic,1,insert,1\n", "none of 1 timings"},
        {"filter,bytes,operation,ns_per_key\nnope,1,query_list,1\n", "a filter 'nope'"},
        {"filter,bytes,operation,ns_per_key\nclassic,1\n", "2 fields"},
        {"", "times.csv has no column filter"},
        {"filter,bytes,operation,ns_per_key\nnull,1,query_list,inf\n", "'inf' is no number"},
        {"filter,bytes,operation,ns_per_key\nnull,1,query_list,-1\n", "row 2: ns_per_key -1 is"},
        {"filter,bytes,operation,ns_per_key\nnull,-5,query_list,1\n", "'-5' is no whole number"},
        {"filter,bytes,operation,ns_per_key\nnull,1e300,query_list,1\n", "bytes '1e300'"},
        {"filter,bytes,operation,ns_per_key\nnull,0.5,query_list,1\n", "bytes '0.5'"},
        {"filter,bytes,operation,ns_per_key\nclassic,1,query_list,1\n", "k = 0; it must be"},
        {"filter,bytes,operation,ns_per_key,k\nclassic,1,query_list,1,300\n", "k = 300; it must"},
        {"filter,bytes,operation,ns_per_key,k\nnull,1,query_list,1,4294967297\n", "k '4294967297'"},
        {"filter,bytes,operation,ns_per_key\nhyperloglog,1,query_list,1\n", "no membership"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct program program;
        char *folder = folder_new(), *path = path_of(folder, "times.csv");
        file_save(folder, "times.csv", cases[i].text, strlen(cases[i].text));
        program_run(&program, NULL, "advise", "--n", "1000", "--timings", path, NULL);
        program_fails(&program, 2, cases[i].part);
        free(path);
        folder_remove(folder);
    }
}

Test(bench_advise, command)
{
    struct program program;
    char *folder, *path = advise_file(&folder);
    program_run(&program, NULL, "advise", "--n", "3355443", "--miss-cost", "1e5", "--bits-per-key",
                "10", "--timings", path, "--csv", NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    file_save(folder, "advice.csv", program.out, program.out_bytes);
    char *advice = path_of(folder, "advice.csv");
    struct csv *table = csv_read(advice);
    cr_expect_str_eq(csv_text(table, 0, "filter"), "classic");
    cr_expect_str_eq(csv_text(table, 0, "rank"), "1");
    cr_expect_float_eq(csv_number(table, 0, "cost_ns"), 6 + 819.372, 0.01);
    csv_free(table);
    free(advice);
    program_release(&program);
    program_run(&program, NULL, "advise", "--n", "1000", "--timings", path, NULL);
    cr_expect_eq(program.status, 0, "%s", program.err);
    program_release(&program);
    program_run(&program, NULL, "advise", "--timings", path, NULL);
    program_fails(&program, 2, "needs --n");
    program_run(&program, NULL, "advise", "--n", "0", NULL);
    program_fails(&program, 2, "--n");
    program_run(&program, NULL, "advise", "--n", "10", "--bits", "5", "--bits-per-key", "2", NULL);
    program_fails(&program, 2, "not both");
    program_run(&program, NULL, "advise", "--n", "10", "--fpr", "0", NULL);
    program_fails(&program, 2, "above 0");
    program_run(&program, NULL, "advise", "--n", "1000000", "--bits-per-key", "1", "--fpr", "1e-6",
                "--timings", path, NULL);
    program_fails(&program, 2, "reaches a rate of 1e-06");
    program_run(&program, NULL, "advise", "--n", "10", "--timings", "/nowhere.csv", NULL);
    program_fails(&program, 2, "nowhere.csv");
    free(path);
    folder_remove(folder);
}
