/* SPDX-License-Identifier: MIT
 *
 * two_hash_fill.c: mean and variance of the number X of set bits (two_hash_fill.h).
 *
 *     E[X]   = m (1 - (1 - D/T)^n)
 *     Var[X] = m (1 - D/T)^n + m sum over delta <> 0 of (1 - 2D/T + N(delta)/T)^n - m^2 (1 -
 * D/T)^2n
 *
 * Double hashing. A step b of order r = m/gcd(b, m) >= k has the cells 0, b, .., (k-1) b; one of
 * lower order has the subgroup of order r. So
 *
 *     N(delta) = sum over 0 < |e| < k of (k - |e|) |{b of order >= k : e b = delta}|
 *              + sum over r < k, r | m of totient(r) r [delta is in the subgroup of order r]
 *
 * When the order of delta is at least k the second sum is 0 and the first needs only which of the
 * numbers gcd(e, m) divide delta, that is gcd(delta, M), M their least common multiple. The
 * distances of lower order are few. Odd steps (m = 2^j) have order m: N needs only the power of two
 * in delta.
 */
#include "filters/theory/two_hash_fill.h"

#include <math.h>
#include <mpfr.h>
#include <stdlib.h>

bool two_hash_fill_add(struct two_hash_fill *fill, uint64_t both, uint64_t count)
{
    for (size_t i = 0; i < fill->count; i++)
        if (fill->distances[i].both == both) {
            fill->distances[i].count += count;
            return true;
        }
    if (count == 0)
        return true;
    if (fill->count == fill->room) {
        size_t room = fill->room ? fill->room * 2 : 64;
        struct two_hash_distances *more = realloc(fill->distances, room * sizeof *more);
        if (!more)
            return false;
        fill->distances = more;
        fill->room = room;
    }
    fill->distances[fill->count++] = (struct two_hash_distances){both, count};
    return true;
}

/* ---- the sum ------------------------------------------------------------------------------- */

/* Terms of size m^2 cancel down to m 2^-48 at worst (two keys), and a power loses log2 n bits of
 * its base: 448 bits leave about 200. */
enum { FILL_BITS = 448 };

/* power = ((T - twice + N + spread)/T)^n */
static void two_hash_fill_power(mpfr_t power, const mpz_t keys, const mpz_t hits, double both,
                                unsigned cells, uint64_t n)
{
    mpfr_set_z(power, keys, MPFR_RNDN);
    for (unsigned i = 0; i < cells; i++)
        mpfr_sub_z(power, power, hits, MPFR_RNDN);
    mpfr_add_d(power, power, both, MPFR_RNDN);
    mpfr_div_z(power, power, keys, MPFR_RNDN);
    mpfr_pow_ui(power, power, n, MPFR_RNDN);
}

struct moments two_hash_fill_moments(const struct two_hash_fill *fill, uint64_t n)
{
    uint64_t m = fill->scheme->m;
    mpz_t keys, hits;
    mpfr_t empty, sum, term;
    mpz_inits(keys, hits, NULL);
    mpfr_inits2(FILL_BITS, empty, sum, term, (mpfr_ptr)NULL);
    mpz_set_ui(keys, two_hash_step_count(fill->scheme));
    mpz_mul_ui(keys, keys, m);
    mpz_set_ui(hits, fill->hits);
    two_hash_fill_power(empty, keys, hits, 0, 1, n);
    mpfr_set(sum, empty, MPFR_RNDN);
    for (size_t i = 0; i < fill->count; i++) {
        /* Two doubles: N is an integer below 2^53, the spread small beside it. */
        double both = (double)fill->distances[i].both + fill->spread;
        two_hash_fill_power(term, keys, hits, both, 2, n);
        mpfr_mul_ui(term, term, fill->distances[i].count, MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
    }
    mpfr_sqr(term, empty, MPFR_RNDN);
    mpfr_mul_ui(term, term, m, MPFR_RNDN);
    mpfr_sub(sum, sum, term, MPFR_RNDN);
    mpfr_exp_t noise = mpfr_zero_p(empty) ? 0 : mpfr_get_exp(empty) - 200;
    if (mpfr_zero_p(empty) || mpfr_zero_p(sum) || mpfr_get_exp(sum) < noise)
        mpfr_set_zero(sum, 1);
    mpfr_mul_ui(sum, sum, m, MPFR_RNDN);
    mpfr_ui_sub(term, 1, empty, MPFR_RNDN);
    mpfr_mul_ui(term, term, m, MPFR_RNDN);
    struct moments moments = {mpfr_get_d(term, MPFR_RNDN), fmax(0, mpfr_get_d(sum, MPFR_RNDN))};
    mpfr_clears(empty, sum, term, (mpfr_ptr)NULL);
    mpz_clears(keys, hits, NULL);
    mpfr_free_cache();
    return moments;
}

/* ---- double hashing ------------------------------------------------------------------------ */

static bool two_hash_fill_odd(struct two_hash_fill *fill)
{
    uint64_t m = fill->scheme->m, k = fill->scheme->k;
    if (k >= m) {
        fill->hits = m * (m / 2);
        return two_hash_fill_add(fill, m * (m / 2), m - 1);
    }
    fill->hits = k * (m / 2);
    uint64_t rest = m - 1, power = 1;
    for (; power < k; power *= 2) {
        uint64_t both = 0, same = m / (2 * power); /* distances with this power of two */
        for (uint64_t e = power; e < k; e += 2 * power)
            both += 2 * (k - e) * power;
        if (!two_hash_fill_add(fill, both, same))
            return false;
        rest -= same;
    }
    return two_hash_fill_add(fill, 0, rest);
}

/* N(delta) for a delta of order at least k, given h = gcd(delta, M). */
static uint64_t two_hash_both_generic(const struct two_hash *scheme, uint64_t h)
{
    uint64_t both = 0;
    for (unsigned e = 1; e < scheme->k; e++) {
        uint64_t divisor = two_hash_gcd(e, scheme->m);
        if (h % divisor == 0)
            both += UINT64_C(2) * (scheme->k - e) * divisor;
    }
    return both;
}

/* N(m/order) for an order below k. */
static uint64_t two_hash_both_short(const struct two_hash *scheme, uint64_t order)
{
    uint64_t m = scheme->m, k = scheme->k, both = 0, step;
    for (uint64_t e = 1; e < k; e++) {
        struct two_hash_congruence congruence = two_hash_congruence(e, m);
        if (!two_hash_solve(&congruence, m / order, &step))
            continue;
        for (uint64_t t = 0; t < congruence.divisor; t++, step += congruence.spacing)
            if (m / two_hash_gcd(step, m) >= k)
                both += 2 * (k - e);
    }
    for (uint64_t r = order; r < k; r += order)
        if (m % r == 0)
            both += two_hash_totient(r) * r;
    return both;
}

/* The least common multiple of the gcd(e, m), 0 < e < k. */
static uint64_t two_hash_fill_modulus(const struct two_hash *scheme)
{
    uint64_t modulus = 1;
    for (unsigned e = 1; e < scheme->k; e++) {
        uint64_t divisor = two_hash_gcd(e, scheme->m);
        modulus *= divisor / two_hash_gcd(modulus, divisor);
    }
    return modulus;
}

static bool two_hash_fill_any(struct two_hash_fill *fill)
{
    const struct two_hash *scheme = fill->scheme;
    uint64_t m = scheme->m, k = scheme->k, modulus = two_hash_fill_modulus(scheme);
    size_t count;
    uint64_t *divisor = two_hash_divisors(&count, modulus);
    if (!divisor)
        return false;
    bool enough = true;
    fill->hits = k * two_hash_step_count(scheme);
    for (size_t i = 0; i < count && enough; i++)
        enough = two_hash_fill_add(fill, two_hash_both_generic(scheme, divisor[i]),
                                   m / modulus * two_hash_totient(modulus / divisor[i]));
    free(divisor);
    for (uint64_t r = 1; r < k && r <= m && enough; r++) {
        if (m % r != 0)
            continue;
        uint64_t steps = two_hash_totient(r);
        if (r > 1 || two_hash_step_allowed(scheme, 0))
            fill->hits -= steps * (k - r);
        /* delta = m/r was counted above with h = gcd(m/r, M), and delta = 0 is no distance. */
        uint64_t generic = two_hash_both_generic(scheme, two_hash_gcd(m / r, modulus));
        enough = two_hash_fill_add(fill, generic, 0 - steps);
        if (r > 1)
            enough = enough && two_hash_fill_add(fill, two_hash_both_short(scheme, r), steps);
    }
    if (k == 1 && enough) /* nothing is of lower order, but delta = 0 is no distance */
        enough = two_hash_fill_add(fill, 0, UINT64_MAX);
    return enough;
}

bool two_hash_fill_double(struct two_hash_fill *fill)
{
    return two_hash_steps(fill->scheme) == STEPS_ODD ? two_hash_fill_odd(fill)
                                                     : two_hash_fill_any(fill);
}

struct moments theory_two_hash_fill(const struct two_hash *scheme, uint64_t n)
{
    struct two_hash_fill fill = {.scheme = scheme};
    struct moments moments = {0, 0};
    if (scheme->k == 0 || n == 0)
        return moments;
    bool enough =
        scheme->law == LAW_DOUBLE ? two_hash_fill_double(&fill) : two_hash_fill_enhanced(&fill);
    moments = enough ? two_hash_fill_moments(&fill, n) : (struct moments){NAN, NAN};
    free(fill.distances);
    return moments;
}
