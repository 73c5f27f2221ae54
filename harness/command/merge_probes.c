/* SPDX-License-Identifier: MIT */
#include "harness/command/merge_probes.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/table/probes.h"

/* The rows of one cell in some part's table: they stand together. */
struct probe_rows {
    const char *rows;
    size_t size;
};

static enum status probes_read(struct text *text, const struct finished *part, struct error *err)
{
    char path[PATH_MAX], sum[SHA256_TEXT_SIZE];
    enum status status = file_sha256(sum, part->directory, PROBES_FILE, err);
    if (status)
        return status;
    if (strcmp(sum, record_sum(&part->record, PROBES_FILE)) != 0)
        return fail(err, E_CHECK,
                    "%s/" PROBES_FILE " has another SHA-256 than provenance.json says",
                    part->directory);
    if ((size_t)snprintf(path, sizeof path, "%s/" PROBES_FILE, part->directory) >= sizeof path)
        return fail(err, E_INPUT, "the path %.60s... is too long", part->directory);
    return file_read(text, path, err);
}

/* Finds the rows of every cell. The first two fields are the experiment's name, which holds no
 * comma, and the cell's id. */
static enum status probes_cut(struct probe_rows *of_cell, const char *text, const struct plan *plan,
                              const char *directory, struct error *err)
{
    const char *line = strchr(text, '\n');
    for (line = line ? line + 1 : ""; *line;) {
        const char *end = strchr(line, '\n'), *comma = strchr(line, ',');
        char id[CELL_ID_SIZE] = "";
        if (comma)
            strncat(id, comma + 1, CELL_ID_SIZE - 1);
        const struct cell *cell = plan_find(plan, id);
        if (!cell || !end)
            return fail(err, E_CHECK, "%s/" PROBES_FILE " has a row of no cell there is: %.60s",
                        directory, line);
        struct probe_rows *rows = &of_cell[cell - plan->cells];
        if (!rows->rows)
            rows->rows = line;
        rows->size = (size_t)(end + 1 - rows->rows);
        line = end + 1;
    }
    return OK;
}

static enum status probes_join(struct text *all, struct text *texts, struct probe_rows *of_cell,
                               const struct plan *plan, const struct finished *parts,
                               unsigned part_count, struct error *err)
{
    for (unsigned p = 0; p < part_count; p++) {
        enum status status = probes_read(&texts[p], &parts[p], err);
        if (!status)
            status = probes_cut(of_cell, texts[p].data, plan, parts[p].directory, err);
        if (status)
            return status;
    }
    text_add(all, texts[0].data, strcspn(texts[0].data, "\n") + 1);
    for (size_t c = 0; c < plan->cell_count; c++)
        if (of_cell[c].rows)
            text_add(all, of_cell[c].rows, of_cell[c].size);
    return OK;
}

enum status merge_probes(const char *directory, const struct plan *plan,
                         const struct finished *parts, unsigned part_count, bool *there,
                         struct error *err)
{
    struct text all = {0};
    *there = true;
    for (unsigned p = 0; p < part_count; p++)
        *there = *there && record_sum(&parts[p].record, PROBES_FILE);
    if (!*there)
        return file_remove(directory, PROBES_FILE, err);
    struct text *texts = calloc(part_count, sizeof *texts);
    struct probe_rows *of_cell = calloc(plan->cell_count + 1, sizeof *of_cell);
    enum status status = texts && of_cell ? OK : fail(err, E_RUN, "no memory for " PROBES_FILE);
    if (!status)
        status = probes_join(&all, texts, of_cell, plan, parts, part_count, err);
    if (!status)
        status = file_write(directory, PROBES_FILE, &all, err);
    for (unsigned p = 0; texts && p < part_count; p++)
        text_release(&texts[p]);
    free(texts);
    free(of_cell);
    text_release(&all);
    return status;
}
