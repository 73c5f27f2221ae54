/* SPDX-License-Identifier: MIT
 *
 * plot.c: `bloomlab plot`: plots and pages of finished runs, drawn again from their tables alone.
 */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/command/command.h"
#include "harness/plot/plot.h"
#include "harness/plot/run_data.h"
#include "harness/report/report.h"

static enum status plot_one(const char *directory, struct error *err)
{
    enum status status = plot_run(directory, err);
    return status ? status : report_write(directory, err);
}

/* Every run below the folder, in the order of their names; then the page that lists them. */
static enum status plot_all(const char *results, struct error *err)
{
    struct dirent **entries;
    unsigned runs = 0;
    enum status status = OK;
    int count = scandir(results, &entries, NULL, alphasort);
    if (count < 0)
        return fail(err, E_INPUT, "cannot read the folder %s", results);
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        const char *name = entries[i]->d_name;
        if (!status && name[0] != '.' &&
            snprintf(path, sizeof path, "%s/%s", results, name) < (int)sizeof path &&
            run_data_there(path)) {
            status = plot_one(path, err);
            runs++;
        }
        free(entries[i]);
    }
    free(entries);
    if (status)
        return status;
    if (runs == 0)
        return fail(err, E_INPUT,
                    "%s holds no run: no cells.csv, claims.csv or timings.csv there or one folder "
                    "below",
                    results);
    return report_index(results, err);
}

static enum status plot_command(int argc, char **argv, struct error *err)
{
    struct option_walk walk = {.argc = argc, .argv = argv};
    const char *value, *directory = NULL;
    for (;;) {
        int option;
        enum status status = option_next(&walk, NULL, 0, &option, &value, err);
        if (status)
            return status;
        if (option == OPTION_END)
            break;
        if (directory)
            return fail(err, E_INPUT, "plot takes one folder, not also %s", value);
        directory = value;
    }
    if (!directory)
        return fail(err, E_INPUT, "plot needs a folder: a run, or a folder of runs");
    return run_data_there(directory) ? plot_one(directory, err) : plot_all(directory, err);
}

const struct command command_plot = {
    .name = "plot",
    .summary = "draw the plots and pages of finished runs again",
    .help =
        "usage: bloomlab plot DIR\n\n"
        "DIR is one run (it holds cells.csv, claims.csv of `claims` or timings.csv of `bench`), or "
        "a folder\n"
        "of runs, as `sweep --out` leaves it. Its plots (SVG, PNG, PDF) and pages (index.html) are "
        "drawn\n"
        "again from the tables alone, with the families of plots its experiment names, or one that "
        "suits\n"
        "its grid. Needs gnuplot.\n",
    .run = plot_command,
};
