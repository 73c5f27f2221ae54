/* SPDX-License-Identifier: MIT */
#include "harness/claims/claim.h"

#define SOURCE(name) extern const struct claim_source claim_source_##name;
#include "harness/claims/list.h"
#undef SOURCE

const struct claim_source *const claim_table[] = {
#define SOURCE(name) &claim_source_##name,
#include "harness/claims/list.h"
#undef SOURCE
};
const size_t claim_sources = sizeof claim_table / sizeof claim_table[0];
