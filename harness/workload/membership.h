/* SPDX-License-Identifier: MIT
 *
 * membership.h: the workload that measures false positives.
 */
#ifndef BLOOMLAB_WORKLOAD_MEMBERSHIP_H
#define BLOOMLAB_WORKLOAD_MEMBERSHIP_H

#include "harness/workload/pass.h"
#include "harness/workload/workload.h"

extern const struct workload_ops workload_membership;

/* What it asks a filter that has its members: for all of them, for non-members, for itself. Fills
 * the result. */
enum status membership_ask(struct trial_result *result, struct filter *filter,
                           const struct cell *cell, struct trial_keys *keys,
                           struct key_digest *digest, void *scratch, struct error *err);

#endif
