/* SPDX-License-Identifier: MIT */
#include "filters/theory/cardinality.h"

#include <gsl/gsl_sf_exp.h>
#include <math.h>

/* ln(1 - bits/m), 0 < bits < m: m - bits is exact above the half, the quotient small below. */
static double cardinality_log_empty(double m, double bits)
{
    return bits > 0.5 * m ? log((m - bits) / m) : log1p(-bits / m);
}

double theory_cardinality_at(uint64_t m, unsigned k, double bits)
{
    if (bits <= 0)
        return 0;
    if (bits >= (double)m)
        return INFINITY;
    return -((double)m / k) * cardinality_log_empty((double)m, bits);
}

double theory_cardinality(uint64_t m, unsigned k, uint64_t bits_set)
{
    return bits_set >= m ? INFINITY : theory_cardinality_at(m, k, (double)bits_set);
}

double theory_cardinality_papapetrou_at(uint64_t m, unsigned k, double bits)
{
    if (bits <= 0)
        return 0;
    if (bits >= (double)m)
        return INFINITY;
    return cardinality_log_empty((double)m, bits) / (k * log1p(-1 / (double)m));
}

double theory_cardinality_papapetrou(uint64_t m, unsigned k, uint64_t bits_set)
{
    return bits_set >= m ? INFINITY : theory_cardinality_papapetrou_at(m, k, (double)bits_set);
}

/* e^t - t - 1 without cancellation. */
static double cardinality_excess(double t)
{
    return t > 700 ? exp(t) : 0.5 * t * t * gsl_sf_exprel_2(t);
}

struct moments theory_cardinality_moments(uint64_t m, uint64_t n, unsigned k)
{
    double excess = cardinality_excess((double)(n * k) / (double)m);
    return (struct moments){
        .mean = (double)n + excess / (2.0 * k),
        .variance = (double)m * excess / ((double)k * k),
    };
}

struct moments theory_cardinality_delta(uint64_t m, double scale, struct moments fill)
{
    double clear = (double)m - fill.mean, slope = scale / clear;
    if (!(clear > 0))
        return (struct moments){NAN, NAN};
    return (struct moments){
        .mean = -scale * cardinality_log_empty((double)m, fill.mean) +
                slope / clear * fill.variance / 2,
        .variance = slope * slope * fill.variance,
    };
}

double theory_cardinality_intersection(uint64_t m, unsigned k, uint64_t bits_a, uint64_t bits_b,
                                       uint64_t bits_or)
{
    double a = theory_cardinality(m, k, bits_a), b = theory_cardinality(m, k, bits_b);
    double either = theory_cardinality(m, k, bits_or);
    if (isinf(either))
        return isinf(a) && isinf(b) ? INFINITY : NAN;
    return fmax(0, a + b - either);
}

double theory_fill_intersection(uint64_t m, unsigned k, uint64_t a, uint64_t b, uint64_t common)
{
    double step = k * log1p(-1 / (double)m);
    if (m == 1)
        return a && b ? 1 : 0;
    /* Without cancellation: a bit is set by a common key, or else by both a key of A alone and one
     * of B alone. */
    double by_common = -expm1((double)common * step);
    double by_both = expm1((double)(a - common) * step) * expm1((double)(b - common) * step);
    return (double)m * (by_common + (1 - by_common) * by_both);
}
