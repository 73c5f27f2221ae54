/* SPDX-License-Identifier: MIT */
#include "filters/theory/precise.h"

#include <gmp.h>
#include <math.h>

enum { PRECISE_SMALLEST = -1150 }; /* exponent below which a number is 0 in a double */

double precise_value(precise_function *function, const void *arguments, unsigned cancelled,
                     double about_log2)
{
    mpfr_prec_t lost = (mpfr_prec_t)cancelled;
    mpfr_prec_t guess = (mpfr_prec_t)fmin(1200, fmax(0, -about_log2));
    mpfr_prec_t bits = lost + guess + PRECISE_TRUSTED + 16;
    mpfr_t x;
    mpfr_init2(x, bits);
    double value = 0;
    for (;;) {
        mpfr_set_prec(x, bits);
        function(x, arguments, bits);
        mpfr_exp_t error = lost - bits;
        mpfr_exp_t trusted = mpfr_regular_p(x) ? mpfr_get_exp(x) - error : 0;
        if (trusted >= PRECISE_TRUSTED)
            value = mpfr_get_d(x, MPFR_RNDN);
        if (trusted >= PRECISE_TRUSTED || error + PRECISE_TRUSTED < PRECISE_SMALLEST)
            break;
        bits += trusted > 0 ? PRECISE_TRUSTED + 16 - trusted : bits - lost;
    }
    mpfr_clear(x);
    precise_forget();
    return value;
}

void precise_forget(void)
{
    mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
}

void *precise_allocate(size_t size)
{
    void *(*allocate)(size_t);
    mp_get_memory_functions(&allocate, NULL, NULL);
    return allocate(size);
}

void precise_release(void *memory, size_t size)
{
    void (*release)(void *, size_t);
    mp_get_memory_functions(NULL, NULL, &release);
    release(memory, size);
}

mpfr_t *precise_new(unsigned count, mpfr_prec_t bits)
{
    mpfr_t *x = precise_allocate(count * sizeof *x);
    for (unsigned i = 0; i < count; i++)
        mpfr_init2(x[i], bits);
    return x;
}

void precise_free(mpfr_t *x, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        mpfr_clear(x[i]);
    precise_release(x, count * sizeof *x);
}

void precise_ratio(mpfr_t x, uint64_t numerator, uint64_t denominator)
{
    mpfr_set_ui(x, numerator, MPFR_RNDN);
    mpfr_div_ui(x, x, denominator, MPFR_RNDN);
}

void precise_miss_distinct_next(mpfr_t miss, uint64_t m, unsigned k, unsigned s)
{
    mpfr_mul_ui(miss, miss, m - s > k ? m - s - k : 0, MPFR_RNDN);
    mpfr_div_ui(miss, miss, m - s, MPFR_RNDN);
}

void precise_differences(mpfr_t *x, unsigned count)
{
    for (unsigned j = 1; j < count; j++)
        for (unsigned i = count - 1; i >= j; i--)
            mpfr_sub(x[i], x[i - 1], x[i], MPFR_RNDN);
}

void precise_weights(mpfr_t *weight, unsigned throws, uint64_t cells)
{
    unsigned top = throws < cells ? throws : (unsigned)cells;
    mpfr_t moved;
    mpfr_init2(moved, mpfr_get_prec(weight[0]));
    mpfr_set_ui(weight[0], 1, MPFR_RNDN);
    for (unsigned j = 1; j <= top; j++)
        mpfr_set_zero(weight[j], 1);
    for (unsigned t = 1; t <= throws; t++) {
        for (unsigned j = t < top ? t : top; j > 0; j--) {
            mpfr_mul_ui(weight[j], weight[j], j, MPFR_RNDN);
            mpfr_mul_ui(moved, weight[j - 1], cells - j + 1, MPFR_RNDN);
            mpfr_add(weight[j], weight[j], moved, MPFR_RNDN);
        }
        mpfr_set_zero(weight[0], 1);
    }
    mpfr_set_ui(moved, cells, MPFR_RNDN);
    mpfr_pow_ui(moved, moved, throws, MPFR_RNDN);
    for (unsigned j = 0; j <= top; j++)
        mpfr_div(weight[j], weight[j], moved, MPFR_RNDN);
    mpfr_clear(moved);
}

void precise_dot(mpfr_t out, mpfr_t *weight, mpfr_t *hit, unsigned count)
{
    mpfr_t term;
    mpfr_init2(term, mpfr_get_prec(out));
    mpfr_set_zero(out, 1);
    for (unsigned j = 0; j < count; j++) {
        mpfr_mul(term, weight[j], hit[j], MPFR_RNDN);
        mpfr_add(out, out, term, MPFR_RNDN);
    }
    mpfr_clear(term);
}

void precise_power_moment(mpfr_t out, uint64_t cells, uint64_t throws, unsigned power,
                          mpfr_prec_t bits)
{
    unsigned count = 1 + (power < cells ? power : (unsigned)cells);
    mpfr_t *hit = precise_new(count, bits), *weight = precise_new(count, bits);
    mpfr_t base;
    mpfr_init2(base, bits + PRECISE_EXTRA);
    for (unsigned s = 0; s < count; s++) {
        precise_ratio(base, cells - s, cells);
        mpfr_pow_ui(hit[s], base, throws, MPFR_RNDN);
    }
    precise_differences(hit, count);
    precise_weights(weight, power, cells);
    precise_dot(out, weight, hit, count);
    mpfr_clear(base);
    precise_free(hit, count);
    precise_free(weight, count);
}

void precise_binomial(mpfr_t out, const mpfr_t miss, uint64_t blocks, uint64_t keys)
{
    mpfr_t base;
    mpfr_init2(base, mpfr_get_prec(out) + PRECISE_EXTRA);
    mpfr_ui_sub(base, 1, miss, MPFR_RNDN);
    mpfr_div_ui(base, base, blocks, MPFR_RNDN);
    mpfr_ui_sub(base, 1, base, MPFR_RNDN);
    mpfr_pow_ui(out, base, keys, MPFR_RNDN);
    mpfr_clear(base);
}

/* ---- fill ---------------------------------------------------------------------------------- */

static void precise_fill_mean(mpfr_t out, const void *arguments, mpfr_prec_t bits)
{
    const struct precise_fill *law = arguments;
    mpfr_t *miss = precise_new(1 + PRECISE_CLASSES, bits + PRECISE_EXTRA);
    law->miss(miss[0], miss + 1, law->arguments);
    mpfr_pow_ui(out, miss[0], law->keys, MPFR_RNDN);
    mpfr_ui_sub(out, 1, out, MPFR_RNDN);
    mpfr_mul_ui(out, out, law->cells, MPFR_RNDN);
    precise_free(miss, 1 + PRECISE_CLASSES);
}

/* m u1^n + sum over classes of pairs count u2^n - (m u1^n)^2. */
static void precise_fill_variance(mpfr_t out, const void *arguments, mpfr_prec_t bits)
{
    const struct precise_fill *law = arguments;
    mpfr_t *miss = precise_new(1 + PRECISE_CLASSES, bits + PRECISE_EXTRA);
    law->miss(miss[0], miss + 1, law->arguments);
    mpfr_pow_ui(miss[0], miss[0], law->keys, MPFR_RNDN);
    mpfr_mul_ui(miss[0], miss[0], law->cells, MPFR_RNDN);
    mpfr_sqr(out, miss[0], MPFR_RNDN);
    mpfr_sub(out, miss[0], out, MPFR_RNDN);
    for (unsigned c = 0; c < law->classes; c++) {
        mpfr_t *two = &miss[1 + c];
        mpfr_pow_ui(*two, *two, law->keys, MPFR_RNDN);
        mpfr_mul_ui(*two, *two, law->count[c][0], MPFR_RNDN);
        mpfr_mul_ui(*two, *two, law->count[c][1], MPFR_RNDN);
        mpfr_add(out, out, *two, MPFR_RNDN);
    }
    precise_free(miss, 1 + PRECISE_CLASSES);
}

struct moments precise_fill(const struct precise_fill *law)
{
    unsigned size = 64 - (unsigned)__builtin_clzll(law->cells | 1);
    if (law->keys == 0)
        return (struct moments){0, 0};
    return (struct moments){
        .mean = precise_value(precise_fill_mean, law, size + 4, 0),
        .variance = precise_value(precise_fill_variance, law, 2 * size + 8, 0),
    };
}
