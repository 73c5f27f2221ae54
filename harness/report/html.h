/* SPDX-License-Identifier: MIT
 *
 * html.h: pieces of a page. Whatever comes from a table or an experiment goes through html_text.
 */
#ifndef BLOOMLAB_REPORT_HTML_H
#define BLOOMLAB_REPORT_HTML_H

#include "harness/table/text.h"

/* The text, with & < > " ' as entities and control characters left out: safe inside an element and
 * inside a quoted attribute. */
void html_text(struct text *page, const char *text);

/* "<TAG>text</TAG>" */
void html_element(struct text *page, const char *tag, const char *text);

/* A relative path as the value of href or src: every byte that is not safe in a URL is
 * percent-encoded. */
void html_path(struct text *page, const char *path);

/* "data:TYPE;base64,..." */
void html_data(struct text *page, const char *type, const struct text *bytes);

/* Everything up to <body>, with the style sheet; and what closes the page. */
void html_open(struct text *page, const char *title);
void html_close(struct text *page);

#endif
