/* SPDX-License-Identifier: MIT
 *
 * source_000.c: an article on duplicate clicks, in Spanish: Bloom filters from murmurhash and
 * salts.
 */
#include "harness/claims/click_stream.h"

static const struct claim source_000_claims[] = {
    CLICK_CLAIMS,
    {
        .name = "size of the bit vector for an n-bit hash",
        .claimed = "2n (text of 000) / 2^n (003)",
        .find = click_vector,
    },
    {
        .name = "hash of \"123\" with salt nejakaSul, n=8",
        .claimed = "42",
        .value = {42},
        .find = click_salt,
    },
    {
        .name = "hash of \"123\" with salt nejakaJinaSul, n=8",
        .claimed = "174",
        .value = {174},
        .find = click_salt,
    },
    {
        .name = "hashes of 32 bits stand for the ids of a day",
        .claimed = "qualitative",
        .find = click_trap_map,
    },
    {
        .name = "a filter for a day's ids at 1 %, by hashes of 32 bits",
        .claimed = "1 %",
        .value = {0.01},
        .find = click_trap_filters,
    },
    CLICK_PROPERTIES,
};

const struct claim_source claim_source_000 = {
    .name = "000_cf62b68020e83d14.txt",
    .title = "000: duplicate clicks (Spanish)",
    .claims = source_000_claims,
    .count = sizeof source_000_claims / sizeof source_000_claims[0],
};
