/* SPDX-License-Identifier: MIT
 *
 * two_hash_simulate.c: mean and variance of f over filters filled with ideal digests.
 *
 * Each filter gives its number of set bits X and its f over all keys (above m = 2^14: over a
 * sample). E[X] and Var[X] are known exactly, so f is regressed on X:
 *
 *     E[f] = mean f - slope (mean X - E[X]),  Var[f] = slope^2 Var[X] + rest
 *
 * and only the variance around the line, a few percent of the whole for large m, stays random.
 *
 * Beyond m = 2^20 a filter would take too long to fill. There the filters have m' near 2^20 and
 * n' = n m'/m keys: what f has above fill^k is proportional to 1/m at equal load, and is carried
 * over so. The variance is then that of m'.
 */
#include "filters/theory/two_hash_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filters/bits.h"
#include "filters/theory/two_hash_scheme.h"

#define SIMULATE_M_MAX (UINT64_C(1) << 20)

enum {
    SIMULATE_FILTERS_MIN = 24,
    SIMULATE_FILTERS_MAX = 2048,
    SIMULATE_LOOK = 1024,
    SIMULATE_ALL_MAX = 1 << 14
};

struct two_hash_sums {
    double count, x, f, xx, xf, ff; /* means, then sums of products about the means */
    double noise;                   /* sum of squared errors of the f, where f is itself a sample */
};

static void two_hash_sums_add(struct two_hash_sums *sums, double x, struct estimate f)
{
    double dx = x - sums->x, df = f.value - sums->f;
    sums->count++;
    sums->x += dx / sums->count;
    sums->f += df / sums->count;
    sums->xx += dx * (x - sums->x);
    sums->xf += dx * (f.value - sums->f);
    sums->ff += df * (f.value - sums->f);
    sums->noise += f.se * f.se;
}

/* Fills an array with n ideal keys; stops when it is full. The number of set bits. */
static uint64_t two_hash_fill_array(const struct two_hash *scheme, unsigned char *array, uint64_t n,
                                    uint64_t *state)
{
    uint64_t bytes = bits_bytes(scheme->m), set = 0;
    memset(array, 0, bytes);
    for (uint64_t i = 0; i < n && set < scheme->m; i++) {
        uint64_t a = two_hash_draw(state, scheme->m), b = two_hash_draw_step(state, scheme);
        for (unsigned j = 0; j < scheme->k; j++) {
            uint64_t position = a + two_hash_offset(scheme, b, j);
            bits_set(array, position < scheme->m ? position : position - scheme->m);
        }
        if (i % SIMULATE_LOOK == SIMULATE_LOOK - 1)
            set = bits_count(array, bytes);
    }
    return bits_count(array, bytes);
}

/* As many filters as take about a sixth of a second. */
static unsigned two_hash_filter_count(const struct two_hash *scheme, uint64_t n)
{
    double m = (double)scheme->m, k = scheme->k;
    double passes = scheme->law == LAW_DOUBLE ? (ceil(log2(k)) + 1) / 2 : fmin(k, 14);
    double insert = 2e-9 * k * fmin((double)n, m * log(m + 2));
    double look = (double)two_hash_step_count(scheme) * passes * (m / 64 * 2.5e-10 + 1e-8);
    return (unsigned)fmin(SIMULATE_FILTERS_MAX,
                          fmax(SIMULATE_FILTERS_MIN, 0.15 / (insert + fmin(look, 0.01))));
}

static bool two_hash_simulate_filters(struct two_hash_sums *sums, const struct two_hash *scheme,
                                      uint64_t n)
{
    unsigned char *array = malloc(bits_bytes(scheme->m));
    unsigned filters = two_hash_filter_count(scheme, n);
    uint64_t state = two_hash_stream(scheme, USE_FILTERS);
    bool enough = array != NULL;
    for (unsigned t = 0; t < filters && enough; t++) {
        uint64_t set = two_hash_fill_array(scheme, array, n, &state);
        struct estimate f = scheme->m <= SIMULATE_ALL_MAX ? theory_two_hash_scheme(scheme, array)
                                                          : two_hash_scheme_sample(scheme, array);
        two_hash_sums_add(sums, (double)set, f);
        enough = !isnan(f.value);
    }
    free(array);
    return enough;
}

/* The line through the filters, at the true moments of X. */
static struct model two_hash_regress(const struct two_hash_sums *sums, const struct moments *fill)
{
    struct model model = {.name = "simulation"};
    double free_count = sums->count - 2, noise = sums->noise / sums->count;
    bool line = sums->xx > 0 && fill->variance > 0;
    double slope = line ? sums->xf / sums->xx : 0;
    double rest = fmax(0, sums->ff - slope * sums->xf) / free_count;
    double slope_variance = line ? rest / sums->xx : 0;
    model.fpr = sums->f - slope * (sums->x - fill->mean);
    double away = line ? (sums->x - fill->mean) * (sums->x - fill->mean) / sums->xx : 0;
    model.se = sqrt(rest * (1 / sums->count + away));
    double through = fmax(0, slope * slope - slope_variance) * fill->variance;
    model.variance = through + fmax(0, rest - noise);
    model.variance_se =
        hypot(2 * fabs(slope) * sqrt(slope_variance) * fill->variance, rest * sqrt(2 / free_count));
    return model;
}

/* The scheme to simulate: the same but for m, at most about 2^20 with the same small divisors. */
static struct two_hash two_hash_smaller(const struct two_hash *scheme)
{
    struct two_hash smaller = *scheme;
    if (scheme->m <= SIMULATE_M_MAX)
        return smaller;
    uint64_t common = two_hash_gcd(scheme->m, UINT64_C(720720)); /* lcm(1 .. 16) */
    smaller.m = SIMULATE_M_MAX / common * common;
    return smaller;
}

struct model two_hash_simulate(const struct two_hash *scheme, uint64_t n)
{
    struct two_hash smaller = two_hash_smaller(scheme);
    double scale = (double)smaller.m / (double)scheme->m;
    uint64_t keys = scale < 1 ? (uint64_t)fmax(1, rint((double)n * scale)) : n;
    struct moments fill = theory_two_hash_fill(&smaller, keys);
    struct two_hash_sums sums = {0};
    if (!two_hash_simulate_filters(&sums, &smaller, keys))
        return (struct model){.fpr = NAN, .se = NAN, .variance = NAN, .name = "simulation"};
    struct model model = two_hash_regress(&sums, &fill);
    if (scale == 1)
        return model;
    double chance = pow(fill.mean / (double)smaller.m, smaller.k);
    double true_fill = theory_two_hash_fill(scheme, n).mean / (double)scheme->m;
    model.fpr = pow(true_fill, scheme->k) + (model.fpr - chance) * scale;
    model.se *= scale;
    return model;
}
