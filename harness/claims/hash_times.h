/* SPDX-License-Identifier: MIT
 *
 * hash_times.h: nanoseconds a key of hash functions, and of filters by how many they have, taken in
 * turns: times, not the same twice.
 */
#ifndef BLOOMLAB_CLAIMS_HASH_TIMES_H
#define BLOOMLAB_CLAIMS_HASH_TIMES_H

#include "harness/claims/claim.h"

enum status hash_times_cryptographic(struct finding *finding, const struct claim *claim,
                                     struct claim_lab *lab, struct error *err);
enum status hash_times_more(struct finding *finding, const struct claim *claim,
                            struct claim_lab *lab, struct error *err);

#endif
