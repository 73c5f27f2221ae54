/* SPDX-License-Identifier: MIT
 *
 * fault.h: faults an experiment plants in its cells, so that the tests of a cell show what they
 * find.
 *
 *   {bits: b}    round(b n) keys more than n are inserted, and nobody is told: too many bits are
 * set (the plan's cell->members) {probes: b}  every query that is no hit becomes one with
 * probability b f/(1 - f), f the filter's own fpr_scheme: hits come (1 + b) times as often as they
 * should, and stay a binomial
 *
 * Every trial then has a measure planted_bits or planted_probes with the value b, and its cell the
 * flag planted_fault.
 */
#ifndef BLOOMLAB_WORKLOAD_FAULT_H
#define BLOOMLAB_WORKLOAD_FAULT_H

#include "harness/trial/trial.h"

/* Changes the result of a trial whose queries were counted; its seed is set. Without a fault:
 * nothing. E_RUN: no memory. */
enum status fault_apply(struct trial_result *result, const struct cell *cell, struct error *err);

#endif
