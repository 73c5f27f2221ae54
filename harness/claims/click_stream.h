/* SPDX-License-Identifier: MIT
 *
 * click_stream.h: duplicate clicks in a stream of messages: one article in two languages (sources
 * 000 and 003), whose numbers are the same but for the salts of an example.
 */
#ifndef BLOOMLAB_CLAIMS_CLICK_STREAM_H
#define BLOOMLAB_CLAIMS_CLICK_STREAM_H

#include "harness/claims/claim.h"
#include "harness/claims/hash_times.h"
#include "harness/claims/properties.h"

typedef enum status click_find(struct finding *finding, const struct claim *claim,
                               struct claim_lab *lab, struct error *err);

click_find click_ids, click_uuid, click_memory, click_hash_bits, click_vector, click_index;
click_find click_hour;
click_find click_demos, click_filter_demo, click_more_hashes;
click_find click_trap_map, click_trap_filters; /* click_trap.c */
click_find click_salt;                         /* key, salt and bits stand in the claim's name */

/* The rows the two have in common. */
#define CLICK_CLAIMS                                                                               \
    {                                                                                              \
        .name = "ids per day at 10,000 messages/s",                                                \
        .claimed = "864000000",                                                                    \
        .value = {864000000},                                                                      \
        .find = click_ids,                                                                         \
    },                                                                                             \
        {                                                                                          \
            .name = "uuid v4 length",                                                              \
            .claimed = "36",                                                                       \
            .value = {36},                                                                         \
            .find = click_uuid,                                                                    \
        },                                                                                         \
        {                                                                                          \
            .name = "memory for the ids",                                                          \
            .claimed = ">= 31 GB",                                                                 \
            .value = {31e9},                                                                       \
            .unit = {-1},                                                                          \
            .find = click_memory,                                                                  \
        },                                                                                         \
        {                                                                                          \
            .name = "murmurhash returns a 32-bit integer",                                         \
            .claimed = "32",                                                                       \
            .value = {32},                                                                         \
            .find = click_hash_bits,                                                               \
        },                                                                                         \
        {                                                                                          \
            .name = "index 47 for \"123\"",                                                        \
            .claimed = "47",                                                                       \
            .value = {47},                                                                         \
            .find = click_index,                                                                   \
        },                                                                                         \
        {                                                                                          \
            .name = "demo 1-4 print 3 messages (123,456,789)",                                     \
            .claimed = "3 lines",                                                                  \
            .value = {3},                                                                          \
            .find = click_demos,                                                                   \
        },                                                                                         \
        {                                                                                          \
            .name = "BloomFilter(3,8) demo prints 123,456,789",                                    \
            .claimed = "3 lines",                                                                  \
            .value = {3},                                                                          \
            .find = click_filter_demo,                                                             \
        },                                                                                         \
    {                                                                                              \
        .name = "more hash functions reduce the error probability", .claimed = "qualitative",      \
        .find = click_more_hashes,                                                                 \
    }

/* What the two say in words. */
#define CLICK_PROPERTIES                                                                           \
    {                                                                                              \
        .name = "ids older than an hour are forgotten",                                            \
        .claimed = "one hour",                                                                     \
        .value = {1},                                                                              \
        .find = click_hour,                                                                        \
    },                                                                                             \
        {                                                                                          \
            .name = "a no is certain",                                                             \
            .claimed = "qualitative",                                                              \
            .find = property_no_is_certain,                                                        \
        },                                                                                         \
        {                                                                                          \
            .name = "larger hash functions reduce the error probability",                          \
            .claimed = "qualitative",                                                              \
            .find = property_wide_less_error,                                                      \
        },                                                                                         \
        {                                                                                          \
            .name = "larger hash functions take more space",                                       \
            .claimed = "qualitative",                                                              \
            .find = property_wide_more_space,                                                      \
        },                                                                                         \
        {                                                                                          \
            .name = "an element cannot be removed",                                                \
            .claimed = "qualitative",                                                              \
            .find = property_no_removal,                                                           \
        },                                                                                         \
    {                                                                                              \
        .name = "more hash functions are slower", .claimed = "qualitative", .timed = true,         \
        .find = hash_times_more,                                                                   \
    }

#endif
