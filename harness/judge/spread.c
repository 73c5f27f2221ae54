/* SPDX-License-Identifier: MIT
 *
 * spread.c: do the numbers of set bits vary between trials as they should?
 *
 * Sum (X_t - mean)^2 / Var[X] against chi-squared, both tails: a hash that ignores its seed varies
 * too little. What surprises is how far from chi-squared an honest filter can be: X is a whole
 * number, and a key whose probes all fall together is an outlier no hash is to blame for.
 */
#include "harness/judge/parts.h"
#include "harness/judge/thresholds.h"

#include <math.h>
#include <stdlib.h>

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
    if (score->p == 0) /* beyond LAW_CUT */
        score->z = copysign(fmax(11.6, fmin(STATS_Z_IMPOSSIBLE, sqrt(total))), score->z);
    law_release(&sum);
    return true;
}

/* Fourth cumulant over squared variance. A Poisson law's is 1/Var; twice that allows for small
 * clumps, and great ones have their own. */
static double spread_kurtosis(const struct evidence *evidence)
{
    struct clumps c;
    double variance = evidence->fill.variance;
    double kurtosis = (evidence->fill_is_throws ? 1 : 2) / variance;
    if (judge_clumps(&c, evidence) && c.clumps > 0)
        kurtosis = fmax(kurtosis, (c.mean + pow(c.size, 4) * c.clumps) / (variance * variance));
    return kurtosis;
}

/* A uniform error of variance 1/12 is added to X in thought (Sheppard), or two equal counts would
 * be an impossibility; the chi-squared law is widened to the variance that X's kurtosis gives the
 * sum. */
static struct score spread_chi2(double sum, double trials, double variance, double kurtosis)
{
    double smooth = variance + 1.0 / 12, freedom = trials - 1, share = variance / smooth;
    double statistic = (sum + freedom / 12) / smooth;
    double widen = 1 + kurtosis * share * share * freedom / (2 * trials);
    return stats_score(stats_chi2_tails(statistic / widen, freedom / widen));
}

static double spread_sum(const double *x, size_t count)
{
    struct moments m = stats_moments(x, count);
    return count < 2 ? 0 : m.variance * (double)(count - 1);
}

static int spread_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Too much spread of an unknown law: is it more than a tenth of the trials (and one) that makes it?
 * The outermost values are taken away, which can only make the rest look tame. */
static bool spread_without_outliers(const struct evidence *evidence, size_t trials)
{
    double *x = malloc(trials * sizeof *x);
    if (!x)
        return false;
    for (size_t t = 0; t < trials; t++)
        x[t] = (double)evidence->bits_set[t];
    qsort(x, trials, sizeof *x, spread_compare);
    double middle = x[trials / 2];
    size_t first = 0, last = trials;
    for (size_t drop = 1 + trials / 10; drop > 0 && last - first > 1; drop--) {
        if (middle - x[first] > x[last - 1] - middle)
            first++;
        else
            last--;
    }
    size_t count = last - first;
    struct score score = {0, 1};
    if (count > 1)
        score = spread_chi2(spread_sum(x + first, count), (double)count, evidence->fill.variance,
                            spread_kurtosis(evidence));
    free(x);
    return score.z > 0 && JUDGE_TESTS * score.p < JUDGE_FAIL_P;
}

void judge_spread(struct finding *out, const struct evidence *evidence, const struct totals *totals)
{
    *out = (struct finding){.result = {NAN, NAN}, .effect = {NAN, NAN}, .any_effect = true};
    double variance = evidence->fill.variance, trials = (double)totals->trials;
    if (totals->trials < 2 || isnan(variance))
        return;
    double mean = totals->bits / trials, sum = 0;
    for (size_t t = 0; t < totals->trials; t++) {
        double d = (double)evidence->bits_set[t] - mean;
        sum += d * d;
    }
    struct score score;
    if (!(variance > 0))
        score = sum > 0.25 ? (struct score){STATS_Z_IMPOSSIBLE, 0} : (struct score){0, 1};
    else if (variance >= JUDGE_SPREAD_LATTICE || variance * trials >= JUDGE_SPREAD_EXACT ||
             !spread_pairs(&score, evidence, totals->trials))
        score = spread_chi2(sum, trials, variance, spread_kurtosis(evidence));
    out->result = (struct test_result){.z = score.z, .p = score.p};
    out->capped = variance > 0 && !evidence->fill_is_throws && score.z > 0 &&
                  JUDGE_TESTS * score.p < JUDGE_FAIL_P &&
                  !spread_without_outliers(evidence, totals->trials);
}

/* ln of the chance that `trials` whole numbers of this variance are all equal: at most the mode's
 * probability for each after the first, a Poisson's exp(-v) or a normal's 1/sqrt(2 pi v). */
static double spread_log_alike(double variance, double trials)
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
    return spread_log_alike(evidence->fill.variance, trials) + spread_log_alike(hits, trials) <
           log(JUDGE_ALIKE_P);
}
