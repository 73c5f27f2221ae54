/* SPDX-License-Identifier: MIT */
#include "harness/plot/plot.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/plot/family.h"

#define PLOT(name) extern const struct plot_family plot_##name;
#include "harness/plot/list.h"
#undef PLOT

const struct plot_family *const plot_table[] = {
#define PLOT(name) &plot_##name,
#include "harness/plot/list.h"
#undef PLOT
};
const unsigned plot_count = sizeof plot_table / sizeof plot_table[0];

const struct plot_family *plot_find(const char *name)
{
    for (unsigned i = 0; i < plot_count; i++)
        if (strcmp(plot_table[i]->name, name) == 0)
            return plot_table[i];
    return NULL;
}

bool plot_family_exists(const char *name)
{
    return plot_find(name) != NULL;
}

/* Has any cell a rate? */
static bool plot_rates(const struct run_data *run)
{
    for (size_t c = 0; c < run->count; c++)
        if (!isnan(run->cells[c].rate))
            return true;
    return false;
}

unsigned plot_choose(const struct plot_family *chosen[PLOTS_MAX], const struct run_data *run)
{
    unsigned count = 0;
    if (run->kind != RUN_SWEEP) {
        for (unsigned i = 0; i < plot_count && count < PLOTS_MAX; i++)
            if (plot_table[i]->kind == run->kind)
                chosen[count++] = plot_table[i];
        return count;
    }
    for (size_t i = 0; run->experiment && i < run->experiment->plot_count; i++) {
        const struct plot_family *family = plot_find(run->experiment->plots[i]);
        if (family && count < PLOTS_MAX)
            chosen[count++] = family;
    }
    if (count > 0)
        return count;
    chosen[count++] = plot_find("rate");
    if (!run->experiment || run->experiment->workload != WORKLOAD_MEMBERSHIP || !plot_rates(run))
        chosen[count++] = plot_find("measures");
    return count;
}

/* Is it FAMILY.ENDING or FAMILY-NUMBER.ENDING of some family? */
static bool plot_is_figure(const char *file)
{
    const char *dot = strrchr(file, '.');
    if (!dot || (strcmp(dot, ".svg") != 0 && strcmp(dot, ".png") != 0 && strcmp(dot, ".pdf") != 0))
        return false;
    for (unsigned i = 0; i < plot_count; i++) {
        size_t size = strlen(plot_table[i]->name);
        if (strncmp(file, plot_table[i]->name, size) != 0)
            continue;
        const char *rest = file + size;
        if (*rest == '-')
            rest += 1 + strspn(rest + 1, "0123456789");
        if (rest == dot)
            return true;
    }
    return false;
}

void plot_remove_old(const char *directory)
{
    DIR *folder = opendir(directory);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));)
        if (plot_is_figure(entry->d_name))
            unlinkat(dirfd(folder), entry->d_name, 0);
    closedir(folder);
}

enum status plot_run(const char *directory, struct error *err)
{
    const struct plot_family *chosen[PLOTS_MAX];
    struct run_data *run;
    enum status status = run_data_open(&run, directory, err);
    if (status)
        return status;
    plot_remove_old(directory);
    unsigned count = plot_choose(chosen, run);
    for (unsigned i = 0; !status && i < count; i++)
        status = chosen[i]->draw(run, err);
    run_data_close(run);
    return status;
}
