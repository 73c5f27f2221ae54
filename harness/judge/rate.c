/* SPDX-License-Identifier: MIT
 *
 * rate.c: do queries hit as often as these filters say (probe), and as often as theory says
 * (model)?
 *
 * Source of the probe test: the conditional rates f_t of STATISTICS 1; of the model test:
 * STATISTICS 2, with the null variance tau^2. What surprises: f = (X/m)^k is skewed to the right,
 * so p of the model test comes from a law of f. Exact where X has a law that can be written out;
 * otherwise the k-th power of a normal variable with theory's mean and variance (for k -> infinity
 * a lognormal one), which is what (X/m)^k is for all but tiny m.
 */
#include "harness/judge/parts.h"
#include "harness/judge/thresholds.h"
#include "harness/stats/saddlepoint.h"

#include <math.h>
#include <stdlib.h>

static const struct finding rate_none = {.result = {NAN, NAN}, .effect = {NAN, NAN}};

static struct test_result rate_result(struct score score)
{
    return (struct test_result){.z = score.z, .p = score.p};
}

void judge_totals(struct totals *totals, const struct evidence *evidence)
{
    *totals = (struct totals){.trials = evidence->trials};
    if (!evidence->replicates && evidence->trials > 1)
        totals->trials = 1;
    double q = (double)evidence->queries;
    totals->n = q * (double)totals->trials;
    for (size_t t = 0; t < totals->trials; t++) {
        double f = evidence->fpr_scheme[t];
        double se = evidence->fpr_scheme_se ? evidence->fpr_scheme_se[t] : 0;
        totals->hits += evidence->queries ? (double)evidence->hits[t] : 0;
        totals->bits += (double)evidence->bits_set[t];
        totals->expected += q * f;
        totals->binomial += q * f * (1 - f);
        totals->sampling += isnan(se) ? 0 : q * se * (q * se);
    }
    totals->f = stats_moments(evidence->fpr_scheme, totals->trials);
    totals->plain = stats_moments(evidence->fpr_bits, totals->trials);
}

/* ---- probe --------------------------------------------------------------------------------- */

/* The observed count's Clopper-Pearson interval over what was expected, wider by the sampling error
 * of f. */
static struct interval probe_effect(const struct totals *totals)
{
    if (!(totals->expected > 0))
        return totals->hits > 0 ? (struct interval){INFINITY, INFINITY}
                                : (struct interval){NAN, NAN};
    struct interval count =
        stats_clopper_pearson((uint64_t)totals->hits, (uint64_t)totals->n, JUDGE_EFFECT_LEVEL);
    double quantile = stats_normal_quantile((1 + JUDGE_EFFECT_LEVEL) / 2);
    double error = quantile * sqrt(totals->sampling) / totals->expected;
    double scale = totals->n / totals->expected;
    return (struct interval){.lo = count.lo * scale / (1 + error),
                             .hi = error < 1 ? count.hi * scale / (1 - error) : INFINITY};
}

void judge_probe(struct finding *out, const struct evidence *evidence, const struct totals *totals)
{
    *out = rate_none;
    if (!(totals->n > 0) || isnan(totals->expected))
        return;
    double variance = totals->binomial + totals->sampling;
    double rarer = fmin(totals->expected, totals->n - totals->expected);
    bool sampled = totals->sampling > 1e-3 * totals->binomial;
    struct score score = {NAN, NAN};
    if (rarer < JUDGE_PROBE_NORMAL || !(variance > 0)) {
        struct mid_tails tails;
        if (sampled) {
            struct rate_law law = {.rate = evidence->fpr_scheme,
                                   .nodes = totals->trials,
                                   .trials = 1,
                                   .queries = (double)evidence->queries,
                                   .noise = sqrt(totals->sampling)};
            tails = saddlepoint_tails(&law, totals->hits);
        } else {
            tails = stats_poisson_binomial_tails((uint64_t)totals->hits, evidence->fpr_scheme,
                                                 totals->trials, evidence->queries);
        }
        score = stats_score(tails);
    }
    if (isnan(score.p))
        score = stats_score_normal((totals->hits - totals->expected) / sqrt(variance));
    out->result = rate_result(score);
    out->effect = probe_effect(totals);
}

/* ---- the smallest ratio these queries could have found --------------------------------------- */

/* The smallest count whose upper mid-tail is below `tail`; queries + 1 when there is none. */
static uint64_t mde_critical(uint64_t queries, double rate, double tail)
{
    uint64_t lo = (uint64_t)((double)queries * rate), hi = queries + 1;
    for (uint64_t step = 16; lo + step < hi; step *= 2)
        if (stats_binomial_tails(lo + step, queries, rate).log_above < log(tail))
            hi = lo + step;
    while (lo < hi) {
        uint64_t middle = lo + (hi - lo) / 2;
        if (middle <= queries && stats_binomial_tails(middle, queries, rate).log_above >= log(tail))
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

double judge_mde(const struct evidence *evidence, const struct totals *totals)
{
    double f = totals->f.mean, tail = JUDGE_WARN_P / JUDGE_TESTS / 2;
    if (!(totals->n > 0) || !(totals->expected > 0))
        return NAN;
    if (totals->expected < JUDGE_PROBE_NORMAL) {
        uint64_t all = (uint64_t)totals->trials * evidence->queries;
        uint64_t critical = mde_critical(all, f, tail);
        double ratio = critical > all ? NAN : stats_binomial_rate(critical, all, JUDGE_POWER) / f;
        return isfinite(ratio) ? ratio : NAN; /* f may be as small as 1e-320 */
    }
    double z_tail = -stats_normal_quantile(tail), z_power = stats_normal_quantile(JUDGE_POWER);
    double ratio = 1, null = sqrt(totals->binomial + totals->sampling);
    for (int i = 0; i < 30; i++) {
        double other = ratio * totals->expected * fmax(0, 1 - ratio * f) + totals->sampling;
        ratio = 1 + (z_tail * null + z_power * sqrt(other)) / totals->expected;
    }
    return ratio;
}

/* ---- model --------------------------------------------------------------------------------- */

struct model_nodes {
    double *rate, *weight; /* one block of memory, at rate */
    size_t count;
};

enum { MODEL_GRID = 81 }; /* standard normal from -10 to 10 by 1/4: sums are exact to 1e-16 */

static bool model_nodes_alloc(struct model_nodes *nodes, size_t count)
{
    nodes->rate = malloc(2 * count * sizeof *nodes->rate);
    nodes->weight = nodes->rate ? nodes->rate + count : NULL;
    nodes->count = count;
    return nodes->rate != NULL;
}

static struct moments model_nodes_moments(const struct model_nodes *nodes)
{
    struct moments m = {0, 0};
    for (size_t i = 0; i < nodes->count; i++)
        m.mean += nodes->weight[i] * nodes->rate[i];
    for (size_t i = 0; i < nodes->count; i++)
        m.variance += nodes->weight[i] * (nodes->rate[i] - m.mean) * (nodes->rate[i] - m.mean);
    return m;
}

static void model_nodes_scale(struct model_nodes *nodes, double mean)
{
    double scale = mean / model_nodes_moments(nodes).mean;
    for (size_t i = 0; i < nodes->count; i++)
        nodes->rate[i] = fmin(1, nodes->rate[i] * scale);
}

/* Is every f_t = (X_t/m)^k, with X_t the occupancy of random throws? */
static bool model_is_power(const struct evidence *evidence, const struct totals *totals)
{
    for (size_t t = 0; t < totals->trials; t++) {
        double power = pow((double)evidence->bits_set[t] / evidence->m, evidence->k);
        if (!(fabs(evidence->fpr_scheme[t] - power) <= 1e-5 * power))
            return false;
    }
    return evidence->fill_is_throws && evidence->k > 0;
}

/* f = (X/m)^k with the exact law of X, when that is small enough to be written out. */
static bool model_nodes_exact(struct model_nodes *nodes, const struct evidence *evidence)
{
    struct law law;
    if (!law_occupancy(&law, (uint64_t)evidence->m, evidence->throws))
        return false;
    bool fine = model_nodes_alloc(nodes, law.count);
    for (size_t i = 0; fine && i < law.count; i++) {
        nodes->rate[i] = pow(((double)law.first + (double)i) / evidence->m, evidence->k);
        nodes->weight[i] = law.p[i];
    }
    law_release(&law);
    return fine;
}

/* (1 + e z)^k, z normal, with e such that the scatter sd/mean is theory's. */
static bool model_nodes_fitted(struct model_nodes *nodes, unsigned k, double scatter)
{
    double power = k ? k : 64, e = scatter / power;
    if (!model_nodes_alloc(nodes, MODEL_GRID))
        return false;
    for (int i = 0; i < MODEL_GRID; i++) {
        double z = (i - MODEL_GRID / 2) / 4.0;
        nodes->weight[i] = exp(-z * z / 2) / (4 * sqrt(2 * M_PI));
    }
    for (int step = 0; step < 30; step++) {
        for (int i = 0; i < MODEL_GRID; i++)
            nodes->rate[i] = pow(fmax(0, 1 + e * (i - MODEL_GRID / 2) / 4.0), power);
        struct moments m = model_nodes_moments(nodes);
        double now = sqrt(m.variance) / m.mean;
        if (fabs(now - scatter) <= 1e-9 * scatter)
            break;
        e *= scatter / now;
    }
    return true;
}

static struct score model_saddlepoint(const struct model_nodes *nodes,
                                      const struct evidence *evidence, const struct totals *totals)
{
    bool asked = evidence->queries > 0;
    double trials = (double)totals->trials;
    struct rate_law law = {
        .rate = nodes->rate,
        .weight = nodes->weight,
        .nodes = nodes->count,
        .trials = trials,
        .queries = (double)evidence->queries,
        .noise = evidence->model.se > 0 ? (asked ? totals->n : trials) * evidence->model.se : 0,
    };
    return stats_score(saddlepoint_tails(&law, asked ? totals->hits : trials * totals->f.mean));
}

/* No theory of tau^2: Student's test of the trials' own rates; its p is not trusted with a FAIL. */
static void model_student(struct finding *out, const struct evidence *evidence,
                          const struct totals *totals)
{
    double trials = (double)totals->trials;
    if (totals->trials < 2 || !(totals->f.variance > 0))
        return;
    double model_se = evidence->model.se > 0 ? evidence->model.se : 0;
    double se = sqrt(totals->f.variance / trials + model_se * model_se);
    double t = (totals->f.mean - evidence->model.fpr) / se;
    double quantile = stats_t_quantile((1 + JUDGE_EFFECT_LEVEL) / 2, trials - 1);
    double p = stats_t_two_sided(t, trials - 1);
    out->result = (struct test_result){.z = stats_signed_z(p, t), .p = p};
    out->effect = (struct interval){(totals->f.mean - quantile * se) / evidence->model.fpr,
                                    (totals->f.mean + quantile * se) / evidence->model.fpr};
    out->capped = true;
}

/* Theory says exactly 0 or 1 (an empty filter, a full one), or leaves no scatter at all. */
static struct score model_certain(double p, double rate)
{
    if (fabs(rate - p) <= 1e-12)
        return (struct score){0, 1};
    return (struct score){copysign(STATS_Z_IMPOSSIBLE, rate - p), 0};
}

/* The score, from the law of f where it can be had; *known: that law is no guess. */
static struct score model_score(bool *known, const struct evidence *evidence,
                                const struct totals *totals, double scatter)
{
    struct model_nodes nodes = {0};
    struct score score = {NAN, NAN};
    bool power = model_is_power(evidence, totals);
    bool exact = power && model_nodes_exact(&nodes, evidence);
    if (exact || model_nodes_fitted(&nodes, evidence->k, scatter)) {
        model_nodes_scale(&nodes, evidence->model.fpr);
        score = model_saddlepoint(&nodes, evidence, totals);
        free(nodes.rate);
    }
    *known = exact || (power && evidence->fill.variance >= JUDGE_MODEL_NORMAL);
    return score;
}

/* f scatters so much that two moments do not tell its law: Cantelli's inequality holds for every
 * law. */
static struct score model_shapeless(double z, struct score fitted)
{
    double p = fmax(isnan(fitted.p) ? 0 : fitted.p, fmin(1, 2 / (1 + z * z)));
    return (struct score){.z = stats_signed_z(p, z), .p = p};
}

/* STATISTICS 2: se0^2 = (tau^2 + (p - p^2 - tau^2)/Q)/T + model_se^2. */
static double model_variance(const struct evidence *evidence, const struct totals *totals,
                             double tau2)
{
    double p = evidence->model.fpr, se = evidence->model.se > 0 ? evidence->model.se : 0;
    double within = totals->n > 0 ? (p - p * p - tau2) / (double)evidence->queries : 0;
    return (tau2 + within) / (double)totals->trials + se * se;
}

void judge_model(struct finding *out, const struct evidence *evidence, const struct totals *totals)
{
    *out = rate_none;
    const struct model *model = &evidence->model;
    double p = model->fpr, bernoulli = p * (1 - p);
    double rate = totals->n > 0 ? totals->hits / totals->n : totals->f.mean;
    if (totals->trials == 0 || isnan(p) || isnan(rate))
        return;
    if (!(bernoulli > 0)) {
        out->result = rate_result(model_certain(p, rate));
        out->effect = (struct interval){rate / p, rate / p};
        return;
    }
    if (isnan(model->variance)) {
        model_student(out, evidence, totals);
        return;
    }
    double error = model->variance_se > 0 ? model->variance_se : 0;
    double tau2 = fmin(fmax(model->variance + error, 0), bernoulli);
    double variance = model_variance(evidence, totals, tau2), scatter = sqrt(tau2) / p;
    double shape = fmax(scatter, sqrt(tau2) / (1 - p));
    bool known;
    struct score score = model_score(&known, evidence, totals, scatter);
    if (!known && shape > JUDGE_MODEL_SHAPELESS &&
        shape * shape > JUDGE_MODEL_MEAN * JUDGE_MODEL_MEAN * (double)totals->trials)
        score = model_shapeless((rate - p) / sqrt(variance), score);
    if (!known && rate >= 1 && p > JUDGE_MODEL_FULL)
        score = model_shapeless((rate - p) / sqrt(bernoulli / (double)totals->trials), score);
    if (isnan(score.p) || fabs(score.z) > JUDGE_MODEL_FAR)
        score =
            variance > 0 ? stats_score_normal((rate - p) / sqrt(variance)) : model_certain(p, rate);
    out->result = rate_result(score);
    out->capped = !known && totals->trials < JUDGE_MODEL_TRIALS && scatter > JUDGE_MODEL_SCATTER;
    struct interval range = stats_wilson_effective(
        rate, bernoulli / variance, stats_normal_quantile((1 + JUDGE_EFFECT_LEVEL) / 2));
    out->effect = (struct interval){range.lo / p, range.hi / p};
}
