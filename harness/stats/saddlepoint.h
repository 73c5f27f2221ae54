/* SPDX-License-Identifier: MIT
 *
 * saddlepoint.h: tails of a total of hits from the law of the rates behind it.
 *
 * Each of `groups` groups of trials draws its rate f anew for every trial from nodes with weights,
 * then hits are Binomial(queries, f). Lugannani & Rice, Adv. Appl. Prob. 12, 1980, in the form of
 * Barndorff-Nielsen's r* (Biometrika 73, 1986): the normal score of a tail, at any depth, within a
 * few 1e-3 even for a handful of hits.
 */
#ifndef BLOOMLAB_SADDLEPOINT_H
#define BLOOMLAB_SADDLEPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/stats/stats.h"

struct rate_law {
    const double *rate; /* nodes f, 0 <= f <= 1 */
    const double
        *weight; /* sum 1; NULL: each node is one trial of its own, `trials` of them each */
    size_t nodes;
    double trials;  /* how many trials draw from it */
    double queries; /* per trial; 0: the total is that of the f themselves */
    double noise;   /* standard deviation of a normal error added to the total */
};

/* Both mid-tails of `total`, the sum over trials of hits (or of f). NaN, NaN where no saddlepoint
 * is found: a total of f beyond what the nodes can give. */
struct mid_tails saddlepoint_tails(const struct rate_law *law, double total);

#endif
