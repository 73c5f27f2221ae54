/* SPDX-License-Identifier: MIT
 *
 * parts.h: what the files of the judge share, and nobody else needs.
 */
#ifndef BLOOMLAB_JUDGE_PARTS_H
#define BLOOMLAB_JUDGE_PARTS_H

#include "harness/judge/judge.h"
#include "harness/stats/law.h"

/* One test of a cell. */
struct finding {
    struct test_result result;
    struct interval effect; /* JUDGE_EFFECT_LEVEL interval of observed/expected */
    bool any_effect;        /* the size of the effect does not matter (spread) */
    bool capped;            /* at most WARN: its p is an approximation that may lie */
};

/* Sums over the trials that count: all, or the first where trials are no replicates. */
struct totals {
    size_t trials;
    double n; /* trials * queries */
    double hits, bits;
    double expected;      /* sum Q f_t */
    double binomial;      /* sum Q f_t (1 - f_t) */
    double sampling;      /* sum (Q se_t)^2: error of sampled f_t */
    struct moments f;     /* of f_t */
    struct moments plain; /* of (X_t/m)^k */
};

void judge_totals(struct totals *totals, const struct evidence *evidence);

void judge_fill(struct finding *out, const struct evidence *evidence, const struct totals *totals);
void judge_spread(struct finding *out, const struct evidence *evidence,
                  const struct totals *totals);
void judge_probe(struct finding *out, const struct evidence *evidence, const struct totals *totals);
void judge_model(struct finding *out, const struct evidence *evidence, const struct totals *totals);

/* Are all trials the same, against all odds? */
bool judge_alike(const struct evidence *evidence, const struct totals *totals);

double judge_mde(const struct evidence *evidence, const struct totals *totals);

/* Fills term, term_interval and explained_by. intervals: trials are replicates. */
void judge_attribute(struct judgement *out, const struct evidence *evidence,
                     const struct totals *totals, bool intervals);

/* The deficit D = min(kn, m) - X of set bits of one filter as a sum: a law of Panjer's class with
 * this mean and variance, and `size` times a Poisson number of clumps. False: theory is absent, or
 * Var = 0. */
struct clumps {
    double most; /* min(kn, m) */
    double mean, variance;
    double size, clumps; /* clumps: their mean, 0 for none */
};
bool judge_clumps(struct clumps *out, const struct evidence *evidence);

/* That law written out, with *anchor = min(kn, m); for throws the exact one where affordable. An
 * empty law when neither is to be had. */
bool judge_deficit_law(struct law *out, int64_t *anchor, const struct evidence *evidence);

#endif
