/* SPDX-License-Identifier: MIT
 *
 * set_sizes.h: what source 004 says of the sizes of unions and intersections of two filters.
 */
#ifndef BLOOMLAB_CLAIMS_SET_SIZES_H
#define BLOOMLAB_CLAIMS_SET_SIZES_H

#include "harness/claims/claim.h"

enum status set_sizes_intersection(struct finding *finding, const struct claim *claim,
                                   struct claim_lab *lab, struct error *err);
enum status set_sizes_union(struct finding *finding, const struct claim *claim,
                            struct claim_lab *lab, struct error *err);

#endif
