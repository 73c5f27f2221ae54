/* SPDX-License-Identifier: MIT
 *
 * properties.h: what several sources say of Bloom filters in words: what is certain, what grows
 * with what, what cannot be undone.
 */
#ifndef BLOOMLAB_CLAIMS_PROPERTIES_H
#define BLOOMLAB_CLAIMS_PROPERTIES_H

#include "harness/claims/claim.h"

typedef enum status property_find(struct finding *finding, const struct claim *claim,
                                  struct claim_lab *lab, struct error *err);

property_find property_no_is_certain, property_wide_less_error, property_wide_more_space;
property_find property_no_removal, property_counters, property_word_length;

/* second_visit.c */
property_find second_visit_cache, second_visit_set, second_visit_table;

#endif
