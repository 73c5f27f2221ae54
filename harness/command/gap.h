/* SPDX-License-Identifier: MIT
 *
 * gap.h: `bloomlab predict --gap P`: from which m on a variant is within P of the classic filter.
 */
#ifndef BLOOMLAB_COMMAND_GAP_H
#define BLOOMLAB_COMMAND_GAP_H

#include "filters/filter.h"
#include "harness/table/text.h"

struct gap_request {
    const struct filter_ops *ops;
    struct filter_params params; /* own parameters, reduction, digests; m, n, k are filled in */
    double bits_per_key;
    uint64_t k; /* 0: the k that minimises the standard estimate, at every m */
    double gap; /* P > 0 */
    bool csv;
};

/* Writes the table (gap at every power of two) and the answer. The answer stands in the table too:
 * column within. E_INPUT: the variant has no m, or no theory to compare. */
enum status gap_find(struct text *text, const struct gap_request *request, struct error *err);

#endif
