/* SPDX-License-Identifier: MIT
 *
 * two_hash.c: steps, positions and the little number theory that double hashing needs.
 */
#include "filters/theory/two_hash.h"

#include <stdlib.h>

enum two_hash_steps two_hash_steps(const struct two_hash *scheme)
{
    bool power_of_two = (scheme->m & (scheme->m - 1)) == 0;
    if (scheme->m == 1)
        return STEPS_ANY;
    if (scheme->odd && power_of_two)
        return STEPS_ODD;
    return scheme->nonzero ? STEPS_NONZERO : STEPS_ANY;
}

uint64_t two_hash_step_count(const struct two_hash *scheme)
{
    switch (two_hash_steps(scheme)) {
    case STEPS_ODD:
        return scheme->m / 2;
    case STEPS_NONZERO:
        return scheme->m - 1;
    case STEPS_ANY:
        break;
    }
    return scheme->m;
}

bool two_hash_step_allowed(const struct two_hash *scheme, uint64_t step)
{
    switch (two_hash_steps(scheme)) {
    case STEPS_ODD:
        return step % 2 == 1;
    case STEPS_NONZERO:
        return step != 0;
    case STEPS_ANY:
        break;
    }
    return true;
}

uint64_t two_hash_draw_step(uint64_t *state, const struct two_hash *scheme)
{
    switch (two_hash_steps(scheme)) {
    case STEPS_ODD:
        return 2 * two_hash_draw(state, scheme->m / 2) + 1;
    case STEPS_NONZERO:
        return 1 + two_hash_draw(state, scheme->m - 1);
    case STEPS_ANY:
        break;
    }
    return two_hash_draw(state, scheme->m);
}

unsigned two_hash_cells(const struct two_hash *scheme, uint64_t step, uint64_t *cell)
{
    unsigned count = 0;
    for (unsigned i = 0; i < scheme->k; i++) {
        uint64_t position = two_hash_offset(scheme, step, i);
        unsigned j = 0;
        while (j < count && cell[j] != position)
            j++;
        if (j == count)
            cell[count++] = position;
    }
    return count;
}

uint64_t two_hash_gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

uint64_t two_hash_inverse(uint64_t a, uint64_t m)
{
    int64_t x = 0, next_x = 1;
    uint64_t rest = m, next_rest = a % m;
    while (next_rest) {
        uint64_t quotient = rest / next_rest, r = rest % next_rest;
        int64_t y = x - (int64_t)quotient * next_x;
        x = next_x;
        next_x = y;
        rest = next_rest;
        next_rest = r;
    }
    if (m == 1)
        return 0;
    return x < 0 ? (uint64_t)(x + (int64_t)m) : (uint64_t)x;
}

uint64_t two_hash_totient(uint64_t x)
{
    uint64_t totient = x;
    for (uint64_t p = 2; p * p <= x; p += p == 2 ? 1 : 2) {
        if (x % p != 0)
            continue;
        totient -= totient / p;
        while (x % p == 0)
            x /= p;
    }
    return x > 1 ? totient - totient / x : totient;
}

int two_hash_compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Multiplies the list by the powers p^1 .. p^exponent. */
static bool two_hash_extend(uint64_t **list, size_t *count, uint64_t p, unsigned exponent)
{
    uint64_t *longer = realloc(*list, *count * (exponent + 1) * sizeof *longer);
    if (!longer)
        return false;
    size_t old = *count;
    for (size_t i = 0; i < old * exponent; i++)
        longer[old + i] = longer[i] * p;
    *list = longer;
    *count = old * (exponent + 1);
    return true;
}

uint64_t *two_hash_divisors(size_t *count, uint64_t m)
{
    uint64_t *list = malloc(sizeof *list);
    if (!list)
        return NULL;
    list[0] = 1;
    *count = 1;
    bool enough = true;
    for (uint64_t p = 2; p * p <= m && enough; p += p == 2 ? 1 : 2) {
        unsigned exponent = 0;
        for (; m % p == 0; m /= p)
            exponent++;
        if (exponent)
            enough = two_hash_extend(&list, count, p, exponent);
    }
    if (m > 1 && enough)
        enough = two_hash_extend(&list, count, m, 1);
    if (!enough) {
        free(list);
        return NULL;
    }
    qsort(list, *count, sizeof *list, two_hash_compare);
    return list;
}

/* By Gauss: x is the sum of the totients of its divisors. */
void two_hash_totients(uint64_t *totient, const uint64_t *divisor, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        totient[i] = divisor[i];
        for (size_t j = 0; j < i; j++)
            if (divisor[i] % divisor[j] == 0)
                totient[i] -= totient[j];
    }
}

struct two_hash_congruence two_hash_congruence(uint64_t d, uint64_t m)
{
    uint64_t divisor = two_hash_gcd(d, m), spacing = m / divisor;
    struct two_hash_congruence congruence = {divisor, spacing,
                                             two_hash_inverse(d / divisor, spacing)};
    return congruence;
}

uint64_t *two_hash_meetings(size_t *count, const struct two_hash *scheme)
{
    size_t room = 0;
    for (unsigned e = 1; e < scheme->k; e++)
        room += (scheme->k - e) * two_hash_gcd(e, scheme->m);
    uint64_t *meeting = malloc((room + 1) * sizeof *meeting), step;
    *count = 0;
    for (unsigned e = 1; meeting && e < scheme->k; e++) {
        struct two_hash_congruence congruence = two_hash_congruence(e, scheme->m);
        for (unsigned h = 0; h + e < scheme->k; h++) {
            uint64_t apart = two_hash_cubic(scheme, h, h + e);
            if (!two_hash_solve(&congruence, apart, &step))
                continue;
            for (uint64_t t = 0; t < congruence.divisor; t++, step += congruence.spacing)
                if (two_hash_step_allowed(scheme, step))
                    meeting[(*count)++] = step;
        }
    }
    if (meeting)
        qsort(meeting, *count, sizeof *meeting, two_hash_compare);
    return meeting;
}
