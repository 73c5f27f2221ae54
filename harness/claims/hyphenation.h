/* SPDX-License-Identifier: MIT
 *
 * hyphenation.h: Bloom's example of 1970, run: bloom_1970.c.
 */
#ifndef BLOOMLAB_CLAIMS_HYPHENATION_H
#define BLOOMLAB_CLAIMS_HYPHENATION_H

#include "harness/claims/claim.h"

/* The claim's value is the number of disk reads. */
enum status hyphenation_reads(struct finding *finding, const struct claim *claim,
                              struct claim_lab *lab, struct error *err);
enum status hyphenation_hashes(struct finding *finding, const struct claim *claim,
                               struct claim_lab *lab, struct error *err);

#endif
