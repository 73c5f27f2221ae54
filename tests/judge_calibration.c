/* SPDX-License-Identifier: MIT
 *
 * judge_calibration.c: sound cells are left in peace, as often as promised. Seeds are fixed, so
 * results are; the bands are 5 sigma (a false alarm at a new seed: below 1e-6 each).
 */
#include <math.h>

#include <criterion/criterion.h>

#include "harness/judge/thresholds.h"
#include "tests/judge_cells.h"

struct tally {
    unsigned cells, below[2][JUDGE_TESTS], verdict[VERDICT_FAIL + 1], alike;
    unsigned intervals, covered;
};

static const double tally_level[2] = {0.1, 0.01};

static void tally_add(struct tally *tally, const struct simulated_cell *cell)
{
    struct judgement j;
    judge_cell(&j, &cell->evidence, false);
    const double p[JUDGE_TESTS] = {j.fill_test.p, j.spread.p, j.probe.p, j.model_test.p};
    for (int i = 0; i < JUDGE_TESTS; i++)
        for (int level = 0; level < 2; level++) {
            cr_assert(p[i] >= 0 && p[i] <= 1);
            tally->below[level][i] += p[i] < tally_level[level];
        }
    double truth = cell->evidence.model.fpr;
    tally->cells++;
    tally->verdict[j.verdict]++;
    tally->alike += j.trials_alike;
    tally->intervals += j.interval[0] != '\0';
    tally->covered += j.fpr_interval.lo <= truth && truth <= j.fpr_interval.hi;
}

static void tally_cells(struct tally *tally, struct cell_setup setup, unsigned cells, gsl_rng *rng)
{
    struct evidence theory = cell_theory(&setup);
    for (unsigned i = 0; i < cells; i++) {
        struct simulated_cell cell;
        cell_simulate(&cell, &setup, &theory, rng);
        tally_add(tally, &cell);
    }
}

static gsl_rng *tally_rng(unsigned long seed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    return rng;
}

Test(judge, false_alarms_are_as_rare_as_promised, .init = stats_init)
{
    const struct cell_setup setups[] = {
        {.m = 256, .n = 22, .k = 8, .trials = 5, .queries = 3000},
        {.m = 256, .n = 60, .k = 3, .trials = 30, .queries = 20000},
        {.m = 1024, .n = 100, .k = 7, .trials = 10, .queries = 100000},
        {.m = 1024, .n = 40, .k = 4, .trials = 30, .queries = 1000},
        {.m = 4096, .n = 512, .k = 6, .trials = 5, .queries = 10000},
        {.m = 4096, .n = 2000, .k = 5, .trials = 10, .queries = 500},
        {.m = 16384, .n = 1600, .k = 7, .trials = 5, .queries = 100000},
    };
    const unsigned cells[] = {500, 400, 400, 300, 200, 150, 100};
    struct tally tally = {0};
    gsl_rng *rng = tally_rng(20240601);
    for (int i = 0; i < 7; i++)
        tally_cells(&tally, setups[i], cells[i], rng);
    gsl_rng_free(rng);
    for (int level = 0; level < 2; level++)
        for (int i = 0; i < JUDGE_TESTS; i++) {
            double expected = tally.cells * tally_level[level];
            double band = 5 * sqrt(expected * (1 - tally_level[level]));
            cr_assert(fabs(tally.below[level][i] - expected) < band,
                      "test %d: %u of %u p-values below %g", i, tally.below[level][i], tally.cells,
                      tally_level[level]);
        }
    cr_log_info("p < 0.01: fill %u spread %u probe %u model %u of %u; WARN %u", tally.below[1][0],
                tally.below[1][1], tally.below[1][2], tally.below[1][3], tally.cells,
                tally.verdict[VERDICT_WARN]);
    cr_assert(tally.verdict[VERDICT_FAIL] == 0 && tally.alike == 0);
    cr_assert(tally.verdict[VERDICT_WARN] <= 12); /* 2.05 expected at most; P(> 12) = 2e-7 */
}

/* The mean rate at (1024, 100, 7) is to be covered in 93-97 % of 1000 runs, whatever T. */
Test(judge, cluster_intervals_cover, .init = stats_init)
{
    const unsigned trials[] = {5, 10, 30};
    gsl_rng *rng = tally_rng(7);
    for (int i = 0; i < 3; i++) {
        struct cell_setup setup = {
            .m = 1024, .n = 100, .k = 7, .trials = trials[i], .queries = 100000};
        struct tally tally = {0};
        tally_cells(&tally, setup, 1000, rng);
        double share = tally.covered / (double)tally.cells;
        cr_log_info("T = %u: covered %.3f", trials[i], share);
        cr_assert(tally.intervals == 1000 && share >= 0.93 && share <= 0.97, "T = %u: %.3f",
                  trials[i], share);
    }
    gsl_rng_free(rng);
}

/* T = 1: theory's scatter (wilson_model); T = 2: the greater of theory's and the sample's. */
Test(judge, intervals_of_few_trials_cover, .init = stats_init)
{
    gsl_rng *rng = tally_rng(11);
    for (unsigned trials = 1; trials <= 2; trials++) {
        struct cell_setup setup = {
            .m = 1024, .n = 100, .k = 7, .trials = trials, .queries = 100000};
        struct tally tally = {0};
        struct evidence theory = cell_theory(&setup);
        for (unsigned i = 0; i < 1000; i++) {
            struct simulated_cell cell;
            struct judgement j;
            cell_simulate(&cell, &setup, &theory, rng);
            judge_cell(&j, &cell.evidence, false);
            tally.covered +=
                j.fpr_interval.lo <= theory.model.fpr && theory.model.fpr <= j.fpr_interval.hi;
        }
        cr_assert(tally.covered >= 930 && tally.covered <= (trials == 1 ? 970u : 998u), "T %u: %u",
                  trials, tally.covered);
    }
    gsl_rng_free(rng);
}

/* Worlds of 8 and 16 bits, empty to full: nothing is normal there. */
Test(judge, tiny_worlds_are_left_in_peace, .init = stats_init)
{
    struct tally tally = {0};
    gsl_rng *rng = tally_rng(3);
    for (unsigned m = 8; m <= 16; m += 8)
        for (unsigned n = 1; n <= 16; n += 3)
            for (unsigned k = 1; k <= 4; k += 3) {
                struct cell_setup setup = {.m = m, .n = n, .k = k, .trials = 5, .queries = 1000};
                tally_cells(&tally, setup, 50, rng);
                setup.trials = 30;
                tally_cells(&tally, setup, 20, rng);
            }
    gsl_rng_free(rng);
    for (int i = 0; i < JUDGE_TESTS; i++) {
        double expected = tally.cells * 0.01;
        cr_assert(tally.below[1][i] < expected + 5 * sqrt(expected), "test %d: %u of %u", i,
                  tally.below[1][i], tally.cells);
    }
    cr_assert(tally.verdict[VERDICT_FAIL] == 0 && tally.alike == 0 &&
              tally.verdict[VERDICT_WARN] <= 12);
    cr_assert(tally.covered > 0.93 * tally.cells);
}

/* Plain double hashing (1024, 6, 8), steps of any size: a key in 500 has all its probes on one or
 * two bits. E[X] = 46.954, Var[X] = 1.5134 (exact); such a key takes 6 or 7 bits away, 5 sigma. */
Test(judge, clumps_are_no_fault_of_the_hash, .init = stats_init)
{
    enum { M = 1024, N = 6, K = 8, TRIALS = 30, CELLS = 2000 };
    gsl_rng *rng = tally_rng(17);
    unsigned below = 0, failed = 0;
    uint64_t bits[TRIALS];
    double f[TRIALS] = {0};
    struct evidence e = {.trials = TRIALS,
                         .bits_set = bits,
                         .fpr_scheme = f,
                         .fpr_bits = f,
                         .m = M,
                         .k = K,
                         .throws = N * K,
                         .fill = {46.954, 1.5134},
                         .model = {.fpr = NAN, .variance = NAN},
                         .replicates = true};
    for (unsigned c = 0; c < CELLS; c++) {
        for (unsigned t = 0; t < TRIALS; t++) {
            unsigned char set[M] = {0};
            bits[t] = 0;
            for (unsigned key = 0; key < N; key++) {
                unsigned long a = gsl_rng_uniform_int(rng, M), b = gsl_rng_uniform_int(rng, M);
                for (unsigned i = 0; i < K; i++, a = (a + b) % M)
                    bits[t] += !set[a], set[a] = 1;
            }
        }
        struct judgement j;
        judge_cell(&j, &e, false);
        below += j.spread.p < 0.01;
        failed += j.verdict == VERDICT_FAIL;
    }
    gsl_rng_free(rng);
    cr_log_info("p_spread < 0.01: %u of %d, FAIL %u", below, CELLS, failed);
    cr_assert(failed == 0 && below < 20 + 5 * sqrt(20));
}
