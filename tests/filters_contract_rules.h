/* SPDX-License-Identifier: MIT
 *
 * filters_contract_rules.h: the rules behind contract_rules[].
 */
#ifndef BLOOMLAB_TESTS_FILTERS_CONTRACT_RULES_H
#define BLOOMLAB_TESTS_FILTERS_CONTRACT_RULES_H

#include "tests/filters_contract.h"

enum status contract_entry(const struct contract_case *c, struct error *err);
enum status contract_presence(const struct contract_case *c, struct error *err);
enum status contract_batches(const struct contract_case *c, struct error *err);
enum status contract_empty(const struct contract_case *c, struct error *err);
enum status contract_remove(const struct contract_case *c, struct error *err);

/* filters_contract_merge.c */
enum status contract_union(const struct contract_case *c, struct error *err);
enum status contract_intersection(const struct contract_case *c, struct error *err);
enum status contract_merge_refused(const struct contract_case *c, struct error *err);
enum status contract_seeds(const struct contract_case *c, struct error *err);

/* filters_contract_rates.c: twenty-four filters with fixed seeds; each rule breaks at 5 standard
 * deviations, which a sound filter with random seeds would reach 6 times in ten million. */
enum status contract_fill(const struct contract_case *c, struct error *err);
enum status contract_model(const struct contract_case *c, struct error *err);
enum status contract_probe(const struct contract_case *c, struct error *err);
enum status contract_cardinality(const struct contract_case *c, struct error *err);

#endif
