/* SPDX-License-Identifier: MIT
 *
 * compare_cells.c: which test a cell is given.
 *
 * The same seed means the same keys and hash seeds: where filters and keys have the same digests
 * their hits are the same, or something is wrong. No chance is left in that, so it is no matter of
 * sigmas. Chance is back as soon as the filters differ (a program that was changed) or the seeds.
 */
#include "harness/command/compare_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/stats/stats.h"

static const double compare_rounding = 2e-6; /* relative: 6 digits are printed */
static const double compare_coincidence = 1e-6;

const char *compare_method_name(enum compare_method method)
{
    static const char *const names[] = {"untested", "identical", "certain", "paired",
                                        "independent"};
    return names[method];
}

void comparison_release(struct comparison *comparison)
{
    free(comparison->cell);
    *comparison = (struct comparison){0};
}

static bool compare_near(double a, double b)
{
    return a == b || (isnan(a) && isnan(b)) ||
           fabs(a - b) <= compare_rounding * fmax(fabs(a), fabs(b));
}

static void compare_sure(struct compared *out, bool equal)
{
    double difference = out->contrast.a - out->contrast.b;
    out->method = equal ? COMPARE_IDENTICAL : COMPARE_CERTAIN;
    out->contrast.p = equal ? 1 : 0;
    out->contrast.z = equal ? 0 : copysign(STATS_Z_IMPOSSIBLE, difference);
}

/* ---- one cell by its totals -------------------------------------------------------------------
 */

static double compare_step(const struct loaded_cell *cell)
{
    double k = number_of(cell->label[LOADED_K]), bits = 0;
    for (size_t t = 0; t < cell->trial_count; t++)
        bits += cell->of_trial[t].bits_set / (double)cell->trial_count;
    return k > 0 && bits > 0 ? k * cell->scheme / bits : 0;
}

static struct contrast_side compare_side(const struct loaded_cell *cell, bool asked)
{
    bool theory = !isnan(cell->theory_tau2);
    bool sampled = cell->trials > 1 && cell->tau2 > cell->theory_tau2;
    return (struct contrast_side){
        .trials = cell->trials,
        .queries = asked ? cell->queries : 0,
        .hits = cell->hits,
        .scatter = cell->scatter,
        .scheme = cell->scheme,
        .tau2 = theory && !sampled ? cell->theory_tau2 : cell->tau2,
        .tau_known = theory,
        .step = compare_step(cell),
    };
}

static void compare_totals(struct compared *out)
{
    struct contrast_side a = compare_side(out->a, out->asked), b = compare_side(out->b, out->asked);
    out->method = COMPARE_INDEPENDENT;
    contrast_independent(&out->contrast, &a, &b);
}

/* Both rates, for what needs no test. */
static void compare_rates(struct compared *out)
{
    const struct loaded_cell *a = out->a, *b = out->b;
    out->contrast.a = out->asked ? a->hits / (a->trials * a->queries) : a->scheme;
    out->contrast.b = out->asked ? b->hits / (b->trials * b->queries) : b->scheme;
}

/* ---- one cell by its trials -------------------------------------------------------------------
 */

/* What the trials of one seed say together. */
struct compare_shared {
    struct contrast_pair *pair;
    size_t count;
    bool equal;      /* the numbers are the same in all of them */
    bool impossible; /* in one of them they differ though nothing else does */
    double queries_a, queries_b;
};

static void compare_take(struct compare_shared *shared, const struct loaded_trial *a,
                         const struct loaded_trial *b, bool asked)
{
    shared->pair[shared->count++] = (struct contrast_pair){a->hits, b->hits, a->scheme, b->scheme};
    bool same_queries = !asked || a->queries == b->queries;
    bool same = asked ? a->hits == b->hits && same_queries : compare_near(a->scheme, b->scheme);
    bool same_filter = a->bits_digest == b->bits_digest;
    bool same_keys = a->keys_digest == b->keys_digest && same_queries;
    shared->equal &= same;
    shared->impossible |= !same && same_filter && (same_keys || !asked);
    shared->queries_a += asked ? a->queries : 0;
    shared->queries_b += asked ? b->queries : 0;
}

/* The trials that have the same number and seed in both; trials are in the order of numbers. */
static enum status compare_share(struct compare_shared *shared, const struct compared *cell,
                                 struct error *err)
{
    const struct loaded_cell *a = cell->a, *b = cell->b;
    *shared = (struct compare_shared){.equal = true};
    shared->pair = calloc(a->trial_count + 1, sizeof *shared->pair);
    if (!shared->pair)
        return fail(err, E_RUN, "no memory for %zu trials", a->trial_count);
    for (size_t i = 0, j = 0; i < a->trial_count && j < b->trial_count;) {
        const struct loaded_trial *x = &a->of_trial[i], *y = &b->of_trial[j];
        if (x->trial == y->trial && x->seed == y->seed)
            compare_take(shared, x, y, cell->asked);
        i += x->trial <= y->trial;
        j += y->trial <= x->trial;
    }
    return OK;
}

/* OK with method untested: no seed is shared. */
static enum status compare_trials(struct compared *out, struct error *err)
{
    struct compare_shared shared;
    enum status status = compare_share(&shared, out, err);
    if (status || shared.count == 0) {
        free(shared.pair);
        return status;
    }
    double n = (double)shared.count;
    bool all = shared.count == out->a->trial_count && shared.count == out->b->trial_count;
    contrast_paired(&out->contrast, shared.pair, shared.count, shared.queries_a / n,
                    shared.queries_b / n, fmax(compare_step(out->a), compare_step(out->b)));
    out->method = COMPARE_PAIRED;
    if (shared.impossible)
        compare_sure(out, false);
    else if (shared.equal && all)
        compare_sure(out, true);
    else if (isnan(out->contrast.p))
        compare_totals(out);
    free(shared.pair);
    return OK;
}

/* ---- tables without trials --------------------------------------------------------------------
 */

static bool compare_same_numbers(const struct compared *cell)
{
    const struct loaded_cell *a = cell->a, *b = cell->b;
    return a->trials == b->trials && a->queries == b->queries &&
           (cell->asked ? a->hits == b->hits : compare_near(a->scheme, b->scheme));
}

static bool compare_same_filters(const struct compared *cell)
{
    const struct loaded_cell *a = cell->a, *b = cell->b;
    return a->trials == b->trials && a->queries == b->queries && a->fill > 0 &&
           a->fill == b->fill && a->bits == b->bits && (a->scheme == b->scheme || !cell->asked);
}

/* ln of the chance that two independent runs agree in the hits of a cell: at most the mode of the
 * law of their difference. */
static double compare_chance(const struct loaded_cell *cell)
{
    double n = cell->trials * cell->queries, p = cell->hits / n;
    double variance = n * p * (1 - p);
    return variance > 1 ? -log(4 * M_PI * variance) / 2 : 0;
}

static bool compare_seeds_shared(const struct comparison *comparison, const struct loaded *a,
                                 const struct loaded *b)
{
    if (a->has_seed && b->has_seed)
        return a->seed == b->seed;
    double chance = 0;
    for (size_t c = 0; c < comparison->count; c++) {
        const struct compared *cell = &comparison->cell[c];
        if (cell->asked && compare_same_numbers(cell))
            chance += compare_chance(cell->a);
    }
    return chance < log(compare_coincidence);
}

static void compare_summaries(struct compared *out, bool seeds_shared)
{
    compare_rates(out);
    if (compare_same_numbers(out))
        compare_sure(out, true);
    else if (seeds_shared && compare_same_filters(out))
        compare_sure(out, false);
    else
        compare_totals(out);
}

/* ---- all cells --------------------------------------------------------------------------------
 */

static enum status compare_one(struct compared *out, bool seeds_shared, struct error *err)
{
    enum status status = OK;
    out->method = COMPARE_UNTESTED;
    if (out->a->trial_count && out->b->trial_count) {
        status = compare_trials(out, err);
        if (!status && out->method == COMPARE_UNTESTED)
            compare_totals(out);
    } else {
        compare_summaries(out, seeds_shared);
    }
    bool rates = !isnan(out->contrast.a) && !isnan(out->contrast.b);
    if (!rates)
        out->contrast.z = out->contrast.p = NAN;
    if (isnan(out->contrast.p))
        out->method = COMPARE_UNTESTED;
    return status;
}

static int compare_p(const void *a, const void *b)
{
    const struct compared *x = *(struct compared *const *)a, *y = *(struct compared *const *)b;
    double p = x->contrast.p, q = y->contrast.p;
    return p != q ? (p > q) - (p < q) : (x > y) - (x < y);
}

/* Holm, Scandinavian Journal of Statistics 6, 1979: whatever depends on whatever, the chance that
 * any cell without a difference is named stays below the level. */
static enum status compare_family(struct comparison *comparison, double level, struct error *err)
{
    size_t count = comparison->count, tested = 0;
    struct compared **order = calloc(count + 1, sizeof *order);
    double *p = calloc(2 * count + 1, sizeof *p), *q = p + count;
    enum status status =
        order && p ? OK : fail(err, E_RUN, "no memory to compare %zu cells", count);
    for (size_t c = 0; !status && c < count; c++)
        p[c] = comparison->cell[c].contrast.p;
    if (!status)
        status = stats_q_values(q, p, count, err);
    for (size_t c = 0; !status && c < count; c++) {
        comparison->cell[c].q = q[c];
        comparison->cell[c].p_family = NAN;
        comparison->identical += comparison->cell[c].method == COMPARE_IDENTICAL;
        if (!isnan(p[c]))
            order[tested++] = &comparison->cell[c];
    }
    comparison->tested = tested;
    if (!status)
        qsort(order, tested, sizeof *order, compare_p);
    double greatest = 0;
    for (size_t i = 0; i < tested; i++) {
        greatest = fmax(greatest, fmin(1, (double)(tested - i) * order[i]->contrast.p));
        order[i]->p_family = greatest;
        order[i]->differs = greatest < level;
        comparison->differing += order[i]->differs;
    }
    free(order);
    free(p);
    return status;
}

enum status compare_cells(struct comparison *out, const struct loaded *a, const struct loaded *b,
                          double level, struct error *err)
{
    enum status status = OK;
    *out = (struct comparison){.cell = calloc(a->count + 1, sizeof *out->cell)};
    if (!out->cell)
        return fail(err, E_RUN, "no memory to compare %zu cells", a->count);
    for (size_t c = 0; c < a->count; c++) {
        const struct loaded_cell *other = loaded_find(b, a->cell[c].id);
        if (!other)
            continue;
        out->cell[out->count++] = (struct compared){
            .a = &a->cell[c],
            .b = other,
            .asked = a->cell[c].queries > 0 && other->queries > 0,
        };
    }
    out->seeds_shared = compare_seeds_shared(out, a, b);
    for (size_t c = 0; !status && c < out->count; c++)
        status = compare_one(&out->cell[c], out->seeds_shared, err);
    if (!status)
        status = compare_family(out, level, err);
    if (status)
        comparison_release(out);
    return status;
}
