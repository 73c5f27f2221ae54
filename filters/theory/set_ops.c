/* SPDX-License-Identifier: MIT
 *
 * set_ops.c: with q1 = (1 - 1/m)^k and q2 = (1 - 2/m)^k, a cell is empty in a filter of s keys with
 * probability q1^s. Two cells, one empty in S and the other in T, are so with probability
 * q1^(only in one) q2^(in both) when they differ, and q1^(in any) when they are one and the same.
 */
#include "filters/theory/set_ops.h"

#include <math.h>

#include "filters/theory/cardinality.h"

/* Mean of the empty cells of the filter of `keys` keys. */
static double set_empty(double m, unsigned k, double keys)
{
    return m > 1 ? m * exp(keys * k * log1p(-1 / m)) : (keys > 0 ? 0 : 1);
}

/* Covariance of the empty cells of two filters of s and t keys, `both` of them in both sets:
 * m q1^(s + t - both) + m (m - 1) q1^(s + t - 2 both) q2^both - m^2 q1^(s + t). */
static double set_covariance(double m, unsigned k, double s, double t, double both)
{
    if (m < 2)
        return 0;
    /* q2 = q1^2 (1 - 1/(m - 1)^2)^k */
    double paired = m > 2 ? both * k * log1p(-1 / ((m - 1) * (m - 1))) : (both > 0 ? -INFINITY : 0);
    double product = set_empty(m, k, s) * set_empty(m, k, t);
    return set_empty(m, k, s + t - both) + product * (expm1(paired) - exp(paired) / m);
}

/* Empty cells of A, B and A or B: means, variances, covariances. */
struct set_counts {
    double mean[3], covariance[3][3];
};
enum { SET_A, SET_B, SET_OR };

static void set_count(struct set_counts *counts, uint64_t m, unsigned k, struct set_sizes sizes)
{
    double a = (double)sizes.a, b = (double)sizes.b, common = (double)sizes.common;
    const double keys[3] = {a, b, a + b - common};
    const double shared[3][3] = {{a, common, a}, {common, b, b}, {a, b, a + b - common}};
    for (int i = 0; i < 3; i++) {
        counts->mean[i] = set_empty((double)m, k, keys[i]);
        for (int j = 0; j < 3; j++)
            counts->covariance[i][j] = set_covariance((double)m, k, keys[i], keys[j], shared[i][j]);
    }
}

/* Variance of the sum of the three with these factors. */
static double set_variance(const struct set_counts *counts, const double factor[3])
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += factor[i] * factor[j] * counts->covariance[i][j];
    return fmax(0, sum);
}

struct moments theory_set_and_bits(uint64_t m, unsigned k, struct set_sizes sizes)
{
    static const double and[3] = {-1, -1, 1}; /* X = m - Z, and X_and = X_a + X_b - X_or */
    struct set_counts counts;
    set_count(&counts, m, k, sizes);
    return (struct moments){
        .mean = theory_fill_intersection(m, k, sizes.a, sizes.b, sizes.common),
        .variance = set_variance(&counts, and),
    };
}

struct moments theory_set_intersection(uint64_t m, unsigned k, struct set_sizes sizes)
{
    struct set_counts counts;
    const double scale = (double)m / k, sign[3] = {1, 1, -1};
    double factor[3], mean = 0;
    set_count(&counts, m, k, sizes);
    for (int i = 0; i < 3; i++) {
        double empty = counts.mean[i];
        factor[i] = -scale * sign[i] / empty;
        mean += sign[i] * (theory_cardinality_at(m, k, (double)m - empty) +
                           scale / 2 * counts.covariance[i][i] / (empty * empty));
    }
    return (struct moments){.mean = mean, .variance = set_variance(&counts, factor)};
}

struct moments theory_set_naive(uint64_t m, unsigned k, struct set_sizes sizes)
{
    struct moments bits = theory_set_and_bits(m, k, sizes);
    double scale = (double)m / k, empty = (double)m - bits.mean, slope = scale / empty;
    return (struct moments){
        .mean = theory_cardinality_at(m, k, bits.mean) + slope / empty / 2 * bits.variance,
        .variance = slope * slope * bits.variance,
    };
}

double theory_set_and_fpr(uint64_t m, unsigned k, struct set_sizes sizes)
{
    struct moments bits = theory_set_and_bits(m, k, sizes);
    double fill = bits.mean / (double)m, spread = bits.variance / ((double)m * (double)m);
    double second = fill > 0 && k > 1 ? k * (k - 1.0) / 2 * spread / (fill * fill) : 0;
    return pow(fill, k) * (1 + second);
}
