/* SPDX-License-Identifier: MIT
 *
 * two_hash_sample.c: the rate of a large bit array, from a sample of steps.
 *
 * At least 256 steps, and as many as make 2^29 keys (a, b); up to m = 2^22 with all a, beyond that
 * with 2^22 of them from a random place on. The sample is a function of the scheme alone.
 *
 * Double hashing with any step is stratified by gcd(b, m), as far as primes below 256 go: m = P Q,
 * Q without such primes, and the class of a divisor g of P has the steps with gcd(b, P) = g. Steps
 * of an order r = m/gcd(b, m) below k set few cells, so a nearly full share of the keys may hit
 * (all set bits for b = 0): they are counted apart, exactly where m <= 2^22. They are totient(r) of
 * the class P/r. The other classes that have no two steps in the sample are drawn from together.
 *
 * The error is that of a stratified mean, but never below the Poisson error of the hits seen (of
 * one hit when there was none): a sample without a hit does not make the rate 0 +- 0.
 */
#include "filters/theory/two_hash_scheme.h"

#include <math.h>
#include <stdlib.h>

#include "filters/bits.h"

enum { SAMPLE_STEPS_MIN = 256, SAMPLE_PRIME_MAX = 256 };
#define SAMPLE_WINDOW (UINT64_C(1) << 22)
#define SAMPLE_KEYS (UINT64_C(1) << 29)

struct two_hash_sample {
    const struct two_hash *scheme;
    const unsigned char *array;
    struct two_hash_rotor rotor; /* m <= SAMPLE_WINDOW */
    uint64_t window;             /* keys looked at for one step */
    bool classes;                /* stratified by gcd(b, m)? */
    uint64_t smooth;             /* P; 1 without classes */
    uint64_t steps;              /* to be drawn, about */
    uint64_t state;
    double keys, hits;   /* seen */
    struct estimate sum; /* of weight times rate; se: its square */
};

/* The keys of one step that hit, as a share. */
static double two_hash_sample_rate(struct two_hash_sample *sample, uint64_t step)
{
    const struct two_hash *scheme = sample->scheme;
    uint64_t offset[TWO_HASH_K_MAX];
    if (scheme->m <= SAMPLE_WINDOW)
        return (double)two_hash_rotor_count(&sample->rotor, step) / (double)scheme->m;
    uint64_t start = two_hash_draw(&sample->state, scheme->m);
    for (unsigned i = 0; i < scheme->k; i++)
        offset[i] = (start + two_hash_offset(scheme, step, i)) % scheme->m;
    uint64_t hits =
        two_hash_window_count(sample->array, scheme->m, offset, scheme->k, sample->window);
    return (double)hits / (double)sample->window;
}

/* ---- classes ------------------------------------------------------------------------------- */

/* How many steps of order at least k have gcd(b, P) = P/r. */
static double two_hash_class_size(const struct two_hash_sample *sample, uint64_t r)
{
    if (!sample->classes)
        return (double)two_hash_step_count(sample->scheme);
    double rough = (double)(sample->scheme->m / sample->smooth);
    return (double)two_hash_totient(r) * (rough - (r < sample->scheme->k));
}

static uint64_t two_hash_class_draw(struct two_hash_sample *sample, uint64_t r)
{
    const struct two_hash *scheme = sample->scheme;
    if (!sample->classes)
        return two_hash_draw_step(&sample->state, scheme);
    for (;;) {
        uint64_t divisor = sample->smooth / r;
        uint64_t unit = two_hash_draw(&sample->state, scheme->m / divisor);
        if (two_hash_gcd(unit, r) == 1 &&
            scheme->m / two_hash_gcd(divisor * unit, scheme->m) >= scheme->k)
            return divisor * unit;
    }
}

/* Adds a stratum of `size` steps, given the rates of `count` of them. */
static void two_hash_stratum_add(struct two_hash_sample *sample, double size, const double *rate,
                                 uint64_t count)
{
    double mean = 0, square = 0;
    for (uint64_t i = 0; i < count; i++)
        mean += rate[i];
    mean /= (double)count;
    for (uint64_t i = 0; i < count; i++)
        square += (rate[i] - mean) * (rate[i] - mean);
    double variance = square / (double)(count - 1) / (double)count;
    sample->sum.value += size * mean;
    sample->sum.se += size * size * variance;
    sample->keys += (double)count * (double)sample->window;
    sample->hits += mean * (double)count * (double)sample->window;
}

/* The classes too small for a stratum each, in one: a class is drawn by its size. */
static void two_hash_sample_rest(struct two_hash_sample *sample, const uint64_t *order,
                                 size_t count, double *rate)
{
    double size = 0, total = (double)two_hash_step_count(sample->scheme);
    for (size_t i = 0; i < count; i++)
        size += two_hash_class_size(sample, order[i]);
    if (size == 0)
        return;
    uint64_t draws = (uint64_t)ceil(fmax(2, size / total * (double)sample->steps));
    for (uint64_t t = 0; t < draws; t++) {
        double at = (double)two_hash_draw(&sample->state, UINT64_C(1) << 48) * 0x1p-48 * size;
        size_t i = 0;
        while (i + 1 < count && at >= two_hash_class_size(sample, order[i]))
            at -= two_hash_class_size(sample, order[i++]);
        rate[t] = two_hash_sample_rate(sample, two_hash_class_draw(sample, order[i]));
    }
    two_hash_stratum_add(sample, size, rate, draws);
}

static bool two_hash_sample_classes(struct two_hash_sample *sample)
{
    size_t count, rest = 0;
    uint64_t *order = two_hash_divisors(&count, sample->smooth);
    double total = (double)two_hash_step_count(sample->scheme);
    double *rate = malloc((sample->steps + 2) * sizeof *rate);
    for (size_t i = 0; order && rate && i < count; i++) {
        double size = two_hash_class_size(sample, order[i]);
        uint64_t draws = (uint64_t)floor(size / total * (double)sample->steps);
        if (draws < 2) {
            order[rest++] = order[i];
            continue;
        }
        for (uint64_t t = 0; t < draws; t++)
            rate[t] = two_hash_sample_rate(sample, two_hash_class_draw(sample, order[i]));
        two_hash_stratum_add(sample, size, rate, draws);
    }
    bool enough = order && rate;
    if (enough)
        two_hash_sample_rest(sample, order, rest, rate);
    free(order);
    free(rate);
    return enough;
}

/* The steps of order below k: all of one order have the same cells. */
static void two_hash_sample_short(struct two_hash_sample *sample)
{
    const struct two_hash *scheme = sample->scheme;
    uint64_t m = scheme->m, offset[TWO_HASH_K_MAX];
    for (unsigned r = 1; r < scheme->k; r++) {
        if (m % r != 0 || (r == 1 && !two_hash_step_allowed(scheme, 0)))
            continue;
        double steps = (double)two_hash_totient(r), rate, error = 0;
        if (r == 1) {
            rate = (double)bits_count(sample->array, bits_bytes(m)) / (double)m;
        } else {
            uint64_t start = two_hash_draw(&sample->state, m);
            for (unsigned i = 0; i < r; i++)
                offset[i] = (start + i * (m / r)) % m;
            uint64_t hits = two_hash_window_count(sample->array, m, offset, r, sample->window);
            rate = (double)hits / (double)sample->window;
            if (sample->window < m)
                error = rate * (1 - rate) / (double)sample->window;
        }
        sample->sum.value += steps * rate;
        sample->sum.se += steps * steps * error;
    }
}

static uint64_t two_hash_smooth_part(uint64_t m)
{
    uint64_t smooth = 1;
    for (uint64_t p = 2; p < SAMPLE_PRIME_MAX; p++)
        for (; m % p == 0; m /= p)
            smooth *= p;
    return smooth;
}

struct estimate two_hash_scheme_sample(const struct two_hash *scheme, const unsigned char *array)
{
    struct two_hash_sample sample = {.scheme = scheme, .array = array, .smooth = 1};
    struct estimate none = {NAN, NAN};
    bool whole = scheme->m <= SAMPLE_WINDOW;
    sample.classes = scheme->law == LAW_DOUBLE && two_hash_steps(scheme) != STEPS_ODD;
    sample.window = whole ? scheme->m : SAMPLE_WINDOW;
    sample.steps = SAMPLE_KEYS / sample.window;
    if (sample.steps < SAMPLE_STEPS_MIN)
        sample.steps = SAMPLE_STEPS_MIN;
    sample.state = two_hash_stream(scheme, USE_STEPS);
    if (sample.classes)
        sample.smooth = two_hash_smooth_part(scheme->m);
    if (whole && !two_hash_rotor_init(&sample.rotor, scheme))
        return none;
    if (whole)
        two_hash_rotor_load(&sample.rotor, array);
    bool enough = two_hash_sample_classes(&sample);
    if (whole)
        two_hash_rotor_release(&sample.rotor);
    if (!enough)
        return none;
    if (sample.classes)
        two_hash_sample_short(&sample);
    double total = (double)two_hash_step_count(scheme);
    double seen = fmax(sample.hits, 1) / (sample.keys * sample.keys);
    return (struct estimate){sample.sum.value / total,
                             sqrt(fmax(sample.sum.se / (total * total), seen))};
}
