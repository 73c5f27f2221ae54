/* SPDX-License-Identifier: MIT
 *
 * fill.c: do the filters hold as many set bits as their scheme fills?
 *
 * Where numbers are small the law of X is written out. For a classic filter it is the occupancy
 * law; for the others the deficit D = min(kn, m) - X (collisions of a sparse filter, holes of a
 * full one) takes the law of Panjer's class with the theory's mean and variance: both are sums of
 * many rare events, Poisson in the limit. Where the variance exceeds the mean they come in clumps;
 * the worst clump is a key whose k probes fall together (a step of 0), so the excess is put down to
 * clumps of k - 1: the heaviest tail these two moments allow.
 */
#include "harness/judge/parts.h"
#include "harness/judge/thresholds.h"

#include <math.h>

static const struct test_result fill_none = {NAN, NAN};

static struct test_result fill_result(struct score score)
{
    return (struct test_result){.z = score.z, .p = score.p};
}

bool judge_clumps(struct clumps *out, const struct evidence *evidence)
{
    double most = fmin((double)evidence->throws, evidence->m), variance = evidence->fill.variance;
    double mean = most - evidence->fill.mean, size = evidence->k > 2 ? evidence->k - 1 : 2;
    if (!(most > 0) || !(variance > 0) || isnan(mean))
        return false;
    if (mean < variance / size) /* all rounding error */
        mean = variance;
    double clumps = (variance - mean) / (size * (size - 1));
    *out = (struct clumps){.most = most, .mean = mean, .variance = variance, .size = size};
    if (!evidence->fill_is_throws && clumps > 1e-9 * mean && mean > size * clumps) {
        out->clumps = clumps;
        out->mean = out->variance = mean - size * clumps;
    }
    return true;
}

static bool fill_occupancy(struct law *out, int64_t anchor, const struct evidence *evidence)
{
    struct law law;
    if (!law_occupancy(&law, (uint64_t)evidence->m, evidence->throws))
        return false;
    for (size_t i = 0, j = law.count - 1; i < j; i++, j--) { /* the deficit runs the other way */
        double p = law.p[i];
        law.p[i] = law.p[j];
        law.p[j] = p;
    }
    law.first = anchor - (law.first + (int64_t)law.count - 1);
    *out = law;
    return true;
}

bool judge_deficit_law(struct law *out, int64_t *anchor, const struct evidence *evidence)
{
    struct clumps c;
    *out = (struct law){0};
    if (!judge_clumps(&c, evidence))
        return false;
    *anchor = (int64_t)c.most;
    if (evidence->fill_is_throws && fill_occupancy(out, *anchor, evidence))
        return true;
    if (c.clumps == 0)
        return law_panjer(out, c.mean, c.variance);
    struct law single = {0}, clump = {0}, many = {0};
    bool fine = law_panjer(&single, c.mean, c.variance) && law_panjer(&clump, c.clumps, c.clumps) &&
                law_stretch(&many, &clump, (unsigned)c.size) && law_convolve(out, &single, &many);
    law_release(&single);
    law_release(&clump);
    law_release(&many);
    return fine;
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
    double most = fmin((double)evidence->throws, evidence->m);
    out->any_effect = most > 0 && totals->bits > trials * most; /* impossible, however few */
    out->result = fill_result(score);
    double half = stats_normal_quantile((1 + JUDGE_EFFECT_LEVEL) / 2) * sqrt(variance);
    if (mean > 0)
        out->effect = (struct interval){(totals->bits - half) / mean, (totals->bits + half) / mean};
    else if (totals->bits > 0)
        out->effect = (struct interval){INFINITY, INFINITY};
}
