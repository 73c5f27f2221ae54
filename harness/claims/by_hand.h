/* SPDX-License-Identifier: MIT
 *
 * by_hand.h: one filter and one hash family, key by key, as a reader with paper and pencil would.
 */
#ifndef BLOOMLAB_CLAIMS_BY_HAND_H
#define BLOOMLAB_CLAIMS_BY_HAND_H

#include "harness/trial/trial.h"

struct by_hand {
    struct digests batch; /* first: what the filter sees is this struct */
    struct digest_family family;
    struct key_batch keys;
    uint64_t offsets[2];
    struct layout layout;
    struct filter filter;
    struct workspace space;
    uint64_t scratch[64]; /* of the family: keys of up to 256 bytes */
};

enum { BY_HAND_KEY_MAX = 256 };

/* An empty filter. E_RUN: no memory; what the plan refuses. Not to be moved while it is open. */
enum status by_hand_open(struct by_hand *hand, const char *filter, uint64_t m, unsigned k,
                         const struct digest_family *family, struct error *err);
void by_hand_close(struct by_hand *hand);

void by_hand_insert(struct by_hand *hand, const char *key);
bool by_hand_query(struct by_hand *hand, const char *key);

/* Its k positions. */
void by_hand_positions(struct by_hand *hand, uint64_t *position, const char *key);

#endif
