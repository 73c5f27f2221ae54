/* SPDX-License-Identifier: MIT */
#include "filters/theory/counting.h"

#include <math.h>

#include "filters/theory/precise.h"

/* ---- one counter --------------------------------------------------------------------------- */

/* Bin(trials, p), or Poisson(load) when trials is INFINITY. */
struct counting_law {
    double trials, p, load; /* load: the mean */
};

/* P(i + 1) / P(i). */
static double counting_step(const struct counting_law *law, double i)
{
    if (isinf(law->trials))
        return law->load / (i + 1);
    return (law->trials - i) / (i + 1) * (law->p / (1 - law->p));
}

/* P(i), by logarithms of its factors: those of lgamma would lose all digits at 1e9 trials. */
static double counting_term(const struct counting_law *law, unsigned i)
{
    bool poisson = isinf(law->trials);
    double sum = poisson ? -law->load : (law->trials - i) * log1p(-law->p);
    for (unsigned j = 0; j < i; j++)
        sum += log((poisson ? law->load : (law->trials - j) * law->p) / (j + 1));
    return exp(sum);
}

/* P(at least `least`), least >= 1: below the mean as 1 - cdf, which then is at most about a half;
 * above it summed upward, where 1 - cdf has no digits. */
static double counting_tail(const struct counting_law *law, unsigned least)
{
    double sum = 0, term;
    if (law->trials < least || law->load == 0)
        return 0;
    if (law->p >= 1)
        return 1;
    if (law->load >= least) {
        unsigned i = least - 1;
        for (term = counting_term(law, i); term > sum * 1e-18; i--) {
            sum += term;
            if (i == 0)
                break;
            term /= counting_step(law, i - 1);
        }
        return 1 - sum;
    }
    term = counting_term(law, least);
    for (unsigned i = least; term > sum * 1e-18; i++) {
        sum += term;
        term *= counting_step(law, i);
    }
    return sum;
}

double theory_counter_tail(uint64_t m, uint64_t n, unsigned k, unsigned counter_bits)
{
    double trials = (double)(n * k);
    return counting_tail(
        &(struct counting_law){.trials = trials, .p = 1 / (double)m, .load = trials / (double)m},
        1u << counter_bits);
}

double theory_counter_tail_distinct(uint64_t m, uint64_t n, unsigned k, unsigned counter_bits)
{
    double p = k / (double)m;
    return counting_tail(&(struct counting_law){.trials = (double)n, .p = p, .load = (double)n * p},
                         1u << counter_bits);
}

double theory_counter_tail_poisson(double load, unsigned counter_bits)
{
    return counting_tail(&(struct counting_law){.trials = INFINITY, .load = load},
                         1u << counter_bits);
}

/* ---- any counter --------------------------------------------------------------------------- */

static double counting_any(uint64_t m, double tail)
{
    return tail < 1 ? -expm1((double)m * log1p(-tail)) : 1;
}

double theory_counter_any_binomial(uint64_t m, uint64_t n, unsigned k, unsigned counter_bits)
{
    return counting_any(m, theory_counter_tail(m, n, k, counter_bits));
}

double theory_counter_any_poisson(uint64_t m, uint64_t n, unsigned k, unsigned counter_bits)
{
    return counting_any(m, theory_counter_tail_poisson((double)(n * k) / (double)m, counter_bits));
}

/* out := 1 - N!/m^N [x^N] P(x)^m, P = sum_{i < least} x^i/i!. From P Q' = m P' Q for Q = P^m:
 * t q_t = sum_{i = 1}^{least - 1} ((m + 1) i - t) q_(t-i)/i!. */
static void counting_any_exact(mpfr_t out, uint64_t m, unsigned throws, unsigned least,
                               mpfr_prec_t bits)
{
    mpfr_t *q = precise_new(throws + 1, bits), *inverse = precise_new(least, bits);
    mpfr_t term;
    mpfr_init2(term, bits);
    mpfr_set_ui(inverse[0], 1, MPFR_RNDN);
    for (unsigned i = 1; i < least; i++)
        mpfr_div_ui(inverse[i], inverse[i - 1], i, MPFR_RNDN);
    mpfr_set_ui(q[0], 1, MPFR_RNDN);
    for (unsigned t = 1; t <= throws; t++) {
        mpfr_set_zero(q[t], 1);
        for (unsigned i = 1; i < least && i <= t; i++) {
            mpfr_mul_si(term, inverse[i], (int64_t)((m + 1) * i) - t, MPFR_RNDN);
            mpfr_mul(term, term, q[t - i], MPFR_RNDN);
            mpfr_add(q[t], q[t], term, MPFR_RNDN);
        }
        mpfr_div_ui(q[t], q[t], t, MPFR_RNDN);
    }
    mpfr_set(out, q[throws], MPFR_RNDN);
    for (unsigned t = 1; t <= throws; t++) {
        mpfr_mul_ui(out, out, t, MPFR_RNDN);
        mpfr_div_ui(out, out, m, MPFR_RNDN);
    }
    mpfr_ui_sub(out, 1, out, MPFR_RNDN);
    mpfr_clear(term);
    precise_free(q, throws + 1);
    precise_free(inverse, least);
}

/* How far the recursion cancels is not known beforehand: two precisions must agree. */
double theory_counter_any_exact(uint64_t m, uint64_t n, unsigned k, unsigned counter_bits)
{
    uint64_t throws = n * k;
    unsigned least = 1u << counter_bits;
    double about = theory_counter_any_binomial(m, n, k, counter_bits);
    if (throws > COUNTER_EXACT_MAX)
        return NAN;
    if (throws < least || about == 0)
        return 0;
    if (throws > m * (least - 1))
        return 1;
    double value = NAN, before;
    mpfr_t x;
    mpfr_init2(x, 64);
    mpfr_prec_t bits = 128 - (mpfr_prec_t)log2(about);
    do {
        before = value;
        mpfr_set_prec(x, bits);
        counting_any_exact(x, m, (unsigned)throws, least, bits);
        value = mpfr_get_d(x, MPFR_RNDN);
        bits *= 2;
    } while (!(fabs(value - before) <= 1e-15 * value));
    mpfr_clear(x);
    precise_forget();
    return value;
}

/* ---- the bounds of Fan et al. -------------------------------------------------------------- */

double theory_counter_fan_union(uint64_t m, uint64_t n, unsigned k, unsigned counter_bits)
{
    double throws = (double)(n * k), bound = (double)m;
    for (unsigned i = 0; i < 1u << counter_bits; i++)
        bound *= fmax(0, throws - i) / ((i + 1) * (double)m);
    return bound;
}

double theory_counter_fan_e(uint64_t m, uint64_t n, unsigned k, unsigned counter_bits)
{
    double least = 1u << counter_bits;
    return (double)m * pow(M_E * (double)(n * k) / (least * (double)m), least);
}

double theory_counter_fan_ln2(uint64_t m, uint64_t n, unsigned k, unsigned counter_bits)
{
    double least = 1u << counter_bits;
    if ((double)(n * k) > (double)m * M_LN2)
        return NAN;
    return (double)m * pow(M_E * M_LN2 / least, least);
}
