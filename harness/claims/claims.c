/* SPDX-License-Identifier: MIT */
#include "harness/claims/claims.h"

#include <stdlib.h>
#include <string.h>

static bool claims_wanted(const struct claim_source *source, const char *only)
{
    return strstr(source->name, only) || strstr(source->title, only);
}

static size_t claims_count(const char *only)
{
    size_t count = 0;
    for (size_t s = 0; s < claim_sources; s++)
        count += claims_wanted(claim_table[s], only) ? claim_table[s]->count : 0;
    return count;
}

static enum status claims_find_one(struct found *found, struct claim_lab *lab, struct error *err)
{
    enum status status = found->claim->find(&found->finding, found->claim, lab, err);
    if (!status && lab->interrupt && *lab->interrupt)
        status = fail(err, E_RUN, "interrupted; nothing was written");
    finding_finish(&found->finding, found->intervals);
    return status;
}

enum status claims_find(struct found **found, size_t *count, struct claim_lab *lab,
                        const char *only, claims_progress *progress, void *context,
                        struct error *err)
{
    size_t wanted = claims_count(only);
    *count = 0;
    *found = NULL;
    if (wanted == 0)
        return fail(err, E_INPUT, "no source of claims is called '%s'; --list tells them", only);
    *found = calloc(wanted, sizeof **found);
    if (!*found)
        return fail(err, E_RUN, "no memory for %zu claims", wanted);
    for (size_t s = 0; s < claim_sources; s++)
        for (size_t c = 0; claims_wanted(claim_table[s], only) && c < claim_table[s]->count; c++) {
            struct found *one = &(*found)[*count];
            one->source = claim_table[s];
            one->claim = &claim_table[s]->claims[c];
            if (progress)
                progress(context, one->source, one->claim);
            enum status status = claims_find_one(one, lab, err);
            if (status)
                return status;
            (*count)++;
        }
    return OK;
}
