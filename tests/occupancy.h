/* SPDX-License-Identifier: MIT
 *
 * occupancy.h: the law of the number X of occupied cells after `throws` throws into m, by the
 * recursion x -> x with x/m, x -> x + 1 with 1 - x/m, in doubles. All terms are positive: relative
 * error about throws * 2^-53. An independent route to what filters/theory does in MPFR. For tests.
 */
#ifndef BLOOMLAB_TESTS_OCCUPANCY_H
#define BLOOMLAB_TESTS_OCCUPANCY_H

/* law[x], x = 0 .. min(m, throws); the caller frees it. m >= 1, and m * throws up to about 1e9. */
double *occupancy_law(unsigned m, unsigned throws);

/* E[(X/m)^power], and Var[(X/m)^power] as a sum of squares. */
double occupancy_mean(const double *law, unsigned m, unsigned throws, unsigned power);
double occupancy_variance(const double *law, unsigned m, unsigned throws, unsigned power);

#endif
