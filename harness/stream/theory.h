/* SPDX-License-Identifier: MIT
 *
 * theory.h: how many new ids a filter loses from a stream, on average.
 *
 * A new id is lost when it is found: with probability r(i) when i different ids are in. Lost ids
 * change no bit, so that i counts them too. Over n ids the mean is the sum of r(0) .. r(n - 1).
 *
 * r is the variant's own model, and what narrow digests add to it: with digests of w bits a new id
 * all of whose digests are an old one's is lost whatever m is; classic positions beyond 2^w are
 * never reached, those below are likelier; and where all probes come from one digest, ids of one
 * digest count once.
 */
#ifndef BLOOMLAB_STREAM_THEORY_H
#define BLOOMLAB_STREAM_THEORY_H

#include <stdbool.h>

#include "filters/filter.h"
#include "hashes/family.h"

struct stream_law {
    const struct filter_ops *ops;
    const struct layout *layout;
    bool hashed;
    enum family family;
    unsigned digest_bits; /* kept of the hash; when hashed */
};

/* r(n): takes up to a second. NaN where there is no theory. */
double stream_rate(const struct stream_law *law, uint64_t n);

/* Sum of r(first) .. r(end - 1): 16 rates, by Gauss and Legendre; a relative error about k /
 * (end - first), far below the spread of what is counted. */
double stream_lost(const struct stream_law *law, uint64_t first, uint64_t end);

/* ---- r at many n ----------------------------------------------------------------------------- */

enum { STREAM_CURVE_NODES = 9, STREAM_CURVE_NODES_GROWING = 257 };

/* -ln(1 - r^(1/k)) at evenly spaced n: nearly a straight line, and quite one for the standard
 * formula, so that few nodes do; between them by cubic interpolation. A node is computed when it is
 * first asked for: a rate of double hashing takes a quarter of a second. A growing filter's rate
 * has a kink at every new slice, and is quickly computed: many nodes. The sum of r over many n is
 * right to 2e-4, of a growing filter to 1e-3. */
struct stream_curve {
    struct stream_law law;
    double load[STREAM_CURVE_NODES_GROWING];
    bool known[STREAM_CURVE_NODES_GROWING];
    unsigned last; /* node */
    uint64_t step; /* between nodes; 0: not yet made */
};

/* r(n); when n is beyond the curve it is stretched to twice as many ids, and keeps what it knows.
 */
double stream_curve_rate(struct stream_curve *curve, uint64_t n);

#endif
