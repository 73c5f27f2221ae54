/* SPDX-License-Identifier: MIT
 *
 * law.c: laws of whole numbers: making, adding and reading them. See law.h.
 */
#include "harness/stats/law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void law_release(struct law *law)
{
    free(law->p);
    *law = (struct law){0};
}

static bool law_alloc(struct law *out, int64_t first, size_t count)
{
    *out = (struct law){0};
    if (count == 0 || count > LAW_COUNT_MAX)
        return false;
    double *p = calloc(count, sizeof *p);
    if (!p)
        return false;
    *out = (struct law){.first = first, .count = count, .p = p};
    return true;
}

static void law_trim(struct law *law)
{
    size_t lo = 0, hi = law->count;
    while (hi > lo + 1 && law->p[hi - 1] < LAW_CUT)
        hi--;
    while (lo + 1 < hi && law->p[lo] < LAW_CUT)
        lo++;
    memmove(law->p, law->p + lo, (hi - lo) * sizeof *law->p);
    law->first += (int64_t)lo;
    law->count = hi - lo;
}

/* A law from its ratios p_j / p_(j-1), upward and downward from a value near its mode, scaled to 1.
 */
struct law_ratio {
    double (*ratio)(const struct law_ratio *self, double j);
    double a, b;    /* Panjer */
    double n, odds; /* binomial */
};

static double law_ratio_panjer(const struct law_ratio *self, double j)
{
    return self->a + self->b / j;
}

static double law_ratio_binomial(const struct law_ratio *self, double j)
{
    return (self->n - j + 1) / j * self->odds;
}

static size_t law_reach(const struct law_ratio *r, double mode, bool up)
{
    double p = 1;
    size_t steps = 0;
    for (double j = mode; steps <= LAW_COUNT_MAX; steps++) {
        double ratio = up ? r->ratio(r, j + 1) : j > 0 ? 1 / r->ratio(r, j) : 0;
        p *= ratio;
        if (!(p > LAW_CUT * 1e-3) || isinf(p))
            break;
        j += up ? 1 : -1;
    }
    return steps;
}

static bool law_from_ratios(struct law *out, const struct law_ratio *r, double mode)
{
    size_t up = law_reach(r, mode, true), down = law_reach(r, mode, false);
    if (!law_alloc(out, (int64_t)mode - (int64_t)down, up + down + 1))
        return false;
    double sum = out->p[down] = 1;
    for (size_t i = 1; i <= up; i++)
        sum += out->p[down + i] = out->p[down + i - 1] * r->ratio(r, mode + (double)i);
    for (size_t i = 1; i <= down; i++)
        sum += out->p[down - i] = out->p[down - i + 1] / r->ratio(r, mode - (double)i + 1);
    for (size_t i = 0; i < out->count; i++)
        out->p[i] /= sum;
    law_trim(out);
    return true;
}

static bool law_point(struct law *out, int64_t value)
{
    if (!law_alloc(out, value, 1))
        return false;
    out->p[0] = 1;
    return true;
}

bool law_binomial(struct law *out, uint64_t n, double rate)
{
    if (rate <= 0 || n == 0)
        return law_point(out, 0);
    if (rate >= 1)
        return law_point(out, (int64_t)n);
    struct law_ratio r = {.ratio = law_ratio_binomial, .n = (double)n, .odds = rate / (1 - rate)};
    return law_from_ratios(out, &r, fmin((double)n, floor(((double)n + 1) * rate)));
}

bool law_panjer(struct law *out, double mean, double variance)
{
    *out = (struct law){0};
    if (!(mean > 0) || !(variance > 0) || mean > 1e15)
        return false;
    double share = mean / variance; /* 1 - a */
    struct law_ratio r = {.ratio = law_ratio_panjer, .a = 1 - share, .b = share * (mean + 1) - 1};
    double mode = floor(r.b / share);
    return law_from_ratios(out, &r, fmax(0, mode));
}

bool law_occupancy(struct law *out, uint64_t m, uint64_t throws)
{
    *out = (struct law){0};
    if (m == 0 || throws == 0)
        return law_point(out, 0);
    /* The variance never exceeds m/6 (its greatest value is 0.1535 m) nor throws^2/2m. */
    double cells = (double)m, most = fmin(cells, (double)throws);
    double variance = fmin(cells / 6, (double)throws * (double)throws / (2 * cells));
    double width = fmin(most + 1, 30 * sqrt(variance) + 40);
    if (width * (double)throws > LAW_WORK_MAX || !law_alloc(out, 0, (size_t)most + 1))
        return false;
    size_t lo = 0, hi = 0;
    out->p[0] = 1;
    for (uint64_t t = 0; t < throws; t++) {
        if (hi < m)
            out->p[++hi] = 0;
        for (size_t x = hi; x > lo; x--)
            out->p[x] =
                out->p[x] * ((double)x / cells) + out->p[x - 1] * ((cells - (double)x + 1) / cells);
        out->p[lo] *= (double)lo / cells;
        while (lo < hi && out->p[lo] < LAW_CUT * 1e-6)
            out->p[lo++] = 0;
        while (hi > lo && out->p[hi] < LAW_CUT * 1e-6)
            out->p[hi--] = 0;
    }
    law_trim(out);
    return true;
}

bool law_convolve(struct law *out, const struct law *a, const struct law *b)
{
    double work = (double)a->count * (double)b->count;
    if (work == 0 || work > 2 * LAW_WORK_MAX ||
        !law_alloc(out, a->first + b->first, a->count + b->count - 1))
        return *out = (struct law){0}, false;
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; a->p[i] > 0 && j < b->count; j++)
            out->p[i + j] += a->p[i] * b->p[j];
    law_trim(out);
    return true;
}

/* *a := *a * *b; b may be a. */
static bool law_multiply(struct law *a, const struct law *b)
{
    struct law product;
    bool fine = law_convolve(&product, a, b);
    law_release(a);
    *a = product;
    return fine;
}

bool law_power(struct law *out, const struct law *a, uint64_t times)
{
    struct law square;
    bool fine = law_convolve(&square, a, &(struct law){.count = 1, .p = &(double){1}});
    fine = law_point(out, 0) && fine;
    for (; fine && times; times >>= 1) {
        if (times & 1)
            fine = law_multiply(out, &square);
        if (fine && times > 1) {
            struct law base = square;
            fine = law_convolve(&square, &base, &base);
            law_release(&base);
        }
    }
    law_release(&square);
    if (!fine)
        law_release(out);
    return fine;
}

bool law_stretch(struct law *out, const struct law *a, unsigned factor)
{
    if (a->count == 0 || !law_alloc(out, a->first * factor, (a->count - 1) * factor + 1))
        return *out = (struct law){0}, false;
    for (size_t i = 0; i < a->count; i++)
        out->p[i * factor] = a->p[i];
    return true;
}

bool law_squared_difference(struct law *out, const struct law *a)
{
    size_t most = a->count - 1;
    if (a->count == 0 || !law_alloc(out, 0, most * most + 1))
        return *out = (struct law){0}, false;
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < a->count; j++) {
            size_t d = i > j ? i - j : j - i;
            out->p[d * d] += a->p[i] * a->p[j];
        }
    law_trim(out);
    return true;
}

struct moments law_moments(const struct law *law)
{
    double mean = 0, variance = 0;
    for (size_t i = 0; i < law->count; i++)
        mean += law->p[i] * ((double)law->first + (double)i);
    for (size_t i = 0; i < law->count; i++) {
        double d = (double)law->first + (double)i - mean;
        variance += law->p[i] * d * d;
    }
    return (struct moments){.mean = mean, .variance = variance};
}

struct mid_tails law_tails(const struct law *law, int64_t value)
{
    double below = 0, above = 0;
    for (size_t i = 0; i < law->count && law->first + (int64_t)i < value; i++)
        below += law->p[i];
    for (size_t i = law->count; i > 0 && law->first + (int64_t)i - 1 > value; i--)
        above += law->p[i - 1];
    if (value >= law->first && value < law->first + (int64_t)law->count) {
        double half = law->p[value - law->first] / 2;
        below += half, above += half;
    }
    return (struct mid_tails){.log_below = log(fmin(1, below)), .log_above = log(fmin(1, above))};
}
