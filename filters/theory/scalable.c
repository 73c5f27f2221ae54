/* SPDX-License-Identifier: MIT */
#include "filters/theory/scalable.h"

#include <math.h>
#include <stddef.h>

#include "filters/theory/classic.h"
#include "filters/theory/sizing.h"

static enum status scalable_check(const struct scalable_rule *rule, struct error *err)
{
    double least = rule->growth == GROWTH_LINEAR ? 0 : 1;
    bool grows = rule->scale_factor > least || rule->scale_factor == 1;
    if (rule->initial_capacity == 0)
        return fail(err, E_INPUT, "initial_capacity is 0: the first slice holds at least 1 key");
    if (!grows || !isfinite(rule->scale_factor))
        return fail(err, E_INPUT, "scale_factor is %g: %s", rule->scale_factor,
                    least > 0 ? "exponential growth takes 1 or more"
                              : "linear growth takes more than 0");
    if (!(rule->tightening > 0 && rule->tightening <= 1))
        return fail(err, E_INPUT, "tightening is %g: it is greater than 0 and at most 1",
                    rule->tightening);
    if (!(rule->first_rate > 0 && rule->first_rate < 1))
        return fail(err, E_INPUT,
                    "the rate of the first slice is %g: it is greater than 0 and less than 1",
                    rule->first_rate);
    return OK;
}

/* As a real number: it may be past all bounds. */
static double scalable_capacity(const struct scalable_rule *rule, unsigned i)
{
    double first = (double)rule->initial_capacity;
    if (i == 0)
        return first;
    double grown = rule->growth == GROWTH_LINEAR ? first * (rule->scale_factor * i)
                                                 : first * pow(rule->scale_factor, i);
    return fmax(1, floor(grown));
}

static double scalable_target(const struct scalable_rule *rule, unsigned i)
{
    return rule->first_rate * pow(rule->tightening, i);
}

enum status theory_scalable_slice(struct slice *slice, const struct scalable_rule *rule, unsigned i,
                                  struct error *err)
{
    enum status status = scalable_check(rule, err);
    if (status)
        return status;
    double capacity = scalable_capacity(rule, i), target = scalable_target(rule, i);
    if (capacity > (double)THEORY_M_MAX)
        return fail(err, E_INPUT, "slice %u would hold %.6g keys, more than 2^48", i, capacity);
    if (target == 0)
        return fail(err, E_INPUT, "slice %u would be sized for a rate below the smallest double",
                    i);
    uint64_t keys = i ? (uint64_t)capacity : rule->initial_capacity;
    uint64_t m = theory_size_bits(keys, target);
    if (m > THEORY_M_MAX)
        return fail(err, E_INPUT, "slice %u (%llu keys at rate %.3g) needs more than 2^48 bits", i,
                    (unsigned long long)keys, target);
    double k = rule->slice_k == SLICE_K_CEIL ? ceil((double)m / (double)keys * M_LN2)
                                             : theory_best_k(m, keys, THEORY_K_MAX + 1);
    if (k > THEORY_K_MAX)
        return fail(err, E_INPUT, "slice %u (rate %.3g) needs %.0f probes, more than %d", i, target,
                    k, THEORY_K_MAX);
    *slice = (struct slice){keys, m, (unsigned)k, target};
    return OK;
}

enum status theory_scalable_slices(unsigned *slices, const struct scalable_rule *rule, uint64_t n,
                                   struct error *err)
{
    struct slice end;
    enum status status = theory_scalable_slice(&end, rule, 0, err);
    if (status)
        return status;
    uint64_t room = rule->initial_capacity;
    unsigned count = 1;
    for (; room < n; count++) {
        double capacity = scalable_capacity(rule, count);
        if (count == SCALABLE_SLICES_MAX)
            return fail(err, E_INPUT, "n %llu needs more than %d slices", (unsigned long long)n,
                        SCALABLE_SLICES_MAX);
        room = capacity < (double)n ? room + (uint64_t)capacity : n;
    }
    *slices = count;
    return theory_scalable_slice(&end, rule, count - 1, err);
}

double theory_compound(const double *rate, unsigned count)
{
    double log_miss = 0;
    for (unsigned i = 0; i < count; i++)
        log_miss += log1p(-rate[i]);
    return -expm1(log_miss);
}

/* ---- compound rates ------------------------------------------------------------------------ */

typedef double scalable_formula(uint64_t m, uint64_t n, unsigned k);

/* One slice after another, with the keys it holds. */
struct scalable_walk {
    const struct scalable_rule *rule;
    uint64_t left; /* keys not yet in a slice */
    unsigned slices, next;
    struct slice slice;
    uint64_t keys;
};

static bool scalable_walk_init(struct scalable_walk *walk, const struct scalable_rule *rule,
                               uint64_t n)
{
    *walk = (struct scalable_walk){.rule = rule, .left = n};
    return theory_scalable_slices(&walk->slices, rule, n, NULL) == OK;
}

static bool scalable_walk_next(struct scalable_walk *walk)
{
    if (walk->next == walk->slices ||
        theory_scalable_slice(&walk->slice, walk->rule, walk->next, NULL) != OK)
        return false;
    walk->keys = walk->left < walk->slice.capacity ? walk->left : walk->slice.capacity;
    walk->left -= walk->keys;
    walk->next++;
    return true;
}

/* formula NULL: the targets. */
static double scalable_compound(const struct scalable_rule *rule, uint64_t n,
                                scalable_formula *formula, bool full)
{
    struct scalable_walk walk;
    double log_miss = 0;
    if (!scalable_walk_init(&walk, rule, n))
        return NAN;
    while (scalable_walk_next(&walk)) {
        uint64_t keys = full ? walk.slice.capacity : walk.keys;
        log_miss +=
            log1p(formula ? -formula(walk.slice.m, keys, walk.slice.k) : -walk.slice.target);
    }
    return -expm1(log_miss);
}

double theory_scalable_standard(const struct scalable_rule *rule, uint64_t n)
{
    return scalable_compound(rule, n, theory_fpr_standard, false);
}

double theory_scalable_bloom(const struct scalable_rule *rule, uint64_t n)
{
    return scalable_compound(rule, n, theory_fpr_bloom, false);
}

double theory_scalable_exact(const struct scalable_rule *rule, uint64_t n)
{
    return scalable_compound(rule, n, theory_fpr_exact, false);
}

double theory_scalable_all_full(const struct scalable_rule *rule, uint64_t n)
{
    return scalable_compound(rule, n, theory_fpr_bloom, true);
}

double theory_scalable_nominal(const struct scalable_rule *rule, uint64_t n)
{
    return scalable_compound(rule, n, NULL, true);
}

double theory_scalable_union_bound(const struct scalable_rule *rule, uint64_t n)
{
    struct scalable_walk walk;
    double sum = 0;
    if (!scalable_walk_init(&walk, rule, n))
        return NAN;
    while (scalable_walk_next(&walk))
        sum += walk.slice.target;
    return sum;
}

double theory_scalable_almeida_bound(const struct scalable_rule *rule)
{
    return rule->tightening < 1 ? rule->first_rate / (1 - rule->tightening) : NAN;
}

/* 1 - f is a product of independent factors: Var f = prod (1-p)^2 (prod (1 + v/(1-p)^2) - 1). As
 * v <= p, slices whose p is below 1e-18 of the sum so far add nothing. */
double theory_scalable_variance(const struct scalable_rule *rule, uint64_t n)
{
    struct scalable_walk walk;
    double log_miss = 0, log_spread = 0;
    if (!scalable_walk_init(&walk, rule, n))
        return NAN;
    while (scalable_walk_next(&walk)) {
        double p = theory_fpr_exact(walk.slice.m, walk.keys, walk.slice.k);
        if (p == 1)
            return 0;
        log_miss += log1p(-p);
        if (p >= 1e-18 * log_spread)
            log_spread += log1p(theory_fpr_variance(walk.slice.m, walk.keys, walk.slice.k) /
                                ((1 - p) * (1 - p)));
    }
    return exp(2 * log_miss) * expm1(log_spread);
}
