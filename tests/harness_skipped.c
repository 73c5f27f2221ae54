/* SPDX-License-Identifier: MIT
 *
 * harness_skipped.c: cells that cannot be are skipped, with a reason that names the value and the
 * bound.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/harness_lab.h"

/* A grid of one impossible cell and the parts of its reason. */
static void skipped_for(const char *grid, const char *value, const char *bound)
{
    struct lab lab;
    char text[512];
    snprintf(text, sizeof text, "grid: {%s}", grid);
    lab_open_within(&lab, text, (struct plan_limits){UINT64_C(1) << 34, 1, 1});
    cr_assert_eq(lab.plan->cell_count, 0, "%s", grid);
    cr_assert_eq(lab.plan->skipped_count, 1, "%s", grid);
    const char *reason = lab.plan->skipped[0].reason;
    cr_assert(strstr(reason, value) && strstr(reason, bound), "%s: %s", grid, reason);
    lab_close(&lab);
}

Test(harness_skipped, reasons)
{
    skipped_for(
        "filter: classic, hash: xxh3_64, keys: random64, m: 1000, n: 9, k: 3, reduction: mask",
        "1000", "power of two");
    skipped_for(
        "filter: classic, hash: {pair: [xxh64, xxh3_64]}, keys: random64, m: 64, n: 9, k: 3", "k 3",
        "2");
    skipped_for("filter: partitioned, hash: xxh3_64, keys: random64, m: 4, n: 9, k: 5", "5", "4");
    skipped_for("filter: classic, hash: xxh3_64, keys: random64, m: 2^40, n: 9, k: 5",
                "137438953472 bytes", "17179869184 bytes");
    skipped_for("filter: scalable_exponential, hash: xxh3_64, keys: random64, n: 2^40", "bytes",
                "17179869184 bytes");
    skipped_for("filter: classic, hash: xxh3_64, keys: {decimal: 0..99}, m: 64, n: 101, k: 5",
                "101", "100 keys of decimal(0..99)");
    skipped_for(
        "filter: classic, hash: murmur2, digest_bits: 33, keys: random64, m: 64, n: 9, k: 5", "33",
        "32");
    skipped_for("filter: classic, hash: xxh3_64, keys: random64, m: 64, n: 0, k: 2,"
                " queries: {relative_error: 2%}",
                "n 0", "rate above 0");
    skipped_for("filter: classic, hash: xxh3_64, keys: random64, m: 2^20, n: 10, k: 20,"
                " queries: {relative_error: 0.1%}",
                "0.001", "100000000");
}

Test(harness_skipped, sizes_beyond_the_bounds)
{
    skipped_for("filter: \"null\", hash: xxh3_64, keys: random64, m: 2^48, bits_per_key: 0.5",
                "562949953421312", "281474976710656");
    skipped_for("filter: classic, hash: xxh3_64, keys: random64, m: 2^48, bits_per_key: 1e-6, k: 2",
                "n ", "281474976710656");
    skipped_for("filter: classic, hash: xxh3_64, keys: random64, n: 2^48, bits_per_key: 2, k: 2",
                "562949953421312", "281474976710656");
    skipped_for("filter: classic, hash: xxh3_64, keys: random64, n: 2^48, bits_per_key: 1e6, k: 2",
                "m ", "281474976710656");
}

Test(harness_skipped, the_others_run)
{
    struct lab lab;
    lab_open(&lab, "grid: {filter: [classic, double_hashing, partitioned], hash: {pair: [murmur2,"
                   " fnv1a_32]}, keys: random64, m: 64, n: 9, k: [1..4]}\ntrials: 1\nqueries: 1");
    cr_assert_eq(lab_count(&lab, "classic"), 2);
    cr_assert_eq(lab_count(&lab, "partitioned"), 2);
    cr_assert_eq(lab_count(&lab, "double_hashing"), 4);
    cr_assert_eq(lab.plan->skipped_count, 4);
    char *tables = (lab_run(&lab, 1, UINT64_MAX, NULL), lab_tables(&lab));
    cr_assert(strstr(tables, "== skipped.csv\nexperiment,filter,params,hash,family,digest_bits,"
                             "reduction,keys,m,n,k,reason\n"
                             "x,classic,,murmur2+fnv1a_32,pair,32,mod,random64,64,9,3,"));
    free(tables);
    lab_close(&lab);
}
