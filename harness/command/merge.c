/* SPDX-License-Identifier: MIT
 *
 * merge.c: `bloomlab merge OUT DIR...`: the parts of one experiment, run on several machines,
 * become one run: the bytes that a run of the whole would have written.
 *
 * A part is a finished run of some of the cells (sweep --shard I/N). The whole is planned again,
 * the trials are taken from the parts, and every table is made anew from them.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/command.h"
#include "harness/command/merge_probes.h"
#include "harness/command/rerun.h"
#include "harness/command/run.h"
#include "harness/experiment/values.h"
#include "harness/provenance/provenance.h"
#include "harness/table/probes.h"

struct merge {
    const char *out;
    const char **directories;
    struct finished *parts;
    unsigned part_count;
    bool partial;
    struct schedule schedule;
    struct plan *plan;            /* of the whole */
    struct trial_result *results; /* of the whole, taken from the parts */
    bool *held;                   /* by cell: some part has it */
    char (*sums)[SHA256_TEXT_SIZE];
    const char **missing; /* ids, also those of cells the plan has lost again */
    char (*missing_ids)[CELL_ID_SIZE];
    size_t missing_count;
    int argc;
    char **argv;
};

static enum status merge_options(struct merge *merge, struct error *err)
{
    enum { PARTIAL, THREADS };
    static const struct option_spec specs[] = {{"partial", false}, {"threads", true}};
    struct option_walk walk = {.argc = merge->argc, .argv = merge->argv};
    for (;;) {
        int option;
        const char *value;
        uint64_t threads;
        enum status status = option_next(&walk, specs, 2, &option, &value, err);
        if (!status && option == OPTION_END)
            break;
        if (status)
            return status;
        if (option == PARTIAL) {
            merge->partial = true;
        } else if (option == THREADS) {
            status = value_integer(&threads, value, "--threads", 1, 1024, err);
            merge->schedule.threads = status ? 1 : (unsigned)threads;
        } else if (!merge->out) {
            merge->out = value;
        } else {
            merge->directories[merge->part_count++] = value;
        }
        if (status)
            return status;
    }
    if (merge->part_count == 0)
        return fail(err, E_INPUT, "merge needs a folder to write to and the folders of the parts");
    return OK;
}

/* ---- the parts --------------------------------------------------------------------------------
 */

static enum status merge_sums(struct merge *merge, unsigned p, struct error *err)
{
    static const char *const names[] = {"measures.csv", "trials.csv"};
    const struct finished *part = &merge->parts[p];
    for (int i = 0; i < 2; i++) {
        const char *sum = record_sum(&part->record, names[i]);
        enum status status = file_sha256(merge->sums[p], part->directory, names[i], err);
        if (status)
            return status;
        if (!sum || strcmp(sum, merge->sums[p]) != 0)
            return fail(err, E_CHECK,
                        "%s/%s has another SHA-256 than its provenance.json says (bloomlab verify "
                        "tells what is wrong)",
                        part->directory, names[i]);
    }
    return OK;
}

/* All parts are of one experiment. */
static enum status merge_same(const struct merge *merge, unsigned p, struct error *err)
{
    const struct finished *first = &merge->parts[0], *part = &merge->parts[p];
    if (strcmp(first->record.yaml, part->record.yaml) != 0)
        return fail(
            err, E_INPUT, "%s (%s) and %s (%s) are not of one experiment: their texts differ",
            first->directory, first->experiment->name, part->directory, part->experiment->name);
    if (strcmp(first->record.scale, part->record.scale) != 0)
        return fail(err, E_INPUT, "%s has scale '%s', %s has '%s'", first->directory,
                    first->record.scale, part->directory, part->record.scale);
    return OK;
}

static enum status merge_read_parts(struct merge *merge, struct error *err)
{
    for (unsigned p = 0; p < merge->part_count; p++) {
        enum status status = finished_open(&merge->parts[p], merge->directories[p], err);
        if (!status)
            status = merge_same(merge, p, err);
        if (!status)
            status = merge_sums(merge, p, err);
        if (!status)
            status = finished_read(&merge->parts[p], err);
        if (status)
            return status;
    }
    return OK;
}

/* ---- the whole --------------------------------------------------------------------------------
 */

static enum status merge_plan(struct merge *merge, struct error *err)
{
    struct plan_limits limits = {.shard = 1, .shards = 1};
    for (unsigned p = 0; p < merge->part_count; p++)
        if (merge->parts[p].record.memory_bytes > limits.memory_bytes)
            limits.memory_bytes = merge->parts[p].record.memory_bytes;
    merge->schedule.memory_bytes = limits.memory_bytes;
    enum status status = plan_make(&merge->plan, merge->parts[0].experiment, &limits, err);
    if (status)
        return status;
    merge->held = calloc(merge->plan->cell_count + 1, sizeof *merge->held);
    merge->missing = calloc(merge->plan->cell_count + 1, sizeof *merge->missing);
    merge->missing_ids = calloc(merge->plan->cell_count + 1, sizeof *merge->missing_ids);
    if (!merge->held || !merge->missing || !merge->missing_ids)
        return fail(err, E_RUN, "no memory for %zu cells", merge->plan->cell_count);
    return OK;
}

/* Which part had the cell first. */
static const char *merge_holder(const struct merge *merge, const char *id)
{
    for (unsigned p = 0; p < merge->part_count; p++)
        if (plan_find(merge->parts[p].plan, id))
            return merge->parts[p].directory;
    return "";
}

static enum status merge_hold(struct merge *merge, struct error *err)
{
    for (unsigned p = 0; p < merge->part_count; p++) {
        const struct finished *part = &merge->parts[p];
        for (size_t c = 0; c < part->plan->cell_count; c++) {
            const char *id = part->plan->cells[c].id;
            const struct cell *whole = plan_find(merge->plan, id);
            if (!whole || whole->trials != part->plan->cells[c].trials)
                return fail(err, E_INPUT, "%s has the cell %s, which the whole has not",
                            part->directory, id);
            if (merge->held[whole - merge->plan->cells])
                return fail(err, E_INPUT, "the cell %s is in %s and in %s", id,
                            merge_holder(merge, id), part->directory);
            merge->held[whole - merge->plan->cells] = true;
        }
    }
    return OK;
}

/* "2/3, 3/3": shards that nobody brought, when all parts were cut alike. */
static void merge_absent(const struct merge *merge, char *text, size_t size)
{
    unsigned shards = merge->parts[0].record.shards;
    text[0] = '\0';
    for (unsigned p = 0; p < merge->part_count; p++)
        if (merge->parts[p].record.shards != shards)
            return;
    for (unsigned i = 1; i <= shards; i++) {
        bool there = false;
        for (unsigned p = 0; p < merge->part_count; p++)
            there |= merge->parts[p].record.shard == i;
        size_t used = strlen(text);
        if (!there && used < size)
            snprintf(text + used, size - used, "%s%u/%u", used ? ", " : "shard ", i, shards);
    }
}

static enum status merge_missing(struct merge *merge, struct error *err)
{
    char absent[128];
    for (size_t c = 0; c < merge->plan->cell_count; c++)
        if (!merge->held[c]) {
            strcpy(merge->missing_ids[merge->missing_count], merge->plan->cells[c].id);
            merge->missing[merge->missing_count] = merge->missing_ids[merge->missing_count];
            merge->missing_count++;
        }
    if (!merge->missing_count)
        return OK;
    if (merge->partial)
        return plan_keep(merge->plan, merge->held, err);
    merge_absent(merge, absent, sizeof absent);
    return fail(
        err, E_INPUT,
        "%zu of %zu cells are in no part (%s%sthe first is %s); --partial merges what is there",
        merge->missing_count, merge->plan->cell_count, absent, *absent ? "; " : "",
        merge->missing[0]);
}

/* The trials change hands. */
static enum status merge_results(struct merge *merge, struct error *err)
{
    merge->results = calloc(merge->plan->result_count + 1, sizeof *merge->results);
    if (!merge->results)
        return fail(err, E_RUN, "no memory for %zu trials", merge->plan->result_count);
    for (unsigned p = 0; p < merge->part_count; p++) {
        struct finished *part = &merge->parts[p];
        for (size_t c = 0; c < part->plan->cell_count; c++) {
            const struct cell *from = &part->plan->cells[c];
            const struct cell *to = plan_find(merge->plan, from->id);
            for (uint64_t t = 0; t < from->trials; t++) {
                struct trial_result *result = &part->results[from->first_result + t];
                merge->results[to->first_result + t] = *result;
                *result = (struct trial_result){0};
            }
        }
    }
    return OK;
}

/* ---- writing ----------------------------------------------------------------------------------
 */

/* No part is written over. */
static enum status merge_apart(const struct merge *merge, const char *directory, struct error *err)
{
    char whole[PATH_MAX], part[PATH_MAX];
    if (!realpath(directory, whole))
        return OK;
    for (unsigned p = 0; p < merge->part_count; p++)
        if (realpath(merge->directories[p], part) && strcmp(part, whole) == 0)
            return fail(err, E_INPUT, "%s is a part and would be written over; choose another OUT",
                        merge->directories[p]);
    return OK;
}

static enum status merge_provenance(const struct merge *merge, const char *directory,
                                    const char **tables, unsigned table_count, struct error *err)
{
    struct schedule_report report = {0};
    struct provenance provenance = {
        .plan = merge->plan,
        .schedule = &merge->schedule,
        .report = &report,
        .scale = merge->parts[0].record.scale,
        .shard = 1,
        .shards = 1,
        .argc = merge->argc,
        .argv = merge->argv,
        .tables = tables,
        .table_count = table_count,
        .part_count = merge->part_count,
        .missing = merge->missing,
        .missing_count = merge->missing_count,
    };
    struct provenance_part *parts = calloc(merge->part_count, sizeof *parts);
    if (!parts)
        return fail(err, E_RUN, "no memory for %u parts", merge->part_count);
    for (unsigned p = 0; p < merge->part_count; p++)
        parts[p] = (struct provenance_part){
            .directory = merge->directories[p],
            .commit = merge->parts[p].record.commit,
            .trials_sha256 = merge->sums[p],
            .shard = merge->parts[p].record.shard,
            .shards = merge->parts[p].record.shards,
            .cells = merge->parts[p].plan->cell_count,
        };
    provenance.parts = parts;
    enum status status = provenance_write(directory, &provenance, err);
    free(parts);
    return status;
}

static enum status merge_write(const struct merge *merge, const char *directory, struct error *err)
{
    const char *names[TABLES_MAX];
    unsigned count = 0;
    bool profile = false;
    size_t cells = merge->plan->cell_count;
    struct cell_summary *summaries = calloc(cells + 1, sizeof *summaries);
    if (!summaries)
        return fail(err, E_RUN, "no memory for %zu rows of cells.csv", cells);
    enum status status =
        run_summarise(summaries, merge->plan, merge->results, merge->schedule.threads, err);
    if (!status)
        status = directory_make(directory, err);
    if (!status)
        status = tables_write(directory, merge->plan, merge->results, summaries,
                              merge->schedule.threads, names, &count, err);
    if (!status)
        status =
            merge_probes(directory, merge->plan, merge->parts, merge->part_count, &profile, err);
    if (!status && profile)
        names[count++] = PROBES_FILE;
    if (!status)
        status = merge_provenance(merge, directory, names, count, err);
    free(summaries);
    return status;
}

static enum status merge_all(struct merge *merge, struct error *err)
{
    char directory[PATH_MAX];
    enum status status = merge_read_parts(merge, err);
    if (status)
        return status;
    if ((size_t)snprintf(directory, sizeof directory, "%s/%s", merge->out,
                         merge->parts[0].experiment->name) >= sizeof directory)
        return fail(err, E_INPUT, "the path %.60s... is too long", merge->out);
    status = merge_apart(merge, directory, err);
    if (!status)
        status = merge_plan(merge, err);
    if (!status)
        status = merge_hold(merge, err);
    if (!status)
        status = merge_missing(merge, err);
    if (!status)
        status = merge_results(merge, err);
    if (!status)
        status = merge_write(merge, directory, err);
    if (status)
        return status;
    printf("%s: %zu cells, %zu trials from %u parts", directory, merge->plan->cell_count,
           merge->plan->result_count, merge->part_count);
    if (merge->missing_count)
        printf("; %zu cells are missing", merge->missing_count);
    printf("\n");
    return output_finish(err);
}

static void merge_release(struct merge *merge)
{
    for (size_t r = 0; merge->results && r < merge->plan->result_count; r++)
        trial_result_release(&merge->results[r]);
    free(merge->results);
    plan_free(merge->plan);
    for (unsigned p = 0; merge->parts && p < merge->part_count; p++)
        if (merge->parts[p].plan)
            finished_close(&merge->parts[p]);
    free(merge->parts);
    free(merge->directories);
    free(merge->held);
    free(merge->missing);
    free(merge->missing_ids);
    free(merge->sums);
}

static enum status merge_run(int argc, char **argv, struct error *err)
{
    size_t most = (size_t)argc;
    struct merge merge = {
        .argc = argc,
        .argv = argv,
        .directories = calloc(most, sizeof *merge.directories),
        .parts = calloc(most, sizeof *merge.parts),
        .sums = calloc(most, sizeof *merge.sums),
    };
    rerun_defaults(&merge.schedule);
    enum status status = merge.directories && merge.parts && merge.sums
                             ? merge_options(&merge, err)
                             : fail(err, E_RUN, "no memory");
    if (!status)
        status = merge_all(&merge, err);
    merge_release(&merge);
    return status;
}

const struct command command_merge = {
    .name = "merge",
    .summary = "join the shards of an experiment into one run",
    .help = "usage: bloomlab merge OUT DIR... [--partial] [--threads T]\n\n"
            "Each DIR is a finished part of one experiment (sweep --shard I/N): the same text and\n"
            "scale, no cell in two of them. OUT/NAME gets the tables that one run of the whole\n"
            "would have written, to the byte; provenance.json lists the parts.\n\n"
            "  --partial    merge although cells are missing; provenance.json lists them\n"
            "  --threads T  threads (default: one a core)\n",
    .run = merge_run,
};
