/* SPDX-License-Identifier: MIT
 *
 * best_k.h: which of several k has the lowest rate, and which cannot be told from it.
 *
 * Trials are paired: trial t of every k has the same keys, so differences are taken per trial.
 *
 *   best   the lowest mean over trials 1, 3, 5, ...: what trials 0, 2, 4, ... then say of it is
 *          free of the choice, while the lowest of several measured rates is too low on average
 *   set    k stays unless, over all trials, some other k is lower by more than c standard errors of
 *          the mean paired difference; c is Student's quantile with T - 1 degrees of freedom at 1 -
 *          0.05/(K - 1). The k that is truly best is compared with K - 1 others, each of which puts
 *          it out with probability 0.05/(K - 1) at most, so the set holds it with 95 %
 * (Bonferroni). This is the set of multiple comparisons with the best (D. Edwards, J. Hsu,
 * "Multiple Comparisons with the Best Treatment", JASA 78, 1983), for paired data.
 *
 * The t test keeps its level for counts of a few hits too (0.1 to 10 a trial, 4 to 30 trials, 2 to
 * 20 k all alike: the first was put out in at most 5.6 % of 4000 simulated curves).
 */
#ifndef BLOOMLAB_JUDGE_BEST_K_H
#define BLOOMLAB_JUDGE_BEST_K_H

#include <stdbool.h>
#include <stddef.h>

struct k_rates {
    size_t count;       /* K >= 2, in ascending order of k */
    size_t trials;      /* T >= 4 */
    const double *rate; /* of k number i in trial t at i * trials + t */
};

enum { BEST_K_TRIALS_MIN = 4 };
#define BEST_K_LEVEL 0.95

/* The number of the best one (the smaller k on ties); set[i], i < K: is number i in the set? The
 * best always is. */
size_t judge_best_k(bool *set, const struct k_rates *rates);

#endif
