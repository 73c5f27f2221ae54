/* SPDX-License-Identifier: MIT
 *
 * contrast.h: do two runs of one cell have the same false-positive rate?
 *
 * Two kinds of noise stand between them: which queries hit (binomial, given the filters), and which
 * filters were drawn (the scatter tau^2 of their own rates f_t). Runs with seeds of their own are
 * compared by totals; runs that share seeds trial by trial, where what the filters have in common
 * drops out.
 *
 * p is the larger of two: Student's (normal where the scatter is known) of the difference over its
 * error, and where fewer than CONTRAST_RARE hits (or misses) were counted Fisher's exact test of
 * the two counts. Each holds where the other would lie: many hits in few filters, few hits in many.
 * The error is never taken smaller than what ideal queries to these filters have, and is widened by
 * the trials' own scatter where that is greater.
 */
#ifndef BLOOMLAB_JUDGE_CONTRAST_H
#define BLOOMLAB_JUDGE_CONTRAST_H

#include <stdbool.h>
#include <stddef.h>

#define CONTRAST_RARE 1000
#define CONTRAST_SCATTER_P 0.01 /* the trials scatter too much for ideal queries */

/* One run of a cell. Absent is NaN. */
struct contrast_side {
    double trials;
    double queries; /* per trial; 0: none were asked, f_t is compared */
    double hits;    /* of all trials */
    double scatter; /* sample variance of the trials' hits / queries */
    double scheme;  /* mean of f_t */
    double tau2;    /* variance of f_t between filters */
    bool tau_known; /* it is theory's, or no less: no error of its own */
    double step;    /* by how much one set position more changes f_t; 0: not known */
};

/* One trial that both runs made from the same seed. */
struct contrast_pair {
    double hits_a, hits_b, scheme_a, scheme_b;
};

struct contrast {
    double a, b; /* the two rates */
    double z,
        p; /* two-sided; z is p's normal score, > 0 where a is greater; NaN: nothing to tell */
};

void contrast_independent(struct contrast *out, const struct contrast_side *a,
                          const struct contrast_side *b);

/* queries_a, queries_b: per trial, both 0 where none were asked. */
void contrast_paired(struct contrast *out, const struct contrast_pair *pair, size_t count,
                     double queries_a, double queries_b, double step);

/* Fisher's exact test, two-sided as twice the smaller tail (at most 1), of hits among queries.
 * hits_a + hits_b is at most a few thousand. */
double contrast_fisher(double hits_a, double queries_a, double hits_b, double queries_b);

#endif
