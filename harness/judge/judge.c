/* SPDX-License-Identifier: MIT
 *
 * judge.c: what a cell's numbers add up to: rates, intervals, the verdict. STATISTICS 1, 3 and 4.
 *
 * The verdict looks at the cell alone: adding an axis value, or sharding, changes none. Why not the
 * Benjamini-Hochberg procedure over a run: beside many broken cells it fails good ones.
 */
#include "harness/judge/judge.h"

#include "harness/judge/parts.h"
#include "harness/judge/thresholds.h"

#include <math.h>

static const struct interval judge_no_interval = {NAN, NAN};

const char *judge_verdict_name(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_PASS:
        return "PASS";
    case VERDICT_WEAK:
        return "WEAK";
    case VERDICT_WARN:
        return "WARN";
    case VERDICT_FAIL:
        return "FAIL";
    case VERDICT_NONE:
        break;
    }
    return "";
}

static bool judge_outside(const struct finding *finding)
{
    return finding->any_effect || finding->effect.lo > JUDGE_EFFECT ||
           finding->effect.hi < 1 / JUDGE_EFFECT;
}

static enum verdict judge_verdict(const struct finding *finding, bool weak, enum flag_level flags)
{
    bool tested = false, fails = flags == FLAG_FAIL, warns = flags == FLAG_WARN;
    for (int i = 0; i < JUDGE_TESTS; i++) {
        double p = JUDGE_TESTS * finding[i].result.p;
        if (isnan(p))
            continue;
        tested = true;
        warns = warns || p < JUDGE_WARN_P;
        fails = fails || (p < JUDGE_FAIL_P && !finding[i].capped && judge_outside(&finding[i]));
    }
    if (fails)
        return VERDICT_FAIL;
    if (warns)
        return VERDICT_WARN;
    return !tested ? VERDICT_NONE : weak ? VERDICT_WEAK : VERDICT_PASS;
}

/* Does theory say how far f scatters? For one trial it must; a handful of filters, or of different
 * counts, may look alike by chance, and theory counts if its variance is the greater one. */
static bool judge_theory_scatters(const struct evidence *evidence, const struct totals *totals)
{
    double trials = (double)totals->trials;
    bool few =
        trials < JUDGE_CLUSTER_TRIALS || evidence->fill.variance * trials < JUDGE_CLUSTER_VARIANCE;
    return totals->trials < 2 || (few && evidence->model.variance > totals->f.variance);
}

/* fpr, its interval, and the design effect behind it. */
static void judge_rate_interval(struct judgement *out, const struct evidence *evidence,
                                const struct totals *totals)
{
    uint64_t hits = (uint64_t)totals->hits;
    if (judge_theory_scatters(evidence, totals)) {
        struct moments theory = {evidence->model.fpr, evidence->model.variance};
        out->fpr_interval = stats_wilson_model(hits, totals->trials, evidence->queries, theory,
                                               JUDGE_LEVEL, &out->deff);
        out->interval = "wilson_model";
    } else {
        out->fpr_interval = stats_wilson_cluster(hits, totals->trials, evidence->queries, totals->f,
                                                 JUDGE_LEVEL, &out->deff);
        out->interval = "wilson_cluster";
    }
    if (isnan(out->fpr_interval.lo))
        out->interval = "";
}

/* Measured over modelled; the model's own error, where it has one, widens the interval. */
static void judge_ratio(struct judgement *out, const struct evidence *evidence, bool asked)
{
    double p = evidence->model.fpr, rate = asked ? out->fpr : out->fpr_scheme;
    struct interval range = asked ? out->fpr_interval : out->fpr_scheme_interval;
    if (!(p > 0) || isnan(rate) || !isfinite(1 / p))
        return;
    double error = evidence->model.se > 0
                       ? stats_normal_quantile((1 + JUDGE_LEVEL) / 2) * evidence->model.se
                       : 0;
    out->ratio = rate / p;
    if (!isnan(range.lo)) {
        out->ratio_interval.lo = fmax(0, (rate - hypot(rate - range.lo, rate / p * error)) / p);
        out->ratio_interval.hi = (rate + hypot(range.hi - rate, rate / p * error)) / p;
    }
}

static void judge_fill_columns(struct judgement *out, const struct evidence *evidence,
                               const struct totals *totals)
{
    if (!(evidence->m > 0))
        return;
    if (totals->trials > 0)
        out->fill = totals->bits / (double)totals->trials / evidence->m;
    out->fill_expected = evidence->fill.mean / evidence->m;
    out->fill_sd_expected = sqrt(fmax(0, evidence->fill.variance)) / evidence->m;
    if (isnan(evidence->fill.variance))
        out->fill_sd_expected = NAN;
}

static void judge_clear(struct judgement *out)
{
    const struct test_result none = {NAN, NAN};
    *out = (struct judgement){
        .fpr = NAN,
        .fpr_interval = judge_no_interval,
        .interval = "",
        .deff = NAN,
        .tau = NAN,
        .fill = NAN,
        .fill_expected = NAN,
        .fill_sd_expected = NAN,
        .fpr_bits = NAN,
        .fpr_scheme = NAN,
        .fpr_scheme_interval = judge_no_interval,
        .fill_test = none,
        .spread = none,
        .probe = none,
        .model_test = none,
        .ratio = NAN,
        .ratio_interval = judge_no_interval,
        .mde = NAN,
        .verdict = VERDICT_NONE,
        .term = {NAN, NAN, NAN, NAN},
    };
    for (int i = 0; i < 4; i++)
        out->term_interval[i] = judge_no_interval;
}

void judge_cell(struct judgement *out, const struct evidence *evidence, enum flag_level flags)
{
    struct totals totals;
    struct finding finding[JUDGE_TESTS];
    judge_clear(out);
    judge_totals(&totals, evidence);
    judge_fill_columns(out, evidence, &totals);
    if (totals.trials == 0)
        return;
    bool asked = totals.n > 0;
    out->fpr = asked ? totals.hits / totals.n : NAN;
    out->fpr_bits = totals.plain.mean;
    out->fpr_scheme = totals.f.mean;
    out->tau = sqrt(totals.f.variance);

    judge_fill(&finding[0], evidence, &totals);
    judge_spread(&finding[1], evidence, &totals);
    judge_probe(&finding[2], evidence, &totals);
    judge_model(&finding[3], evidence, &totals);
    out->fill_test = finding[0].result;
    out->spread = finding[1].result;
    out->probe = finding[2].result;
    out->model_test = finding[3].result;

    out->trials_alike = judge_alike(evidence, &totals);
    bool intervals = evidence->replicates && !out->trials_alike;
    if (intervals) {
        judge_rate_interval(out, evidence, &totals);
        out->fpr_scheme_interval =
            stats_t_interval(evidence->fpr_scheme, totals.trials, JUDGE_LEVEL);
    }
    judge_ratio(out, evidence, asked);
    judge_attribute(out, evidence, &totals, intervals);
    out->mde = judge_mde(evidence, &totals);
    bool nothing_to_find = !(totals.expected > 0) || totals.expected >= totals.n;
    bool weak = asked && !nothing_to_find && !(out->mde <= JUDGE_WEAK_MDE);
    if (out->trials_alike && flags == FLAG_NOTE)
        flags = FLAG_WARN;
    out->verdict = judge_verdict(finding, weak, flags);
}
