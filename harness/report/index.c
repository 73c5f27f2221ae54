/* SPDX-License-Identifier: MIT
 *
 * index.c: every run below a folder, on one page.
 */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/plot/family.h"
#include "harness/plot/figure.h"
#include "harness/report/html.h"
#include "harness/report/report.h"
#include "harness/table/file.h"

static void index_thumbnail(struct text *page, const char *folder, const struct run_data *run,
                            const struct plot_family *family)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s.svg", run->directory, family->name) >= PATH_MAX ||
        access(path, R_OK) != 0)
        return;
    text_printf(page, "<a href=\"");
    html_path(page, folder);
    text_printf(page, "/index.html\"><img loading=\"lazy\" alt=\"");
    html_text(page, family->summary);
    text_printf(page, "\" src=\"");
    html_path(page, folder);
    text_printf(page, "/%s.svg\"></a>\n", family->name);
}

static void index_run(struct text *page, const char *folder, const struct run_data *run)
{
    const struct plot_family *chosen[PLOTS_MAX];
    plot_choose(chosen, run);
    struct text answer = {0};
    if (chosen[0]->answer)
        chosen[0]->answer(run, &answer);
    text_printf(page, "<li>\n<h2><a href=\"");
    html_path(page, folder);
    text_printf(page, "/index.html\">");
    html_text(page, run->name);
    text_printf(page, "</a></h2>\n");
    html_element(page, "p", run->question);
    index_thumbnail(page, folder, run, chosen[0]);
    if (answer.size && !answer.failed) {
        answer.data[strcspn(answer.data, "\n")] = '\0'; /* the list is on the run's own page */
        html_element(page, "p class=\"note\"", answer.data);
    }
    text_printf(page, "</li>\n");
    text_release(&answer);
}

static enum status index_entries(struct text *page, const char *results, struct error *err)
{
    struct dirent **entries;
    enum status status = OK;
    int count = scandir(results, &entries, NULL, alphasort);
    if (count < 0)
        return fail(err, E_INPUT, "cannot read the folder %s", results);
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX], cells[PATH_MAX];
        struct run_data *run;
        const char *name = entries[i]->d_name;
        bool there = name[0] != '.' &&
                     snprintf(path, sizeof path, "%s/%s", results, name) < PATH_MAX &&
                     snprintf(cells, sizeof cells, "%s/cells.csv", path) < PATH_MAX &&
                     access(cells, R_OK) == 0;
        if (there && !status && (status = run_data_open(&run, path, err)) == OK) {
            index_run(page, name, run);
            run_data_close(run);
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

enum status report_index(const char *results, struct error *err)
{
    struct text page = {0};
    html_open(&page, "bloomlab: results");
    text_printf(&page, "<h1>Results</h1>\n<ul class=\"runs\">\n");
    enum status status = index_entries(&page, results, err);
    text_printf(&page, "</ul>\n");
    html_close(&page);
    if (!status)
        status = file_write(results, "index.html", &page, err);
    text_release(&page);
    return status;
}
