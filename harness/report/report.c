/* SPDX-License-Identifier: MIT
 *
 * report.c: one run on one page: the question, the plots, what they answer, the table, where it
 * comes from. The page holds everything in itself; links lead to the tables beside it.
 */
#include "harness/report/report.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/family.h"
#include "harness/plot/figure.h"
#include "harness/plot/json.h"
#include "harness/report/html.h"
#include "harness/report/matrix.h"
#include "harness/report/sections.h"
#include "harness/table/file.h"

static bool report_svg(struct text *svg, const char *directory, const char *name)
{
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/%s.svg", directory, name) < (int)sizeof path &&
           file_read(svg, path, NULL) == OK;
}

/* A figure of two columns: over 500 pixels. */
static bool report_is_wide(const struct text *svg)
{
    static const char mark[] = "<svg";
    const char *at = strstr(svg->data, mark);
    at = at ? strstr(at, "width=\"") : NULL;
    return at && strtod(at + 7, NULL) > 500;
}

static void report_figures(struct text *page, const struct run_data *run,
                           const struct plot_family *family)
{
    for (unsigned number = 1;; number++) {
        char name[80];
        struct text svg;
        figure_name(name, sizeof name, family->name, number);
        if (!report_svg(&svg, run->directory, name))
            return;
        text_printf(page, "<figure>\n<div class=\"scroll\"><img%s alt=\"",
                    report_is_wide(&svg) ? " class=\"wide\"" : "");
        html_text(page, family->summary);
        text_printf(page, "\" src=\"");
        html_data(page, "image/svg+xml", &svg);
        text_printf(page, "\"></div>\n<figcaption>");
        html_text(page, family->summary);
        for (int i = 0; i < 3; i++)
            text_printf(page, "%s<a href=\"%s.%s\">%s</a>", i ? ", " : " (", name,
                        (const char *[]){"svg", "png", "pdf"}[i],
                        (const char *[]){"SVG", "PNG", "PDF"}[i]);
        text_printf(page, ")</figcaption>\n</figure>\n");
        text_release(&svg);
    }
}

/* The first line is the answer, the others a list below it. */
static void report_answer(struct text *page, char *answer)
{
    char *rest, *line = strtok_r(answer, "\n", &rest);
    text_printf(page, "<div class=\"answer\">\n");
    if (line)
        html_element(page, "p", line);
    bool list = (line = strtok_r(NULL, "\n", &rest)) != NULL;
    text_printf(page, list ? "<ul>\n" : "");
    for (; line; line = strtok_r(NULL, "\n", &rest))
        html_element(page, "li", line);
    text_printf(page, list ? "</ul>\n</div>\n" : "</div>\n");
}

static void report_plots(struct text *page, const struct run_data *run)
{
    const struct plot_family *chosen[PLOTS_MAX];
    unsigned count = plot_choose(chosen, run);
    for (unsigned i = 0; i < count; i++) {
        struct text answer = {0};
        if (chosen[i]->answer)
            chosen[i]->answer(run, &answer);
        if (answer.size && !answer.failed)
            report_answer(page, answer.data);
        text_release(&answer);
        report_figures(page, run, chosen[i]);
    }
}

enum status report_write(const char *directory, struct error *err)
{
    struct run_data *run;
    struct text page = {0};
    enum status status = run_data_open(&run, directory, err);
    if (status)
        return status;
    html_open(&page, run->name);
    html_element(&page, "h1", run->name);
    html_element(&page, "p class=\"question\"", run->question);
    report_plots(&page, run);
    status = matrix_write(&page, run, err);
    section_verdicts(&page, run);
    if (run->kind == RUN_SWEEP)
        section_cells(&page, run);
    else if (run->kind == RUN_CLAIMS)
        section_claims(&page, run);
    else
        section_times(&page);
    section_skipped(&page, run);
    section_provenance(&page, run);
    section_citation(&page, run);
    html_close(&page);
    if (!status)
        status = file_write(directory, "index.html", &page, err);
    text_release(&page);
    run_data_close(run);
    return status;
}
