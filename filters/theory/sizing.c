/* SPDX-License-Identifier: MIT */
#include "filters/theory/sizing.h"

#include <math.h>

#include "filters/theory/classic.h"
#include "filters/theory/precise.h"

uint64_t theory_size_bits(uint64_t n, double p)
{
    mpfr_t m, ln2;
    mpfr_init2(m, 192);
    mpfr_init2(ln2, 192);
    mpfr_set_d(m, p, MPFR_RNDN);
    mpfr_log(m, m, MPFR_RNDN);
    mpfr_mul_ui(m, m, n, MPFR_RNDN);
    mpfr_const_log2(ln2, MPFR_RNDN);
    mpfr_sqr(ln2, ln2, MPFR_RNDN);
    mpfr_div(m, m, ln2, MPFR_RNDN);
    mpfr_neg(m, m, MPFR_RNDN);
    mpfr_ceil(m, m);
    uint64_t bits = mpfr_cmp_ui(m, THEORY_M_MAX) > 0 ? THEORY_M_MAX + 1 : mpfr_get_ui(m, MPFR_RNDN);
    mpfr_clear(m);
    mpfr_clear(ln2);
    precise_forget();
    return bits;
}

static enum status sizing_check(uint64_t n, double p, struct error *err)
{
    if (n == 0)
        return fail(err, E_INPUT, "n is 0: a filter is sized for at least 1 key");
    if (!(p > 0 && p < 1))
        return fail(err, E_INPUT,
                    "p is %.15g: a rate to size for is greater than 0 and less than 1", p);
    if (p < ldexp(1, -THEORY_K_MAX))
        return fail(err, E_INPUT,
                    "p is %.15g: it would take more than %d probes; the least rate is 2^-%d", p,
                    THEORY_K_MAX, THEORY_K_MAX);
    return OK;
}

static enum status sizing_fill(struct sizing *sizing, uint64_t m, uint64_t n)
{
    *sizing = (struct sizing){
        .m = m, .k = theory_best_k(m, n, THEORY_K_MAX), .bytes = m / 8 + (m % 8 != 0)};
    return OK;
}

enum status theory_size(struct sizing *sizing, uint64_t n, double p, struct error *err)
{
    enum status status = sizing_check(n, p, err);
    if (status)
        return status;
    uint64_t m = theory_size_bits(n, p);
    if (m > THEORY_M_MAX)
        return fail(err, E_INPUT, "n %llu at p %.15g needs more than the %llu bits that m can be",
                    (unsigned long long)n, p, (unsigned long long)THEORY_M_MAX);
    return sizing_fill(sizing, m, n);
}

enum status theory_size_capped(struct sizing *sizing, uint64_t n, double p, uint64_t bytes_max,
                               struct error *err)
{
    enum status status = sizing_check(n, p, err);
    if (status)
        return status;
    if (bytes_max == 0)
        return fail(err, E_INPUT, "the memory cap is 0 bytes: a filter needs at least 1");
    if (bytes_max >= THEORY_M_MAX / 8)
        return theory_size(sizing, n, p, err);
    uint64_t m = theory_size_bits(n, p), cap = 8 * bytes_max;
    return sizing_fill(sizing, m < cap ? m : cap, n);
}

double theory_bits_information_limit(double p)
{
    return -log2(p);
}

double theory_bits_xor(double p)
{
    return 1.23 * -log2(p);
}

double theory_bits_binary_fuse(double p)
{
    return 1.13 * -log2(p);
}

double theory_bits_cuckoo(double p)
{
    return (3 - log2(p)) / 0.955;
}
