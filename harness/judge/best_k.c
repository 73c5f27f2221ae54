/* SPDX-License-Identifier: MIT */
#include "harness/judge/best_k.h"

#include <math.h>

#include "harness/stats/stats.h"

static const double *best_k_series(const struct k_rates *rates, size_t i)
{
    return rates->rate + i * rates->trials;
}

static size_t best_k_chosen(const struct k_rates *rates)
{
    size_t best = 0;
    double lowest = INFINITY;
    for (size_t i = 0; i < rates->count; i++) {
        double sum = 0;
        for (size_t t = 1; t < rates->trials; t += 2)
            sum += best_k_series(rates, i)[t];
        if (sum < lowest) {
            lowest = sum;
            best = i;
        }
    }
    return best;
}

/* Is k number j lower than k number i beyond doubt? Where no difference differs from another there
 * is no measure of doubt. */
static bool best_k_excludes(const struct k_rates *rates, size_t i, size_t j, double quantile)
{
    double trials = (double)rates->trials, mean = 0, squares = 0;
    const double *a = best_k_series(rates, i), *b = best_k_series(rates, j);
    for (size_t t = 0; t < rates->trials; t++)
        mean += (a[t] - b[t]) / trials;
    for (size_t t = 0; t < rates->trials; t++)
        squares += (a[t] - b[t] - mean) * (a[t] - b[t] - mean);
    double variance = squares / (trials - 1) / trials;
    return variance > 0 && mean > quantile * sqrt(variance);
}

size_t judge_best_k(bool *set, const struct k_rates *rates)
{
    size_t best = best_k_chosen(rates);
    double others = (double)(rates->count - 1);
    double quantile =
        stats_t_quantile(1 - (1 - BEST_K_LEVEL) / others, (double)(rates->trials - 1));
    for (size_t i = 0; i < rates->count; i++) {
        set[i] = true;
        for (size_t j = 0; j < rates->count && set[i]; j++)
            set[i] = j == i || !best_k_excludes(rates, i, j, quantile);
    }
    set[best] = true;
    return best;
}
