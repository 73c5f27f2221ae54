/* SPDX-License-Identifier: MIT
 *
 * size.h: how large a filter a stream needs.
 */
#ifndef BLOOMLAB_STREAM_SIZE_H
#define BLOOMLAB_STREAM_SIZE_H

#include "filters/filter.h"
#include "hashes/family.h"

struct stream_size {
    const struct filter_ops *ops;
    struct filter_params own; /* only `own` is looked at */
    struct digest_family family;
    uint64_t capacity; /* different ids one filter is to take; 0: not said */
    double rate;       /* wanted of one filter when these are in; NaN: not said */
    uint64_t bits;     /* positions of one filter; 0: what the rate needs */
    unsigned hashes;   /* probes; 0: the best for bits and capacity */
};

/* Either capacity and rate, or bits, and with these hashes or capacity. For a rate: k is the best
 * for m = ceil(-n ln p / (ln 2)^2) bits, at which whole numbers k miss the rate by a little; m is
 * then raised until the variant's own theory, narrow digests included, keeps the promise: to the
 * least m, or to 1/4096 of it where m is larger. E_INPUT: what cannot be; a variant, or digests too
 * narrow, that misses the rate however many bits it has. */
enum status stream_size(struct layout *layout, const struct stream_size *wanted, struct error *err);

#endif
