/* SPDX-License-Identifier: MIT
 *
 * precision.c: planned precision is what was promised, at no more work than it takes.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "filters/theory/classic.h"
#include "harness/schedule/forecast.h"
#include "harness/schedule/schedule.h"
#include "harness/stats/law.h"
#include "tests/experiment_text.h"

/* STATISTICS 4: at (1024, 100, 7) 2 % takes about 1500 trials of 954 queries. */
static const char precision_yaml[] =
    "name: x\nquestion: x\nseed: %u\nqueries: {relative_error: 2%%, confidence: 95%%}\ngrid: "
    "{filter: [classic], hash: [xxh3_64], keys: [random64], m: [1024], n: [100], k: [7]}\n";

static struct plan *precision_plan(struct experiment **experiment, unsigned seed)
{
    struct plan_limits limits = {UINT64_MAX, 1, 1};
    struct plan *plan;
    struct error err;
    char text[512];
    stats_init();
    int size = snprintf(text, sizeof text, precision_yaml, seed);
    cr_assert_eq(experiment_text_read(experiment, text, (size_t)size, NULL, &err), OK, "%s",
                 err.text);
    cr_assert_eq(plan_make(&plan, *experiment, &limits, &err), OK, "%s", err.text);
    return plan;
}

Test(precision, plan_of_two_percent_is_the_published_one)
{
    struct experiment *experiment;
    struct plan *plan = precision_plan(&experiment, 1);
    cr_assert_eq(plan->cell_count, 1);
    cr_assert(llabs((long long)plan->cells[0].queries - 954) <= 1, "%d queries",
              (int)plan->cells[0].queries);
    cr_assert(plan->cells[0].trials > 1480 && plan->cells[0].trials < 1550, "%d trials",
              (int)plan->cells[0].trials);
    plan_free(plan);
    experiment_free(experiment);
}

/* Draws of X from its exact law, by its cumulative sums. */
static double precision_draw(const double *sums, size_t count, int64_t first, gsl_rng *rng)
{
    double u = gsl_rng_uniform(rng);
    size_t low = 0, high = count - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sums[middle] > u)
            high = middle;
        else
            low = middle + 1;
    }
    return (double)first + (double)low;
}

/* 1000 repetitions of the whole plan: X from the occupancy law, hits from the binomial law. At the
 * 95.2 % planned for, fewer than 930 are held with probability 1e-3; this seed is fixed. */
Test(precision, two_percent_are_held_in_93_of_100_repetitions)
{
    enum { REPEATS = 1000 };
    struct experiment *experiment;
    struct plan *plan = precision_plan(&experiment, 1);
    const struct cell *cell = &plan->cells[0];
    struct law law;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double truth = theory_fpr_exact(1024, 100, 7), sums[1024], sum = 0;
    unsigned held = 0;
    cr_assert(law_occupancy(&law, 1024, 700));
    for (size_t i = 0; i < law.count; i++)
        sums[i] = sum += law.p[i];
    for (unsigned r = 0; r < REPEATS; r++) {
        uint64_t hits = 0;
        for (uint64_t t = 0; t < cell->trials; t++) {
            double x = precision_draw(sums, law.count, law.first, rng);
            hits += gsl_ran_binomial(rng, pow(x / 1024, 7), (unsigned)cell->queries);
        }
        double rate = (double)hits / ((double)cell->trials * (double)cell->queries);
        held += fabs(rate / truth - 1) <= 0.02;
    }
    cr_assert_geq(held, 930, "%u of 1000", held);
    cr_assert_leq(held, 985, "%u of 1000: far more work than was asked for", held);
    law_release(&law);
    gsl_rng_free(rng);
    plan_free(plan);
    experiment_free(experiment);
}

/* 50 repetitions with the filter itself: fewer than 40 are held with probability 3e-5. */
Test(precision, and_by_the_filter_itself)
{
    enum { REPEATS = 50 };
    double truth = theory_fpr_exact(1024, 100, 7);
    unsigned held = 0;
    for (unsigned r = 0; r < REPEATS; r++) {
        struct experiment *experiment;
        struct plan *plan = precision_plan(&experiment, 1000 + r);
        struct schedule schedule = {.threads = 2, .memory_bytes = 1 << 28, .quiet = true};
        struct schedule_report report;
        struct error err;
        struct trial_result *results = calloc(plan->result_count, sizeof *results);
        double hits = 0;
        cr_assert_eq(schedule_run(&report, &schedule, plan, results, NULL, &err), OK, "%s",
                     err.text);
        for (size_t t = 0; t < plan->result_count; t++) {
            hits += (double)results[t].false_positives;
            trial_result_release(&results[t]);
        }
        double rate = hits / ((double)plan->cells[0].trials * (double)plan->cells[0].queries);
        held += fabs(rate / truth - 1) <= 0.02;
        free(results);
        plan_free(plan);
        experiment_free(experiment);
    }
    cr_assert_geq(held, 40, "%u of 50", held);
}

/* What is said of the time is of the right kind: positive, and nothing for no trials. */
Test(precision, forecast_grows_with_the_trials)
{
    struct experiment *experiment;
    struct schedule schedule = {.threads = 2, .memory_bytes = 1 << 28, .quiet = true};
    struct plan *plan = precision_plan(&experiment, 1);
    double seconds = schedule_forecast(plan, &schedule);
    cr_assert(seconds > 0 && seconds < 1e6, "%g", seconds);
    plan->cells[0].trials = plan->groups[0].trials = plan->result_count = 0;
    cr_assert_eq(schedule_forecast(plan, &schedule), 0);
    plan_free(plan);
    experiment_free(experiment);
}
