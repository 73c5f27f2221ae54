/* SPDX-License-Identifier: MIT
 *
 * fill.c: do the filters hold as many set bits as their scheme fills, and do they vary as they
 * should?
 *
 * Where numbers are small the law of X is written out. For a classic filter it is the occupancy
 * law; for the others the deficit D = min(kn, m) - X (collisions of a sparse filter, holes of a
 * full one) takes the law of Panjer's class with the theory's mean and variance: both are sums of
 * many rare events, Poisson in the limit, and a negative binomial when they come in clumps.
 */
#include "harness/judge/parts.h"
#include "harness/judge/thresholds.h"

#include <math.h>

static const struct test_result fill_none = {NAN, NAN};

static struct test_result fill_result(struct score score)
{
    return (struct test_result){.z = score.z, .p = score.p};
}

bool judge_deficit_law(struct law *out, int64_t *anchor, const struct evidence *evidence)
{
    double probes = (double)evidence->throws, most = fmin(probes, evidence->m);
    *out = (struct law){0};
    if (!(most > 0))
        return false;
    *anchor = (int64_t)most;
    struct law law;
    if (evidence->fill_is_throws && law_occupancy(&law, (uint64_t)evidence->m, evidence->throws)) {
        /* The deficit runs the other way. */
        for (size_t i = 0, j = law.count - 1; i < j; i++, j--) {
            double p = law.p[i];
            law.p[i] = law.p[j];
            law.p[j] = p;
        }
        law.first = *anchor - (law.first + (int64_t)law.count - 1);
        *out = law;
        return true;
    }
    /* min(kn, m) - E[X] may be all rounding error; clumps are no greater than 256 probes. */
    double variance = evidence->fill.variance, mean = most - evidence->fill.mean;
    return law_panjer(out, mean < variance / 256 ? variance : mean, variance);
}

/* The exact law of the sum of the deficits. The deficit is small where there is more than expected.
 */
static bool fill_exact(struct score *score, const struct evidence *evidence,
                       const struct totals *totals, double normal)
{
    struct law one, sum;
    int64_t anchor;
    if (!judge_deficit_law(&one, &anchor, evidence))
        return false;
    bool fine = law_power(&sum, &one, totals->trials);
    law_release(&one);
    if (!fine)
        return false;
    int64_t deficit = anchor * (int64_t)totals->trials - (int64_t)totals->bits;
    struct mid_tails tails = law_tails(&sum, deficit);
    law_release(&sum);
    *score = stats_score((struct mid_tails){tails.log_above, tails.log_below});
    if (score->p == 0) /* beyond LAW_CUT */
        score->z = copysign(fmax(fabs(normal), 11.6), normal);
    return true;
}

void judge_fill(struct finding *out, const struct evidence *evidence, const struct totals *totals)
{
    *out = (struct finding){.result = fill_none, .effect = {NAN, NAN}};
    struct moments theory = evidence->fill;
    double trials = (double)totals->trials, mean = trials * theory.mean;
    if (totals->trials == 0 || isnan(mean) || isnan(theory.variance))
        return;
    double variance = trials * theory.variance, miss = totals->bits - mean;
    struct score score;
    if (!(variance > 0)) {
        bool same = fabs(miss) < 0.5 + 1e-13 * mean;
        score = same ? (struct score){0, 1} : (struct score){copysign(STATS_Z_IMPOSSIBLE, miss), 0};
        variance = 0;
    } else {
        double z = miss / sqrt(variance);
        if (variance >= JUDGE_FILL_NORMAL || !fill_exact(&score, evidence, totals, z))
            score = stats_score_normal(z);
    }
    out->result = fill_result(score);
    double half = stats_normal_quantile((1 + JUDGE_EFFECT_LEVEL) / 2) * sqrt(variance);
    if (mean > 0)
        out->effect = (struct interval){(totals->bits - half) / mean, (totals->bits + half) / mean};
    else if (totals->bits > 0)
        out->effect = (struct interval){INFINITY, INFINITY};
}

/* Sum of (X_1 - X_2)^2 over pairs of trials: its law needs no mean and is a convolution. */
static bool spread_pairs(struct score *score, const struct evidence *evidence, size_t trials)
{
    struct law one, square, sum;
    int64_t anchor;
    if (!judge_deficit_law(&one, &anchor, evidence))
        return false;
    bool fine = law_squared_difference(&square, &one);
    law_release(&one);
    fine = fine && law_power(&sum, &square, trials / 2);
    law_release(&square);
    if (!fine)
        return false;
    double total = 0;
    for (size_t t = 0; t + 1 < trials; t += 2) {
        double d = (double)evidence->bits_set[t] - (double)evidence->bits_set[t + 1];
        total += d * d;
    }
    *score = stats_score(law_tails(&sum, total < 9e15 ? (int64_t)total : INT64_MAX));
    if (score->p == 0)
        score->z = copysign(fmax(11.6, fmin(STATS_Z_IMPOSSIBLE, sqrt(total))), score->z);
    law_release(&sum);
    return true;
}

/* X is a whole number: a uniform error of variance 1/12 is added to it in thought (Sheppard), or
 * two equal counts would be an impossibility. A variance has more scatter when X has heavier tails
 * than a normal law; kurtosis 1/Var is a Poisson law's, twice that allows for clumps. The
 * chi-squared law is widened to the second moment this gives. */
static struct score spread_chi2(double sum, double variance, double trials, bool throws)
{
    double smooth = variance + 1.0 / 12, freedom = trials - 1;
    double statistic = (sum + freedom / 12) / smooth;
    double kurtosis = (throws ? 1 : 2) * variance / (smooth * smooth);
    double widen = 1 + kurtosis * freedom / (2 * trials);
    return stats_score(stats_chi2_tails(statistic / widen, freedom / widen));
}

void judge_spread(struct finding *out, const struct evidence *evidence, const struct totals *totals)
{
    *out = (struct finding){.result = fill_none, .effect = {NAN, NAN}, .any_effect = true};
    double variance = evidence->fill.variance, trials = (double)totals->trials;
    if (totals->trials < 2 || isnan(variance))
        return;
    double mean = totals->bits / trials, sum = 0;
    bool equal = true;
    for (size_t t = 0; t < totals->trials; t++) {
        double d = (double)evidence->bits_set[t] - mean;
        sum += d * d;
        equal = equal && evidence->bits_set[t] == evidence->bits_set[0];
    }
    struct score score;
    if (!(variance > 0))
        score = equal ? (struct score){0, 1} : (struct score){STATS_Z_IMPOSSIBLE, 0};
    else if (variance >= JUDGE_SPREAD_LATTICE || variance * trials >= JUDGE_SPREAD_EXACT ||
             !spread_pairs(&score, evidence, totals->trials))
        score = spread_chi2(sum, variance, trials, evidence->fill_is_throws);
    out->result = fill_result(score);
}

/* ln of the chance that `trials` whole numbers of this variance are all equal: at most the mode's
 * probability for each after the first, a Poisson's exp(-v) or a normal's 1/sqrt(2 pi v). */
static double alike_log(double variance, double trials)
{
    if (isnan(variance) || variance <= 0)
        return 0;
    return (trials - 1) * (variance < 0.8 ? -variance : -log(2 * M_PI * variance) / 2);
}

bool judge_alike(const struct evidence *evidence, const struct totals *totals)
{
    if (!evidence->replicates || totals->trials < 2)
        return false;
    for (size_t t = 1; t < totals->trials; t++)
        if (evidence->bits_set[t] != evidence->bits_set[0] ||
            (evidence->queries && evidence->hits[t] != evidence->hits[0]))
            return false;
    double trials = (double)totals->trials;
    double hits = evidence->queries ? totals->binomial / trials : 0;
    return alike_log(evidence->fill.variance, trials) + alike_log(hits, trials) <
           log(JUDGE_ALIKE_P);
}
