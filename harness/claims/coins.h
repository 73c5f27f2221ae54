/* SPDX-License-Identifier: MIT
 *
 * coins.h: source 002 explains HyperLogLog by tosses of a coin; here the bits of a hash are tossed.
 */
#ifndef BLOOMLAB_CLAIMS_COINS_H
#define BLOOMLAB_CLAIMS_COINS_H

#include "harness/claims/claim.h"

typedef enum status coins_find(struct finding *finding, const struct claim *claim,
                               struct claim_lab *lab, struct error *err);

coins_find coins_first, coins_third, coins_heads, coins_ten;

#endif
