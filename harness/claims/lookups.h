/* SPDX-License-Identifier: MIT
 *
 * lookups.h: which slices of a scalable filter a lookup touches, counted.
 *
 * The slices are filled and asked one by one, as the scalable filter keeps them: a row of classic
 * filters, sized by theory_scalable_slice(). A lookup ends at the first slice that says yes, so
 * from the answers of all slices follows what either order looks at.
 */
#ifndef BLOOMLAB_CLAIMS_LOOKUPS_H
#define BLOOMLAB_CLAIMS_LOOKUPS_H

#include "harness/claims/claim.h"

/* Keys asked for: members by their age, and strangers. */
enum lookup_mix { LOOKUP_NEWEST_TENTH, LOOKUP_ALL, LOOKUP_OLDEST_TENTH, LOOKUP_MISSES };
enum { LOOKUP_MIXES = LOOKUP_MISSES + 1 };

/* Slices looked at, a lookup on average. Of strangers only those count that are told to be absent:
 * one taken for present is no miss. */
struct lookup_counts {
    double newest_first[LOOKUP_MIXES], oldest_first[LOOKUP_MIXES];
    unsigned slices;
};

enum status lookups_count(struct lookup_counts *counts, struct error *err);

/* The claims on them. */
enum status lookups_miss(struct finding *finding, const struct claim *claim, struct claim_lab *lab,
                         struct error *err);
enum status lookups_recent(struct finding *finding, const struct claim *claim,
                           struct claim_lab *lab, struct error *err);

#endif
