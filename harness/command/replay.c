/* SPDX-License-Identifier: MIT
 *
 * replay.c: `bloomlab replay CELL_ID`: one cell, step by step: what it is, what theory says of it,
 * its trials run again from their seeds, the tests and the verdict with their numbers put in.
 */
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/command.h"
#include "harness/command/replay_print.h"
#include "harness/command/rerun.h"
#include "harness/experiment/values.h"

struct replay {
    const char *id, *in;
    char directory[PATH_MAX];
    uint64_t trial;
    bool one;
};

static enum status replay_options(struct replay *replay, int argc, char **argv, struct error *err)
{
    enum { IN, TRIAL };
    static const struct option_spec specs[] = {{"in", true}, {"trial", true}};
    struct option_walk walk = {.argc = argc, .argv = argv};
    for (;;) {
        int option;
        const char *value;
        enum status status = option_next(&walk, specs, 2, &option, &value, err);
        if (!status && option == OPTION_END)
            break;
        if (status)
            return status;
        if (option == IN) {
            replay->in = value;
        } else if (option == TRIAL) {
            replay->one = true;
            status = value_integer(&replay->trial, value, "--trial", 0, UINT64_MAX, err);
        } else if (replay->id) {
            status = fail(err, E_INPUT, "one cell at a time: %s is one too many", value);
        } else {
            replay->id = value;
        }
        if (status)
            return status;
    }
    if (!replay->id)
        return fail(err, E_INPUT, "replay needs a cell's id: the column cell_id of a table");
    if (strlen(replay->id) != CELL_ID_SIZE - 1 ||
        replay->id[strspn(replay->id, "0123456789abcdef")])
        return fail(err, E_INPUT, "%.40s is no cell's id: 16 hexadecimal digits", replay->id);
    return OK;
}

/* ---- which run --------------------------------------------------------------------------------
 */

static bool replay_has_cell(const char *cells, const char *id)
{
    struct text text;
    char field[CELL_ID_SIZE + 2];
    if (file_read(&text, cells, NULL))
        return false;
    snprintf(field, sizeof field, ",%s,", id);
    bool found = strstr(text.data, field) != NULL;
    text_release(&text);
    return found;
}

/* The first run of the folder, or up to two levels below it, whose cells.csv holds the cell; tells
 * the others. */
static enum status replay_find(struct replay *replay, struct text *also, struct error *err)
{
    static const char *const below[] = {"", "/*", "/*/*"};
    char pattern[PATH_MAX];
    for (size_t level = 0; level < sizeof below / sizeof *below; level++) {
        glob_t found;
        if ((size_t)snprintf(pattern, sizeof pattern, "%s%s/cells.csv", replay->in, below[level]) >=
            sizeof pattern)
            return fail(err, E_INPUT, "the path %.60s... is too long", replay->in);
        if (glob(pattern, 0, NULL, &found) != 0)
            continue;
        for (size_t i = 0; i < found.gl_pathc; i++) {
            char *path = found.gl_pathv[i];
            if (!replay_has_cell(path, replay->id))
                continue;
            *strrchr(path, '/') = '\0';
            if (replay->directory[0])
                text_printf(also, "%s%s", also->size ? ", " : "", path);
            else
                snprintf(replay->directory, sizeof replay->directory, "%s", path);
        }
        globfree(&found);
    }
    if (replay->directory[0])
        return OK;
    return fail(err, E_INPUT, "no run in or below %s has the cell %s (--in DIR says where to look)",
                replay->in, replay->id);
}

/* ---- the telling ------------------------------------------------------------------------------
 */

/* Runs the trials and tells everything. E_CHECK, with everything told: a trial came out otherwise.
 */
static enum status replay_tell(struct text *text, const struct replay *replay,
                               const struct finished *run, const struct cell *cell,
                               struct error *err)
{
    struct schedule schedule;
    struct cell_summary summary;
    size_t count = run->plan->result_count;
    uint64_t first = replay->one ? replay->trial : 0, rows = replay->one ? 1 : cell->trials;
    bool *chosen = calloc(count + 1, sizeof *chosen);
    struct trial_result *again = calloc(count + 1, sizeof *again);
    enum status checked = OK, status = OK;
    rerun_defaults(&schedule);
    if (!chosen || !again)
        status = fail(err, E_RUN, "no memory for %zu trials", count);
    else
        memset(chosen + cell->first_result + first, true, (size_t)rows);
    if (!status)
        checked = rerun_trials(again, run, chosen, &schedule, err);
    if (!status && checked != OK && checked != E_CHECK)
        status = checked;
    if (!status && !command_interrupted)
        status = cell_summarise(&summary, run->plan, cell, run->results, err);
    if (!status && !command_interrupted) {
        replay_print_cell(text, run, cell);
        replay_print_plan(text, cell);
        replay_print_theory(text, cell, &summary.theory);
        replay_print_trials(text, run, cell, first, rows, again);
        text_printf(text, "  %s\n",
                    checked ? err->text : "the same as in trials.csv, to the last digit");
        replay_print_rates(text, cell, &summary);
        if (cell->trials)
            replay_print_tests(text, cell, run->results, &summary);
        replay_print_verdict(text, &summary);
    }
    for (size_t r = 0; again && r < count; r++)
        trial_result_release(&again[r]);
    free(again);
    free(chosen);
    return status ? status : checked;
}

static enum status replay_print(const struct replay *replay, struct text *text, struct error *err)
{
    struct finished run;
    enum status status = finished_open(&run, replay->directory, err);
    if (status)
        return status;
    const struct cell *cell = plan_find(run.plan, replay->id);
    if (!cell)
        status = fail(err, E_CHECK,
                      "%s: the experiment in provenance.json does not make the cell %s that "
                      "cells.csv has",
                      replay->directory, replay->id);
    else if (replay->one && replay->trial >= cell->trials)
        status = fail(err, E_INPUT,
                      "--trial %" PRIu64 ": cell %s has %" PRIu64 " trials, counted from 0",
                      replay->trial, cell->id, cell->trials);
    if (!status)
        status = finished_read(&run, err);
    if (!status)
        status = replay_tell(text, replay, &run, cell, err);
    finished_close(&run);
    return status;
}

static enum status replay_run(int argc, char **argv, struct error *err)
{
    struct replay replay = {.in = "results"};
    struct text text = {0}, also = {0};
    enum status status = replay_options(&replay, argc, argv, err);
    if (!status)
        status = replay_find(&replay, &also, err);
    if (!status)
        status = replay_print(&replay, &text, err);
    if (also.size)
        text_printf(&text, "\nThe cell is also in %s.\n", also.data);
    if (text.failed || also.failed)
        status = fail(err, E_RUN, "no memory for what is to be told");
    else if (text.size)
        fwrite(text.data, 1, text.size, stdout);
    text_release(&text);
    text_release(&also);
    return status ? status : output_finish(err);
}

const struct command command_replay = {
    .name = "replay",
    .summary = "tell one cell step by step, its trials run again",
    .help =
        "usage: bloomlab replay CELL_ID [--in DIR] [--trial T]\n\n"
        "Finds the run that has the cell and tells what it is, what was planned, every formula\n"
        "with the cell's numbers put in and where it comes from, the trials run again from\n"
        "their seeds, the rates with their intervals, the four tests and the verdict.\n"
        "Exit 1: a trial run again is not what trials.csv says.\n\n"
        "  --in DIR    a run, or a folder of runs (default results)\n"
        "  --trial T   run only this trial again, counted from 0\n",
    .run = replay_run,
};
