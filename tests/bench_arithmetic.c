/* SPDX-License-Identifier: MIT
 *
 * bench_arithmetic.c: quartiles, the mark of noise, the floors' loops, slopes: by hand.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/bench/floor.h"
#include "harness/bench/linear.h"
#include "harness/bench/quartiles.h"
#include "harness/stages/stages.h"

static void expect_quartiles(double *values, size_t count, double q1, double median, double q3)
{
    struct quartiles found = quartiles_of(values, count);
    cr_expect_float_eq(found.q1, q1, 1e-12);
    cr_expect_float_eq(found.median, median, 1e-12);
    cr_expect_float_eq(found.q3, q3, 1e-12);
}

Test(bench_arithmetic, quartiles)
{
    expect_quartiles((double[]){4, 2, 3, 1}, 4, 1.75, 2.5, 3.25);
    expect_quartiles((double[]){9, 1, 5, 3, 7}, 5, 3, 5, 7);
    expect_quartiles((double[]){6, 2}, 2, 3, 4, 5);
    expect_quartiles((double[]){8}, 1, 8, 8, 8);
    expect_quartiles((double[]){7, 7, 7, 7, 7, 7, 700}, 7, 7, 7, 7);
    cr_expect(isnan(quartiles_of(NULL, 0).median));
}

Test(bench_arithmetic, noisy)
{
    cr_expect_not(quartiles_noisy(&(struct quartiles){100, 95, 105}));
    cr_expect(quartiles_noisy(&(struct quartiles){100, 95, 105.1}));
    cr_expect_not(quartiles_noisy(&(struct quartiles){5, 5, 5}));
}

/* Every line that the random numbers name is read, and no other. */
Test(bench_arithmetic, floor_lines)
{
    static _Alignas(64) uint64_t memory[16 * 8];
    const uint64_t sixteenth = UINT64_C(1) << 60;
    for (unsigned line = 0; line < 16; line++)
        memory[8 * line + line % 8] = UINT64_C(1) << line;
    uint64_t random[] = {3 * sixteenth, 9 * sixteenth + 5, 15 * sixteenth + sixteenth - 1};
    cr_expect_eq(floor_lines(memory, 16, random, 3), 1u << 3 | 1u << 9 | 1u << 15);
    cr_expect_eq(floor_lines(memory, 16, random, 1), 1u << 3);
    cr_expect_eq(floor_lines(memory, 16, random, 0), 0);
    memory[8 * 15] = 77;
    cr_expect_eq(floor_dependent(memory, 16, random, 3, 0), 77);
}

Test(bench_arithmetic, slopes)
{
    struct timings timings = {0};
    cr_expect(isnan(linear_slope(&timings, LINEAR_CELLS)));
    for (unsigned step = 0; step < LINEAR_STEPS; step++) {
        struct timing row = {.count = linear_amount(LINEAR_CELLS, step)};
        row.ns.median = 5;
        snprintf(row.operation, sizeof row.operation, "sweep_cells");
        timings_add(&timings, &row);
        row.ns.median = 3 * pow((double)row.count, 0.25);
        snprintf(row.operation, sizeof row.operation, "sweep_members");
        timings_add(&timings, &row);
    }
    cr_expect_float_eq(linear_slope(&timings, LINEAR_CELLS), 1, 1e-9);
    cr_expect_float_eq(linear_slope(&timings, LINEAR_MEMBERS), 1.25, 1e-9);
    unsigned threads = 0;
    cr_expect(isnan(linear_speedup(&timings, LINEAR_CELLS, &threads)));
    struct timing several = {.threads = 3,
                             .count =
                                 linear_amount(LINEAR_CELLS, linear_threads_step(LINEAR_CELLS)),
                             .ns.median = 2,
                             .operation = "sweep_cells"};
    timings_add(&timings, &several);
    cr_expect_float_eq(linear_slope(&timings, LINEAR_CELLS), 1, 1e-9, "of one thread only");
    cr_expect_float_eq(linear_speedup(&timings, LINEAR_CELLS, &threads), 2.5, 1e-9);
    cr_expect_eq(threads, 3);
    cr_expect_geq(linear_amount(LINEAR_MEMBERS, linear_threads_step(LINEAR_MEMBERS)), 1 << 20);
    cr_expect_eq(linear_amount(LINEAR_QUERIES, 0), 100000);
    cr_expect_eq(linear_amount(LINEAR_QUERIES, 6), 100000000, "three decades");
    timings_release(&timings);
}

/* Stages nest, and nothing is counted before they are on. */
Test(bench_arithmetic, stages)
{
    cr_expect_eq(stage_enter(STAGE_KEYS), STAGE_KEYS, "off: no stage before");
    stages_start();
    cr_expect_eq(stage_enter(STAGE_INSERT), STAGE_NONE);
    cr_expect_eq(stage_enter(STAGE_DIGESTS), STAGE_INSERT);
    cr_expect_eq(stage_enter(STAGE_INSERT), STAGE_DIGESTS);
    cr_expect_eq(stage_enter(STAGE_NONE), STAGE_INSERT);
    cr_expect_eq(stage_seconds(STAGE_QUERY), 0);
    for (int s = 0; s < STAGE_COUNT; s++)
        cr_expect_neq(stage_name((enum stage)s), NULL);
    stages_on = false;
}
