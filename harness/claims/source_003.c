/* SPDX-License-Identifier: MIT
 *
 * source_003.c: the article of source_000.c in French, with salts of its own.
 */
#include "harness/claims/click_stream.h"

static const struct claim source_003_claims[] = {
    CLICK_CLAIMS,
    {
        .name = "size of the bit vector for an n-bit hash",
        .claimed = "2n (text of 000) / 2^n (003)",
        .value = {256},
        .find = click_vector,
    },
    {
        .name = "hash of \"123\" with salt unSel, n=8",
        .claimed = "246",
        .value = {246},
        .find = click_salt,
    },
    {
        .name = "hash of \"123\" with salt unAutreSel, n=8",
        .claimed = "14",
        .value = {14},
        .find = click_salt,
    },
    CLICK_PROPERTIES,
};

const struct claim_source claim_source_003 = {
    .name = "003_df10c57f13a7984e.txt",
    .title = "003: duplicate clicks (French)",
    .claims = source_003_claims,
    .count = sizeof source_003_claims / sizeof source_003_claims[0],
};
