/* SPDX-License-Identifier: MIT
 *
 * claims.h: finds out every claim, and writes what was found.
 *
 *   claims.csv    source, claim, claimed, measured, interval, verdict, how: a row a claim
 *   readings.csv  source, claim, reading, claimed, value, lo, hi, z: a row a number
 *   timings.csv   as claims.csv: claims on times, which no two runs find alike
 *   claims.md     the three together, to read
 *   claims*.svg   claimed against found: the plot family `claims` (claims_draw.c)
 *   sweeps/       the experiments that were run, for `bloomlab sweep`
 *
 * Everything but timings.csv is the same on every machine, whatever the threads.
 */
#ifndef BLOOMLAB_CLAIMS_H
#define BLOOMLAB_CLAIMS_H

#include "harness/claims/claim.h"

struct found {
    const struct claim_source *source;
    const struct claim *claim;
    struct finding finding;
    char intervals[FINDING_TEXT_MAX];
};

/* Calls back before each claim; may be NULL. */
typedef void claims_progress(void *context, const struct claim_source *source,
                             const struct claim *claim);

/* The claims of sources whose name or title contains `only` ("" for all), found out one after the
 * other; *found from malloc. E_INPUT: there is no such source. */
enum status claims_find(struct found **found, size_t *count, struct claim_lab *lab,
                        const char *only, claims_progress *progress, void *context,
                        struct error *err);

enum status claims_write(const char *directory, const struct found *found, size_t count,
                         struct error *err);

/* What claims_write writes besides claims.md; ended by NULL. */
extern const char *const claims_tables[];

#endif
