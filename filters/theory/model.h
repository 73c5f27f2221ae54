/* SPDX-License-Identifier: MIT
 *
 * model.h: the shapes in which theory is handed on. Absent numbers are NaN.
 */
#ifndef BLOOMLAB_MODEL_H
#define BLOOMLAB_MODEL_H

#include <stdint.h>

struct estimate {
    double value;
    double se; /* standard error; 0 when exact */
};

struct moments {
    double mean;
    double variance;
};

/* E[f] over filters of one layout with n keys, f being a filter's own false-positive rate. */
struct model {
    double fpr;
    double se; /* of fpr: 0 when it comes from a formula, else from simulation */
    double
        variance; /* tau^2: null variance of f between filters; NaN when there is no theory of it */
    double variance_se; /* of the variance, 0 when from a formula */
    const char
        *name; /* the formula: "exact", "partitioned", "binomial_blocks", "simulation", ... */
};

struct formula {
    const char *name;
    double value;
    const char *source; /* paper, year */
};

#endif
