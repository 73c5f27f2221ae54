/* SPDX-License-Identifier: MIT
 *
 * churn.h: what becomes of sticky counters when the oldest key makes room for a new one, for ever.
 *
 * A counter of b bits sticks at J = 2^b - 1 from the moment when J hits of the n keys in the filter
 * are on it. Hits come as a Poisson process in time, kn/m (the load) while n keys come in, and each
 * stays for as long: a counter sticks when some window of that length holds J hits. That is the
 * scan statistic: P(no such window) over two and three windows is Naus' exact formula, and beyond
 * Q2 (Q3/Q2)^(L - 2) over L windows, good to many digits (J. Naus, JASA 77, 1982). L = 1 + churn/n:
 * the filter starts empty.
 */
#ifndef BLOOMLAB_THEORY_CHURN_H
#define BLOOMLAB_THEORY_CHURN_H

#include <stdint.h>

/* Share of the counters that are stuck after `churn` replacements. n >= 1, load = kn/m > 0. */
double theory_churn_stuck(double load, unsigned counter_bits, double churn, double n);

/* Share of the counters that are not 0 then: 1 - e^(-load) P(not stuck one window earlier): that a
 * window is empty, and that nothing got stuck before it, are independent. */
double theory_churn_fill(double load, unsigned counter_bits, double churn, double n);

#endif
