/* SPDX-License-Identifier: MIT
 *
 * two_hash_scheme.c: the rate of one bit array, over all keys (a, b) or over a sample of steps b.
 */
#include "filters/theory/two_hash_scheme.h"

#include <math.h>

#include "filters/theory/two_hash_rotor.h"

enum { SCHEME_ALL_MAX = 65536 };

/* Over all steps. Double hashing: b and m - b give the same count. */
double two_hash_scheme_all(struct two_hash_rotor *rotor)
{
    const struct two_hash *scheme = rotor->scheme;
    uint64_t m = scheme->m, hits = 0;
    bool fold = scheme->law == LAW_DOUBLE;
    for (uint64_t step = 0; step < m; step++) {
        if (fold && step > m - step)
            break;
        if (!two_hash_step_allowed(scheme, step))
            continue;
        bool twice = fold && step != 0 && step != m - step;
        hits += two_hash_rotor_count(rotor, step) << twice;
    }
    return (double)hits / ((double)m * (double)two_hash_step_count(scheme));
}

struct estimate theory_two_hash_scheme(const struct two_hash *scheme, const unsigned char *array)
{
    struct two_hash_rotor rotor;
    struct estimate estimate = {1, 0};
    if (scheme->k == 0)
        return estimate;
    if (scheme->m > SCHEME_ALL_MAX)
        return two_hash_scheme_sample(scheme, array);
    if (!two_hash_rotor_init(&rotor, scheme))
        return (struct estimate){NAN, NAN};
    two_hash_rotor_load(&rotor, array);
    estimate.value = two_hash_scheme_all(&rotor);
    two_hash_rotor_release(&rotor);
    return estimate;
}
