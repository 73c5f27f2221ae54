/* SPDX-License-Identifier: MIT
 *
 * harness_lab.h: experiments run inside a test, from their text to the bytes of their tables.
 *
 * Whatever cannot be set up fails the running test.
 */
#ifndef BLOOMLAB_TESTS_HARNESS_LAB_H
#define BLOOMLAB_TESTS_HARNESS_LAB_H

#include "harness/plan/plan.h"
#include "harness/schedule/schedule.h"
#include "harness/table/tables.h"

struct lab {
    struct experiment *experiment;
    struct plan *plan;
    struct trial_result *results; /* as many as the plan has */
    struct schedule_report report;
};

extern const struct plan_limits lab_no_limits;

/* The text is that of an experiment without its name and question: it is called x. */
struct experiment *lab_experiment(const char *text);
void lab_open(struct lab *lab, const char *text);
void lab_open_within(struct lab *lab, const char *text, struct plan_limits limits);
void lab_close(struct lab *lab);

/* Runs what is not done yet, within memory_bytes, on so many threads; part may be NULL. */
void lab_run(struct lab *lab, unsigned threads, uint64_t memory_bytes, struct part *part);

/* Writes the five tables; or takes them, one after the other (the caller's to free). */
void lab_write(const struct lab *lab, const char *folder);
char *lab_tables(const struct lab *lab);

/* Theory and verdict of one cell. */
struct cell_summary lab_summary(const struct lab *lab, const struct cell *cell);

/* The one cell, or skipped cell, of a filter; of several the test fails. */
const struct cell *lab_cell(const struct lab *lab, const char *filter);
const struct skipped_cell *lab_skipped(const struct lab *lab, const char *filter);
size_t lab_count(const struct lab *lab, const char *filter); /* cells of a filter */

/* All of it in one: opens, runs on two threads and takes the tables. */
char *lab_tables_of(const char *text);

#endif
