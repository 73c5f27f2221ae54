/* SPDX-License-Identifier: MIT
 *
 * claims_page.c: index.html of the claims: the figures and the tables, on a page that needs no
 * network.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "harness/claims/claims.h"
#include "harness/plot/figure.h"
#include "harness/plot/frame.h"
#include "harness/report/html.h"
#include "harness/table/file.h"

static void page_figures(struct text *page, const char *directory)
{
    for (unsigned number = 1;; number++) {
        char name[80], path[PATH_MAX];
        struct text svg;
        figure_name(name, sizeof name, "claims", number);
        if (snprintf(path, sizeof path, "%s/%s.svg", directory, name) >= PATH_MAX ||
            file_read(&svg, path, NULL) != OK)
            return;
        text_printf(page, "<figure>\n<div class=\"scroll\"><img class=\"wide\" alt=\"claimed "
                          "against found\" src=\"");
        html_data(page, "image/svg+xml", &svg);
        text_printf(
            page,
            "\"></div>\n<figcaption><a href=\"%s.svg\">SVG</a>, <a href=\"%s.png\">PNG</a>, "
            "<a href=\"%s.pdf\">PDF</a></figcaption>\n</figure>\n",
            name, name, name);
        text_release(&svg);
    }
}

static void page_table(struct text *page, const struct frame *table)
{
    text_printf(page, "<div class=\"scroll\">\n<table>\n<tr>");
    for (unsigned c = 0; c < table->columns; c++)
        html_element(page, "th", table->names[c]);
    text_printf(page, "</tr>\n");
    for (size_t r = 0; r < table->rows; r++) {
        text_printf(page, "<tr>");
        for (int c = 0; c < (int)table->columns; c++)
            html_element(page, strlen(frame_text(table, r, c)) > 24 ? "td class=\"wide\"" : "td",
                         frame_text(table, r, c));
        text_printf(page, "</tr>\n");
    }
    text_printf(page, "</table>\n</div>\n");
}

static void page_counts(struct text *page, const struct frame *table)
{
    int column = frame_column(table, "verdict");
    text_printf(page, "<div class=\"answer\">\n<p>");
    for (int v = 0; v < CLAIM_VERDICTS; v++) {
        size_t count = 0;
        for (size_t r = 0; r < table->rows; r++)
            count += strcmp(frame_text(table, r, column), claim_verdict_name[v]) == 0;
        text_printf(page, "%s%zu %s", v ? ", " : "", count, claim_verdict_name[v]);
    }
    text_printf(page, " of %zu claims.</p>\n</div>\n", table->rows);
}

static void page_write(struct text *page, const char *directory, const struct frame *claims,
                       const struct frame *timings)
{
    html_open(page, "claims");
    html_element(page, "h1", "Claims");
    html_element(page, "p class=\"question\"",
                 "What do published documents on Bloom filters state, and what comes out?");
    page_counts(page, claims);
    page_figures(page, directory);
    html_element(page, "h2", "Every claim");
    page_table(page, claims);
    text_printf(page, "<p class=\"note\"><a href=\"claims.csv\">claims.csv</a>, <a "
                      "href=\"readings.csv\">readings.csv</a> (each number), <a "
                      "href=\"claims.md\">claims.md</a>; the experiments stand in sweeps/</p>\n");
    html_element(page, "h2", "Claims on times");
    html_element(page, "p class=\"note\"", "Of this machine; no two runs find the same.");
    page_table(page, timings);
    html_close(page);
}

enum status claims_page(const char *directory, struct error *err)
{
    struct frame claims = {0}, timings = {0};
    struct text page = {0};
    enum status status = frame_read(&claims, directory, "claims.csv", NULL, err);
    if (!status)
        status = frame_read(&timings, directory, "timings.csv", NULL, err);
    if (!status) {
        page_write(&page, directory, &claims, &timings);
        status = file_write(directory, "index.html", &page, err);
    }
    text_release(&page);
    frame_release(&claims);
    frame_release(&timings);
    return status;
}
