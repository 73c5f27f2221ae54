/* SPDX-License-Identifier: MIT
 *
 * judge.h: the four tests of a cell, its attribution, its verdict: STATISTICS.
 *
 * The judge sees numbers only: what trials printed and what theory expects. It knows no filter.
 */
#ifndef BLOOMLAB_JUDGE_H
#define BLOOMLAB_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filters/theory/model.h"
#include "harness/stats/stats.h"

/* What is judged. Arrays are by trial. Absent theory is NaN. */
struct evidence {
    size_t trials;
    uint64_t queries;            /* per trial; 0: none were asked */
    const uint64_t *hits;        /* false positives H_t */
    const uint64_t *bits_set;    /* X_t */
    const double *fpr_scheme;    /* f_t */
    const double *fpr_scheme_se; /* standard errors of sampled f_t; NULL: all exact */
    const double *fpr_bits;      /* (X_t/m)^k */
    double m;                    /* m_actual, 0 when the variant has no such number */
    unsigned k;                  /* 0 likewise */
    struct moments fill;         /* of X; NaN when there is no theory */
    bool fill_is_throws;         /* X is the occupancy of kn throws into m: exact law available */
    uint64_t throws;             /* kn, for every variant: no more can be set; 0: no such number */
    struct model model;          /* of E[f] */
    double fpr_standard, fpr_exact;
    bool replicates; /* keys or hash seed differ between trials: intervals make sense */
};

struct test_result {
    double z; /* signed normal score of p; NaN when the test does not apply */
    double p; /* two-sided; NaN likewise */
};

enum verdict { VERDICT_NONE, VERDICT_PASS, VERDICT_WEAK, VERDICT_WARN, VERDICT_FAIL };

struct judgement {
    double fpr;                                   /* sum H / (T Q), NaN without queries */
    struct interval fpr_interval;                 /* 95 % */
    const char *interval;                         /* wilson_cluster, wilson_model, or "" */
    double deff, tau;                             /* tau: sample sd of f_t */
    double fill, fill_expected, fill_sd_expected; /* of X/m */
    double fpr_bits, fpr_scheme;
    struct interval fpr_scheme_interval;
    struct test_result fill_test, spread, probe, model_test;
    double ratio; /* fpr / fpr_model; where no query was asked fpr_scheme / fpr_model */
    struct interval ratio_interval;
    double mde; /* the smallest fpr/fpr_scheme found at P < 1e-3 with power 80 % */
    enum verdict verdict;
    bool trials_alike;
    /* The four terms of ln(fpr/standard), with 95 % intervals (paired over trials). */
    double term[4]; /* finite_m, filling, arrangement, hash */
    struct interval term_interval[4];
    char explained_by[256]; /* one sentence for cells.csv */
};

extern const char *const judge_term_name[4];
const char *judge_verdict_name(enum verdict verdict); /* "" for none */

/* The gravest flag of a cell, besides what the tests say. */
enum flag_level { FLAG_NOTE, FLAG_WARN, FLAG_FAIL };

/* Needs stats_init(). Takes milliseconds at most; pure, and serial in trial order.
 *
 * Absent is NaN (interval "", verdict none): no trials, no queries, no theory. Where the trials are
 * no replicates the first stands for all.
 */
void judge_cell(struct judgement *out, const struct evidence *evidence, enum flag_level flags);

#endif
