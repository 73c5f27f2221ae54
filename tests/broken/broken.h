/* SPDX-License-Identifier: MIT
 *
 * broken.h: variants made wrong on purpose, each the classic filter (or the counting one) with one
 * fault. The contract must refuse every one of them: tests/filters_contract_broken.c.
 */
#ifndef BLOOMLAB_TESTS_BROKEN_H
#define BLOOMLAB_TESTS_BROKEN_H

#include "filters/filter.h"

extern const struct filter_ops filter_classic, filter_counting;

extern const struct filter_ops broken_loses_key;       /* the last key of every full batch */
extern const struct filter_ops broken_ignores_digests; /* one set of positions for all keys */
extern const struct filter_ops broken_writes_past;     /* a bit of the byte after the last */
extern const struct filter_ops broken_scratch_past;    /* a byte after the scratch */
extern const struct filter_ops broken_rate;            /* queries look at k - 1 probes */
extern const struct filter_ops broken_batch;           /* a batch of one sets a bit of its own */
extern const struct filter_ops broken_count;           /* says one hit more than there are */
extern const struct filter_ops broken_not_a_number;    /* NaN for the empty filter */
extern const struct filter_ops broken_remove;          /* removes what is not there */
extern const struct filter_ops broken_sticks;          /* removals leave the counters */
extern const struct filter_ops broken_union;           /* leaves out the second half */
extern const struct filter_ops broken_intersection;    /* is a union */
extern const struct filter_ops broken_merges_all;      /* whatever the layouts */
extern const struct filter_ops broken_column;          /* asks for a digest it did not announce */
extern const struct filter_ops broken_scheme;          /* fpr_scheme of k - 1 probes */
extern const struct filter_ops broken_cardinality;     /* a tenth too much */
extern const struct filter_ops broken_capability;      /* promises a removal that is not there */

#endif
