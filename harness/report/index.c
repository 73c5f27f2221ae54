/* SPDX-License-Identifier: MIT
 *
 * index.c: every run below a folder: RESULTS/index.html, and a table in RESULTS/README.md.
 *
 * The table stands between two marks, and only there: a README.md without them is somebody's own
 * and is left alone. Where there is none one is written.
 */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/plot/family.h"
#include "harness/report/html.h"
#include "harness/report/report.h"
#include "harness/table/file.h"

static const char index_begin[] = "<!-- experiments: written by `make plots` -->\n";
static const char index_end[] = "<!-- end of experiments -->\n";

static const char index_title[] = "bloomlab: results";

struct index_pages {
    struct text html, table;
};

/* The first line of what the run's first family answers; "" without one. From malloc. */
static char *index_answer(const struct run_data *run, const struct plot_family *family)
{
    struct text answer = {0};
    text_add(&answer, "", 0);
    if (family->answer)
        family->answer(run, &answer);
    if (answer.data)
        answer.data[strcspn(answer.data, "\n")] = '\0';
    return answer.data;
}

static bool index_has_plot(const struct run_data *run, const struct plot_family *family)
{
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/%s.svg", run->directory, family->name) < PATH_MAX &&
           access(path, R_OK) == 0;
}

static void index_html(struct text *page, const char *folder, const struct run_data *run,
                       const struct plot_family *family, const char *answer)
{
    text_printf(page, "<li>\n<h2><a href=\"");
    html_path(page, folder);
    text_printf(page, "/index.html\">");
    html_text(page, run->name);
    text_printf(page, "</a></h2>\n");
    html_element(page, "p", run->question);
    if (index_has_plot(run, family)) {
        text_printf(page, "<a href=\"");
        html_path(page, folder);
        text_printf(page, "/index.html\"><img loading=\"lazy\" alt=\"");
        html_text(page, family->summary);
        text_printf(page, "\" src=\"");
        html_path(page, folder);
        text_printf(page, "/%s.svg\"></a>\n", family->name);
    }
    if (*answer)
        html_element(page, "p class=\"note\"", answer);
    text_printf(page, "</li>\n");
}

/* A field of a Markdown table: no bar, no line end, no HTML. */
static void index_field(struct text *table, const char *value)
{
    for (; *value; value++)
        if (strchr("|<>*_`[]\\", *value))
            text_printf(table, "\\%c", *value);
        else if ((unsigned char)*value >= 0x20)
            text_add(table, value, 1);
        else
            text_add(table, " ", 1);
}

static void index_row(struct text *table, const char *folder, const struct run_data *run,
                      const struct plot_family *family, const char *answer)
{
    text_printf(table, "| [");
    index_field(table, run->name);
    text_printf(table, "](");
    html_path(table, folder);
    text_printf(table, "/index.html) | ");
    index_field(table, run->question);
    text_printf(table, " | ");
    if (index_has_plot(run, family)) {
        text_printf(table, "[%s](", family->name);
        html_path(table, folder);
        text_printf(table, "/%s.svg)", family->name);
    }
    text_printf(table, " | ");
    index_field(table, answer);
    text_printf(table, " |\n");
}

static void index_run(struct index_pages *pages, const char *folder, const struct run_data *run)
{
    const struct plot_family *chosen[PLOTS_MAX];
    plot_choose(chosen, run);
    char *answer = index_answer(run, chosen[0]);
    index_html(&pages->html, folder, run, chosen[0], answer ? answer : "");
    index_row(&pages->table, folder, run, chosen[0], answer ? answer : "");
    free(answer);
}

static enum status index_runs(struct index_pages *pages, const char *results, struct error *err)
{
    struct dirent **entries;
    enum status status = OK;
    int count = scandir(results, &entries, NULL, alphasort);
    if (count < 0)
        return fail(err, E_INPUT, "cannot read the folder %s", results);
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        struct run_data *run;
        const char *name = entries[i]->d_name;
        bool there = name[0] != '.' &&
                     snprintf(path, sizeof path, "%s/%s", results, name) < PATH_MAX &&
                     run_data_there(path);
        if (there && !status && (status = run_data_open(&run, path, err)) == OK) {
            index_run(pages, name, run);
            run_data_close(run);
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

/* README.md with the table between its marks. */
static enum status index_readme(const char *results, const struct text *table, struct error *err)
{
    char path[PATH_MAX];
    struct text old = {0}, new = {0};
    if (snprintf(path, sizeof path, "%s/README.md", results) >= PATH_MAX)
        return fail(err, E_INPUT, "the path %.60s... is too long", results);
    if (file_read(&old, path, NULL) != OK)
        text_printf(&old, "# Results\n\n%s%s", index_begin, index_end);
    char *begin = old.data ? strstr(old.data, index_begin) : NULL;
    char *end = begin ? strstr(begin, index_end) : NULL;
    enum status status = OK;
    if (end) {
        begin += sizeof index_begin - 1;
        text_add(&new, old.data, (size_t)(begin - old.data));
        text_add(&new, table->data ? table->data : "", table->size);
        text_add(&new, end, strlen(end));
        new.failed = new.failed || table->failed;
        if (new.failed || strcmp(new.data, old.data) != 0 || access(path, F_OK) != 0)
            status = file_write(results, "README.md", &new, err);
    }
    text_release(&old);
    text_release(&new);
    return status;
}

enum status report_index(const char *results, struct error *err)
{
    struct index_pages pages = {0};
    html_open(&pages.html, index_title);
    text_printf(&pages.html, "<h1>Results</h1>\n<ul class=\"runs\">\n");
    text_printf(&pages.table, "| experiment | question | plot | answer |\n|---|---|---|---|\n");
    enum status status = index_runs(&pages, results, err);
    text_printf(&pages.html, "</ul>\n");
    html_close(&pages.html);
    if (!status)
        status = file_write(results, "index.html", &pages.html, err);
    if (!status)
        status = index_readme(results, &pages.table, err);
    text_release(&pages.html);
    text_release(&pages.table);
    return status;
}

enum status report_index_again(const char *results, struct error *err)
{
    char path[PATH_MAX], title[64];
    struct text page;
    snprintf(title, sizeof title, "<title>%s</title>", index_title);
    if (snprintf(path, sizeof path, "%s/index.html", results) >= PATH_MAX ||
        file_read(&page, path, NULL) != OK)
        return OK;
    bool own = page.data && strstr(page.data, title);
    text_release(&page);
    return own ? report_index(results, err) : OK;
}
