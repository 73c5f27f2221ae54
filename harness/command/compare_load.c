/* SPDX-License-Identifier: MIT */
#include "harness/command/compare_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/command/compare_tables.h"
#include "harness/command/record.h"

static int compare_ids(const void *a, const void *b, void *cells)
{
    const struct loaded_cell *all = cells;
    return strcmp(all[*(const size_t *)a].id, all[*(const size_t *)b].id);
}

static enum status loaded_index(struct loaded *run, struct error *err)
{
    free(run->by_id);
    run->by_id = calloc(run->count + 1, sizeof *run->by_id);
    if (!run->by_id)
        return fail(err, E_RUN, "no memory for %zu cells", run->count);
    for (size_t c = 0; c < run->count; c++)
        run->by_id[c] = c;
    qsort_r(run->by_id, run->count, sizeof *run->by_id, compare_ids, run->cell);
    for (size_t c = 1; c < run->count; c++)
        if (strcmp(run->cell[run->by_id[c - 1]].id, run->cell[run->by_id[c]].id) == 0)
            return fail(err, E_INPUT, "%s: the cell %.20s is there twice", run->path,
                        run->cell[run->by_id[c]].id);
    return OK;
}

const struct loaded_cell *loaded_find(const struct loaded *run, const char *id)
{
    size_t low = 0, high = run->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct loaded_cell *cell = &run->cell[run->by_id[middle]];
        int order = strcmp(id, cell->id);
        if (order == 0)
            return cell;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

static void loaded_provenance(struct loaded *run)
{
    struct record record;
    if (record_read(&record, run->directory, NULL))
        return;
    run->has_seed = true;
    run->seed = record.seed;
    snprintf(run->commit, sizeof run->commit, "%s", record.commit);
    record_release(&record);
}

static bool loaded_there(const struct loaded *run, const char *name)
{
    char path[PATH_MAX];
    return (size_t)snprintf(path, sizeof path, "%s/%s", run->directory, name) < sizeof path &&
           access(path, F_OK) == 0;
}

/* Which tables a path means. */
static enum status loaded_locate(struct loaded *run, const char *path, struct error *err)
{
    struct stat there;
    if (strlen(path) >= sizeof run->directory)
        return fail(err, E_INPUT, "the path %.60s... is too long", path);
    strcpy(run->directory, path);
    if (stat(path, &there) == 0 && S_ISDIR(there.st_mode)) {
        if (loaded_there(run, "trials.csv"))
            strcpy(run->trials_name, "trials.csv");
        if (loaded_there(run, "cells.csv"))
            strcpy(run->cells_name, "cells.csv");
        if (!*run->trials_name && !*run->cells_name)
            return fail(err, E_INPUT, "%s has neither trials.csv nor cells.csv", path);
        loaded_provenance(run);
        return OK;
    }
    char *slash = strrchr(run->directory, '/');
    const char *name = slash ? slash + 1 : path;
    if (!*name || strlen(name) > NAME_MAX)
        return fail(err, E_INPUT, "%s is no run and no table", path);
    struct frame frame;
    char file[NAME_MAX + 1];
    strcpy(file, name);
    if (slash)
        *slash = '\0';
    else
        strcpy(run->directory, ".");
    enum status status = frame_read(&frame, run->directory, file, NULL, err);
    if (status)
        return status;
    bool trials = frame_column(&frame, "trial") >= 0;
    frame_release(&frame);
    strcpy(trials ? run->trials_name : run->cells_name, file);
    return OK;
}

enum status loaded_read(struct loaded *run, const char *path, struct error *err)
{
    *run = (struct loaded){.path = path};
    enum status status = loaded_locate(run, path, err);
    if (!status && *run->trials_name)
        status = loaded_trials(run, err);
    if (!status && *run->trials_name)
        status = loaded_index(run, err);
    if (!status && *run->cells_name)
        status = loaded_cells(run, err);
    if (!status && !*run->trials_name)
        status = loaded_index(run, err);
    if (status)
        loaded_release(run);
    return status;
}

void loaded_release(struct loaded *run)
{
    frame_release(&run->trials);
    frame_release(&run->cells);
    free(run->trial);
    free(run->cell);
    free(run->by_id);
    *run = (struct loaded){0};
}
