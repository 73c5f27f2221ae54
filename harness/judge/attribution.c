/* SPDX-License-Identifier: MIT
 *
 * attribution.c: where the gap between a measured rate and the standard formula comes from.
 *
 *   ln(fpr/standard) = ln(exact/standard)       finite m: the formula is asymptotic
 *                    + ln(fpr_bits/exact)       filling: more or fewer bits set than by kn throws
 *                    + ln(fpr_scheme/fpr_bits)  arrangement: where the probing scheme puts the bits
 *                    + ln(fpr/fpr_scheme)       hash: queries do not behave as ideal digests would
 *
 * (STATISTICS 1.) Errors are of ratios of means over the same trials, by the delta method: sums of
 * the residuals y_t - R x_t; the first term is a number of theory and has none.
 */
#include "harness/judge/parts.h"
#include "harness/judge/thresholds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const judge_term_name[4] = {"finite m", "filling", "arrangement", "hash"};

enum { TERM_FINITE_M, TERM_FILLING, TERM_ARRANGEMENT, TERM_HASH };

static const struct interval attribution_none = {NAN, NAN};

static double attribution_log(double a, double b)
{
    return a > 0 && b > 0 ? log(a / b) : NAN;
}

/* Interval of ln(mean y / mean x) with ln its value; x NULL: a constant below. */
static struct interval attribution_paired(double log_ratio, const double *y, const double *x,
                                          double mean_y, double mean_x, size_t trials)
{
    if (trials < 2 || isnan(log_ratio))
        return attribution_none;
    double ratio = mean_y / mean_x, square = 0;
    for (size_t t = 0; t < trials; t++) {
        double residual = y[t] - (x ? ratio * x[t] : mean_y);
        square += residual * residual;
    }
    double n = (double)trials, se = sqrt(square / (n - 1) / n) / mean_y;
    double half = stats_t_quantile((1 + JUDGE_LEVEL) / 2, n - 1) * se;
    return (struct interval){log_ratio - half, log_ratio + half};
}

/* The hash term: given the filters, the count is binomial; with enough hits the trials tell its
 * error, whatever the hash does. Without a hit only the upper end is known. */
static struct interval attribution_hash(double log_ratio, const struct evidence *evidence,
                                        const struct totals *totals)
{
    double n = (double)totals->trials, queries = (double)evidence->queries;
    if (totals->hits < JUDGE_PAIRED_HITS || totals->trials < JUDGE_PAIRED_TRIALS) {
        struct interval rate =
            stats_wilson((uint64_t)totals->hits, (uint64_t)totals->n, JUDGE_LEVEL);
        return (struct interval){attribution_log(rate.lo, totals->f.mean),
                                 attribution_log(rate.hi, totals->f.mean)};
    }
    double ratio = totals->hits / totals->expected, square = 0;
    for (size_t t = 0; t < totals->trials; t++) {
        double residual = (double)evidence->hits[t] - ratio * queries * evidence->fpr_scheme[t];
        square += residual * residual;
    }
    double se = sqrt(square / (n - 1) * n) / totals->hits;
    double half = stats_t_quantile((1 + JUDGE_LEVEL) / 2, n - 1) * se;
    return (struct interval){log_ratio - half, log_ratio + half};
}

/* ---- the sentence -------------------------------------------------------------------------- */

/* Two decimals where they say enough, three digits elsewhere. */
static void attribution_factor(char *text, size_t size, double factor)
{
    snprintf(text, size, factor >= 0.095 && factor < 999.5 ? "%.2f" : "%.3g", factor);
}

static void attribution_append(char *text, size_t size, const char *a, const char *b)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", a, b);
}

/* " x1.89", for the greatest term " x1.89 (95 % 1.85-1.93)"; without a hit " at most x3.20". */
static void attribution_term(struct judgement *out, int term, bool greatest)
{
    char factor[32], lo[32], hi[32];
    size_t size = sizeof out->explained_by;
    struct interval interval = out->term_interval[term];
    attribution_append(out->explained_by, size, judge_term_name[term], "");
    attribution_factor(hi, sizeof hi, exp(interval.hi));
    if (isnan(out->term[term])) {
        attribution_append(out->explained_by, size, " at most x", hi);
        return;
    }
    attribution_factor(factor, sizeof factor, exp(out->term[term]));
    attribution_append(out->explained_by, size, " x", factor);
    if (!greatest || !(interval.lo < interval.hi)) /* none, or a number of theory */
        return;
    attribution_factor(lo, sizeof lo, exp(interval.lo));
    attribution_append(out->explained_by, size, " (95 % ", lo);
    attribution_append(out->explained_by, size, "-", hi);
    attribution_append(out->explained_by, size, ")", "");
}

/* "measured/standard = 1.91: ", or of the scheme where nothing was asked, or the limit without a
 * hit. */
static bool attribution_head(struct judgement *out, const struct evidence *evidence, bool asked)
{
    size_t size = sizeof out->explained_by;
    char number[32];
    double rate = asked ? out->fpr : out->fpr_scheme;
    out->explained_by[0] = '\0';
    if (!(evidence->fpr_standard > 0) || isnan(rate))
        return false;
    if (rate > 0) {
        attribution_factor(number, sizeof number, rate / evidence->fpr_standard);
        attribution_append(out->explained_by, size, asked ? "measured" : "scheme", "/standard = ");
    } else {
        double hi = out->term_interval[TERM_HASH].hi;
        if (!asked || isnan(hi))
            return false;
        attribution_factor(number, sizeof number,
                           exp(hi) * out->fpr_scheme / evidence->fpr_standard);
        attribution_append(out->explained_by, size, "no hits; measured/standard at most ", "");
    }
    attribution_append(out->explained_by, size, number, "");
    return true;
}

static void attribution_sentence(struct judgement *out, const struct evidence *evidence, bool asked)
{
    if (!attribution_head(out, evidence, asked))
        return;
    int greatest = -1;
    for (int i = 0; i < 4; i++)
        if (!isnan(out->term[i]) &&
            (greatest < 0 || fabs(out->term[i]) > fabs(out->term[greatest])))
            greatest = i;
    const char *between = ": ";
    for (int i = 0; i < 4; i++) {
        if (isnan(out->term[i]) && isnan(out->term_interval[i].hi))
            continue;
        attribution_append(out->explained_by, sizeof out->explained_by, between, "");
        attribution_term(out, i, i == greatest);
        between = ", ";
    }
}

void judge_attribute(struct judgement *out, const struct evidence *evidence,
                     const struct totals *totals, bool intervals)
{
    double exact = evidence->fpr_exact, bits = totals->plain.mean, scheme = totals->f.mean;
    bool asked = totals->n > 0;
    size_t trials = totals->trials;
    out->term[TERM_FINITE_M] = attribution_log(exact, evidence->fpr_standard);
    out->term[TERM_FILLING] = attribution_log(bits, exact);
    out->term[TERM_ARRANGEMENT] = attribution_log(scheme, bits);
    out->term[TERM_HASH] = asked ? attribution_log(totals->hits, totals->expected) : NAN;
    for (int i = 0; i < 4; i++)
        out->term_interval[i] = attribution_none;
    double finite = out->term[TERM_FINITE_M];
    out->term_interval[TERM_FINITE_M] = (struct interval){finite, finite};
    if (intervals) {
        out->term_interval[TERM_FILLING] = attribution_paired(
            out->term[TERM_FILLING], evidence->fpr_bits, NULL, bits, exact, trials);
        out->term_interval[TERM_ARRANGEMENT] =
            attribution_paired(out->term[TERM_ARRANGEMENT], evidence->fpr_scheme,
                               evidence->fpr_bits, scheme, bits, trials);
        if (asked)
            out->term_interval[TERM_HASH] =
                attribution_hash(out->term[TERM_HASH], evidence, totals);
    }
    attribution_sentence(out, evidence, asked);
}
