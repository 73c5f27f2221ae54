/* SPDX-License-Identifier: MIT */
#include "tests/harness_lab.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "harness/stats/stats.h"
#include "tests/experiment_text.h"
#include "tests/harness_files.h"

const struct plan_limits lab_no_limits = {UINT64_MAX, 1, 1};

struct experiment *lab_experiment(const char *text)
{
    struct experiment *experiment;
    struct error error;
    struct text whole = {0};
    text_printf(&whole, "name: x\nquestion: y\n%s", text);
    enum status status = experiment_text_read(&experiment, whole.data, whole.size, NULL, &error);
    cr_assert_eq(status, OK, "%s", error.text);
    text_release(&whole);
    return experiment;
}

void lab_open_within(struct lab *lab, const char *text, struct plan_limits limits)
{
    struct error error;
    stats_init();
    *lab = (struct lab){.experiment = lab_experiment(text)};
    cr_assert_eq(plan_make(&lab->plan, lab->experiment, &limits, &error), OK, "%s", error.text);
    lab->results = calloc(lab->plan->result_count + 1, sizeof *lab->results);
}

void lab_open(struct lab *lab, const char *text)
{
    lab_open_within(lab, text, lab_no_limits);
}

void lab_close(struct lab *lab)
{
    for (size_t r = 0; r < lab->plan->result_count; r++)
        trial_result_release(&lab->results[r]);
    free(lab->results);
    plan_free(lab->plan);
    experiment_free(lab->experiment);
}

void lab_run(struct lab *lab, unsigned threads, uint64_t memory_bytes, struct part *part)
{
    struct error error;
    struct schedule schedule = {.threads = threads, .memory_bytes = memory_bytes, .quiet = true};
    enum status status =
        schedule_run(&lab->report, &schedule, lab->plan, lab->results, part, &error);
    cr_assert_eq(status, OK, "%s", error.text);
    for (size_t r = 0; r < lab->plan->result_count; r++)
        cr_assert(lab->results[r].done);
}

struct cell_summary lab_summary(const struct lab *lab, const struct cell *cell)
{
    struct error error;
    struct cell_summary summary;
    enum status status = cell_summarise(&summary, lab->plan, cell, lab->results, &error);
    cr_assert_eq(status, OK, "%s", error.text);
    return summary;
}

void lab_write(const struct lab *lab, const char *folder)
{
    struct error error;
    const char *names[TABLES_MAX];
    unsigned count;
    struct cell_summary *summaries = calloc(lab->plan->cell_count + 1, sizeof *summaries);
    for (size_t c = 0; c < lab->plan->cell_count; c++)
        summaries[c] = lab_summary(lab, &lab->plan->cells[c]);
    enum status status =
        tables_write(folder, lab->plan, lab->results, summaries, 2, names, &count, &error);
    cr_assert_eq(status, OK, "%s", error.text);
    cr_assert_geq(count, 5); /* best_k.csv only where a curve over k was measured */
    free(summaries);
}

char *lab_tables(const struct lab *lab)
{
    char *folder = folder_new();
    lab_write(lab, folder);
    char *text = folder_tables(folder);
    folder_remove(folder);
    return text;
}

const struct cell *lab_cell(const struct lab *lab, const char *filter)
{
    const struct cell *found = NULL;
    for (size_t c = 0; c < lab->plan->cell_count; c++)
        if (strcmp(lab->plan->cells[c].ops->name, filter) == 0) {
            cr_assert_null(found, "two cells of %s", filter);
            found = &lab->plan->cells[c];
        }
    cr_assert(found, "no cell of %s", filter);
    return found;
}

const struct skipped_cell *lab_skipped(const struct lab *lab, const char *filter)
{
    const struct skipped_cell *found = NULL;
    for (size_t s = 0; s < lab->plan->skipped_count; s++)
        if (strcmp(lab->plan->skipped[s].cell.ops->name, filter) == 0) {
            cr_assert_null(found, "two skipped cells of %s", filter);
            found = &lab->plan->skipped[s];
        }
    cr_assert(found, "no skipped cell of %s", filter);
    return found;
}

size_t lab_count(const struct lab *lab, const char *filter)
{
    size_t count = 0;
    for (size_t c = 0; c < lab->plan->cell_count; c++)
        count += strcmp(lab->plan->cells[c].ops->name, filter) == 0;
    return count;
}

char *lab_tables_of(const char *text)
{
    struct lab lab;
    lab_open(&lab, text);
    lab_run(&lab, 2, UINT64_MAX, NULL);
    char *tables = lab_tables(&lab);
    lab_close(&lab);
    return tables;
}
