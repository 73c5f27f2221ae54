/* SPDX-License-Identifier: MIT */
#include "filters/theory/deletion.h"

#include <math.h>
#include <stdlib.h>

/* weight[d] = P(k throws into m cells hit d different ones): all terms positive. */
static void overlap_occupancy(double weight[OVERLAP_K_MAX + 1], double m, unsigned k)
{
    weight[0] = 1;
    for (unsigned t = 1; t <= k; t++) {
        weight[t] = 0;
        for (unsigned d = t; d > 0; d--)
            weight[d] = weight[d] * d / m + weight[d - 1] * fmax(0, m - d + 1) / m;
        weight[0] = 0;
    }
}

/* 1 - (1 - p)^others. */
static double overlap_any(double p, double others)
{
    if (others <= 0)
        return 0;
    return p < 1 ? -expm1(others * log1p(-p)) : 1;
}

/* A key of d different positions meets a probe with probability d/m. */
double theory_overlap_independent(uint64_t m, unsigned k, double others)
{
    double weight[OVERLAP_K_MAX + 1], sum = 0;
    overlap_occupancy(weight, (double)m, k);
    for (unsigned d = 1; d <= k && d <= m; d++)
        sum += weight[d] * overlap_any((double)d / (double)m, others * k);
    return sum;
}

/* C(m - k, k)/C(m, k) is the probability to avoid one. */
double theory_overlap_distinct(uint64_t m, unsigned k, double others)
{
    double avoid = 0;
    if (2 * (uint64_t)k > m)
        return others > 0 ? 1 : 0;
    for (unsigned i = 0; i < k; i++)
        avoid += log1p(-(double)k / (double)(m - i));
    return others > 0 ? -expm1(others * avoid) : 0;
}

double theory_overlap_partitioned(uint64_t slice, unsigned k, double others)
{
    return overlap_any(1 / (double)slice, others * k);
}

/* ---- odd steps ------------------------------------------------------------------------------- */

static int overlap_compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* How many starts a let a key of step b meet 0 .. k - 1: the union of the intervals from -i b. */
static uint64_t overlap_starts(uint64_t m, unsigned k, uint64_t step)
{
    uint64_t from[OVERLAP_K_MAX], count = 0;
    for (unsigned i = 0; i < k; i++)
        from[i] = (m - i * step % m) % m;
    qsort(from, k, sizeof *from, overlap_compare);
    for (unsigned i = 0; i < k; i++) {
        uint64_t gap = i + 1 < k ? from[i + 1] - from[i] : from[0] + m - from[i];
        count += gap < k ? gap : k;
    }
    return count;
}

double theory_overlap_odd_step(uint64_t m, unsigned k, double others)
{
    uint64_t meeting = 0;
    if ((m & (m - 1)) || m > OVERLAP_ODD_MAX)
        return NAN;
    if (k >= m)
        return others > 0 ? 1 : 0;
    if (m == 1)
        return others > 0 ? 1 : 0;
    for (uint64_t step = 1; step < m; step += 2)
        meeting += overlap_starts(m, k, step);
    return overlap_any((double)meeting / ((double)m * (double)(m / 2)), others);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

double theory_overlap_blocked(unsigned block_bits, uint64_t blocks, unsigned k, double others)
{
    double weight[OVERLAP_K_MAX + 1], sum = 0;
    overlap_occupancy(weight, block_bits, k);
    for (unsigned d = 1; d <= k && d <= block_bits; d++)
        sum += weight[d] *
               overlap_any(overlap_any((double)d / block_bits, k) / (double)blocks, others);
    return sum;
}

double theory_overlap_split_block(unsigned word_bits, unsigned words, uint64_t blocks,
                                  double others)
{
    return overlap_any(overlap_any(1.0 / word_bits, words) / (double)blocks, others);
}
