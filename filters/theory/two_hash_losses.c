/* SPDX-License-Identifier: MIT
 *
 * two_hash_losses.c: the overlap D(S) of every subset S of a query's cells, and the alternating sum
 * (two_hash_exact.h).
 *
 * With w(M) the groups, -D(S) = sum of w(M) over the masks M that meet S, so D(S) = Z(not S) -
 * Z(all) where Z(I) = sum over M within I of w(M): the subset-sum (zeta) transform, r 2^r
 * additions. Few different pairs (|S|, D) occur, so subsets are counted by pair and each pair costs
 * one power.
 */
#include "filters/theory/two_hash_exact.h"

#include <math.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

bool two_hash_tally_init(struct two_hash_tally *tally, unsigned k)
{
    memset(tally, 0, sizeof *tally);
    tally->rows = k + 1;
    tally->overlap = malloc((sizeof *tally->overlap) << k);
    return tally->overlap != NULL;
}

void two_hash_tally_release(struct two_hash_tally *tally)
{
    for (unsigned s = 0; s < tally->rows; s++)
        free(tally->row[s]);
    free(tally->overlap);
    memset(tally, 0, sizeof *tally);
}

void two_hash_tally_clear(struct two_hash_tally *tally)
{
    for (unsigned s = 0; s < tally->rows && tally->length; s++)
        memset(tally->row[s], 0, tally->length * sizeof **tally->row);
    tally->queries = 0;
}

static bool two_hash_tally_grow(struct two_hash_tally *tally, size_t length)
{
    if (length <= tally->length)
        return true;
    for (unsigned s = 0; s < tally->rows; s++) {
        uint64_t *longer = realloc(tally->row[s], length * sizeof *longer);
        if (!longer)
            return false;
        memset(longer + tally->length, 0, (length - tally->length) * sizeof *longer);
        tally->row[s] = longer;
    }
    tally->length = length;
    return true;
}

static void two_hash_zeta_bits(int32_t *restrict z, size_t size, unsigned from, unsigned to)
{
    for (unsigned bit = from; bit < to; bit++) {
        size_t half = (size_t)1 << bit;
        for (size_t block = 0; block < size; block += 2 * half)
            for (size_t i = block; i < block + half; i++)
                z[half + i] += z[i];
    }
}

/* In pieces that stay in the first cache for the low bits. */
static void two_hash_zeta(int32_t *z, unsigned bits)
{
    unsigned low = bits < 12 ? bits : 12;
    size_t size = (size_t)1 << bits, piece = (size_t)1 << low;
    for (size_t at = 0; at < size; at += piece)
        two_hash_zeta_bits(z + at, piece, 0, low);
    two_hash_zeta_bits(z, size, low, bits);
}

bool two_hash_tally_add(struct two_hash_tally *tally, const struct two_hash_groups *groups,
                        uint64_t weight)
{
    unsigned cells = groups->cells;
    size_t size = (size_t)1 << cells;
    int32_t *z = tally->overlap;
    memset(z, 0, size * sizeof *z);
    for (size_t i = 0; i < groups->count; i++)
        z[groups->group[i].mask] += groups->group[i].count;
    two_hash_zeta(z, cells);
    int32_t all = z[size - 1];
    if (!two_hash_tally_grow(tally, (size_t)-all + 1))
        return false;
    for (size_t rest = 0; rest < size; rest++)
        tally->row[cells - (unsigned)__builtin_popcountll(rest)][z[rest] - all] += weight;
    tally->queries += (double)weight;
    return true;
}

/* A lower bound of E[f] is 1 - (1 - 1/T)^n >= 1/2T (a member's own twin is a hit), no term exceeds
 * 1, and a rounding error e of c/T grows to at most n e (c/T)^(n-1) <= T e in the power: with 2
 * log2 T + k + 3 bits lost, 64 remain. */
static mpfr_prec_t two_hash_precision(const struct two_hash *scheme)
{
    double keys = log2((double)scheme->m) + log2((double)two_hash_step_count(scheme));
    return 2 * (mpfr_prec_t)ceil(keys) + (mpfr_prec_t)scheme->k + 3 + 64;
}

/* sum += sum over D of row[s][D] ((first + D)/T)^n, first = T - k s B. */
static void two_hash_row_sum(mpfr_t sum, const uint64_t *row, size_t length, const mpz_t first,
                             const mpz_t keys, uint64_t n)
{
    mpz_t avoid;
    mpfr_t term;
    mpz_init(avoid);
    mpfr_init2(term, mpfr_get_prec(sum));
    for (size_t overlap = 0; overlap < length; overlap++) {
        if (row[overlap] == 0)
            continue;
        mpz_add_ui(avoid, first, overlap);
        mpfr_set_z(term, avoid, MPFR_RNDN);
        mpfr_div_z(term, term, keys, MPFR_RNDN);
        mpfr_pow_ui(term, term, n, MPFR_RNDN);
        mpfr_mul_ui(term, term, row[overlap], MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
    }
    mpfr_clear(term);
    mpz_clear(avoid);
}

double two_hash_tally_rate(const struct two_hash_tally *tally, const struct two_hash *scheme,
                           uint64_t n, unsigned bits)
{
    mpz_t first, keys, used;
    mpfr_t sum, total;
    mpfr_prec_t precision = two_hash_precision(scheme) + (mpfr_prec_t)bits;
    mpz_inits(first, keys, used, NULL);
    mpfr_inits2(precision, sum, total, (mpfr_ptr)NULL);
    mpfr_set_zero(total, 1);
    mpz_set_ui(used, two_hash_step_count(scheme));
    mpz_mul_ui(keys, used, scheme->m);
    mpz_mul_ui(used, used, scheme->k);
    mpz_set(first, keys);
    for (unsigned s = 0; s < tally->rows; s++) {
        mpfr_set_zero(sum, 1);
        two_hash_row_sum(sum, tally->row[s], tally->length, first, keys, n);
        if (s % 2 == 0)
            mpfr_add(total, total, sum, MPFR_RNDN);
        else
            mpfr_sub(total, total, sum, MPFR_RNDN);
        mpz_sub(first, first, used);
    }
    mpfr_div_d(total, total, tally->queries, MPFR_RNDN);
    double rate = mpfr_get_d(total, MPFR_RNDN);
    mpfr_clears(sum, total, (mpfr_ptr)NULL);
    mpz_clears(first, keys, used, NULL);
    mpfr_free_cache();
    return rate;
}
