/* SPDX-License-Identifier: MIT
 *
 * coins.c: the bits of a digest, from the top, are tosses: 0 is heads, as HyperLogLog counts zeros.
 */
#include "harness/claims/coins.h"

#include <math.h>
#include <stdio.h>

enum { COINS = 1 << 22, COINS_RUN_MAX = 64 };
static const char coins_how[] = "4194304 series of tosses: the bits of murmur3_x64_128 of 0 .. "
                                "4194303 (8 bytes, little-endian), seed 0; the rest is arithmetic";

/* run[j]: series that begin with exactly j heads. */
static void coins_toss(uint64_t run[COINS_RUN_MAX + 1])
{
    const struct hash *hash = hash_find("murmur3_x64_128");
    for (int j = 0; j <= COINS_RUN_MAX; j++)
        run[j] = 0;
    for (uint64_t i = 0; i < COINS; i++) {
        unsigned char key[8];
        for (int b = 0; b < 8; b++)
            key[b] = (unsigned char)(i >> (8 * b));
        uint64_t bits = hash->one(key, sizeof key, 0).word[0];
        run[bits ? __builtin_clzll(bits) : COINS_RUN_MAX]++;
    }
}

static uint64_t coins_at_least(const uint64_t run[COINS_RUN_MAX + 1], unsigned heads)
{
    uint64_t series = 0;
    for (unsigned j = heads; j <= COINS_RUN_MAX; j++)
        series += run[j];
    return series;
}

/* Exactly `heads` heads, then a tail. */
static enum status coins_exactly(struct finding *finding, const struct claim *claim, int heads)
{
    uint64_t run[COINS_RUN_MAX + 1];
    coins_toss(run);
    finding_computed(finding, "", claim->value[0], 0, ldexp(1, -heads - 1));
    finding_share(finding, "of the series tossed", NAN, run[heads], COINS);
    finding_how(finding, "%s", coins_how);
    return OK;
}

enum status coins_first(struct finding *finding, const struct claim *claim, struct claim_lab *lab,
                        struct error *err)
{
    (void)lab, (void)err;
    return coins_exactly(finding, claim, 0);
}

enum status coins_third(struct finding *finding, const struct claim *claim, struct claim_lab *lab,
                        struct error *err)
{
    (void)lab, (void)err;
    return coins_exactly(finding, claim, 2);
}

/* "k heads in a row" is one event beside "then tails" of the line before, another without. */
enum status coins_heads(struct finding *finding, const struct claim *claim, struct claim_lab *lab,
                        struct error *err)
{
    enum { HEADS = 3 };
    uint64_t run[COINS_RUN_MAX + 1];
    (void)claim, (void)lab, (void)err;
    coins_toss(run);
    uint64_t exactly = run[HEADS], least = coins_at_least(run, HEADS);
    finding_share(finding, "at least 3 heads", NAN, least, COINS);
    finding_share(finding, "exactly 3, then a tail", NAN, exactly, COINS);
    finding_say(finding,
                "2^-k for at least k heads (k = 3: %.6g tossed, %.9g), 2^-(k+1) for exactly k and "
                "then a tail (%.6g, %.9g)",
                finding->reading[0].value, ldexp(1, -HEADS), finding->reading[1].value,
                ldexp(1, -HEADS - 1));
    finding_holds(finding, exactly == least, CLAIM_AMBIGUOUS);
    finding_how(finding, "%s", coins_how);
    return OK;
}

/* Series until one has ten heads: 1024 on average. */
enum status coins_ten(struct finding *finding, const struct claim *claim, struct claim_lab *lab,
                      struct error *err)
{
    enum { TEN = 10 };
    uint64_t run[COINS_RUN_MAX + 1];
    (void)lab, (void)err;
    coins_toss(run);
    uint64_t found = coins_at_least(run, TEN);
    struct interval share = stats_wilson(found, COINS, 0.95);
    finding_computed(finding, "", claim->value[0], 0, ldexp(1, TEN));
    finding_measured(finding, "series for each with ten heads", NAN, (double)COINS / (double)found,
                     (struct interval){1 / share.hi, 1 / share.lo}, NAN);
    finding_how(finding, "%s", coins_how);
    return OK;
}
