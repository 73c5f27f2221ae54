/* SPDX-License-Identifier: MIT
 *
 * growth.h: claims on filters that grow by slices.
 */
#ifndef BLOOMLAB_CLAIMS_GROWTH_H
#define BLOOMLAB_CLAIMS_GROWTH_H

#include "harness/claims/claim.h"

typedef enum status growth_find(struct finding *finding, const struct claim *claim,
                                struct claim_lab *lab, struct error *err);

growth_find growth_linear, growth_exponential, growth_constant_rate, growth_better;

#endif
