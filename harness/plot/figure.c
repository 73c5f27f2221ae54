/* SPDX-License-Identifier: MIT */
#include "harness/plot/figure.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/plot/caption.h"
#include "harness/plot/gnuplot.h"
#include "harness/table/file.h"

static const char *const figure_endings[] = {"svg", "png", "pdf"};
enum { FIGURE_ENDINGS = 3 };

void figure_name(char *name, size_t size, const char *family, unsigned number)
{
    if (number > 1)
        snprintf(name, size, "%s-%u", family, number);
    else
        snprintf(name, size, "%s", family);
}

/* In single quotes gnuplot takes everything literally but the quote, which is doubled. */
static void figure_quote(struct text *text, const char *value)
{
    text_add(text, "'", 1);
    for (; *value; value++)
        if (*value == '\'')
            text_add(text, "''", 2);
        else if ((unsigned char)*value >= 0x20)
            text_add(text, value, 1);
    text_add(text, "'\n", 2);
}

void figure_number(struct figure *figure, const char *name, double value)
{
    if (isnan(value))
        text_printf(&figure->setup, "%s = NaN\n", name);
    else
        text_printf(&figure->setup, "%s = %.17g%s\n", name, value,
                    value == floor(value) && fabs(value) < 1e9 ? "" : " + 0.0");
}

void figure_string(struct figure *figure, const char *name, const char *value)
{
    text_printf(&figure->setup, "%s = ", name);
    figure_quote(&figure->setup, value);
}

void figure_array(struct figure *figure, const char *name, unsigned count)
{
    text_printf(&figure->setup, "array %s[%u]\n", name, count ? count : 1);
}

void figure_element(struct figure *figure, const char *name, unsigned index, const char *value)
{
    text_printf(&figure->setup, "%s[%u] = ", name, index);
    figure_quote(&figure->setup, value);
}

void figure_row(struct figure *figure, const double *values, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (isfinite(values[i]))
            text_printf(&figure->data, "%s%.10g", i ? " " : "", values[i]);
        else
            text_printf(&figure->data, "%sNaN", i ? " " : "");
    text_add(&figure->data, "\n", 1);
}

void figure_set_end(struct figure *figure, unsigned columns)
{
    size_t size = figure->data.size;
    if (size == 0 || (size > 1 && figure->data.data[size - 2] == '\n')) {
        double nothing[32];
        for (unsigned i = 0; i < columns && i < 32; i++)
            nothing[i] = NAN;
        figure_row(figure, nothing, columns < 32 ? columns : 32);
    }
    text_add(&figure->data, "\n\n", 2);
    figure->sets++;
}

void figure_open(struct figure *figure, const struct run_data *run, const char *family,
                 unsigned number, const char *title, double width_cm, bool rates,
                 const char *caption)
{
    struct caption lines;
    *figure = (struct figure){.run = run, .family = family, .number = number};
    caption_make(&lines, run, caption, rates, width_cm);
    figure_string(figure, "figure_title", title);
    figure_number(figure, "width_cm", width_cm);
    figure_number(figure, "caption_lines", lines.count);
    figure_array(figure, "caption", lines.count);
    for (unsigned i = 0; i < lines.count; i++)
        figure_element(figure, "caption", i + 1, lines.line[i]);
}

void figure_release(struct figure *figure)
{
    text_release(&figure->setup);
    text_release(&figure->data);
}

/* ---- drawing
 * -------------------------------------------------------------------------------------- */

/* A family's name as gnuplot wants those of SVG elements. */
static void figure_identifier(struct text *script, const char *family)
{
    char name[80];
    snprintf(name, sizeof name, "%s", family);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
    figure_quote(script, name);
}

static void figure_script(struct text *script, const struct figure *figure, const char *scripts,
                          const char *out)
{
    text_add(script, figure->setup.data, figure->setup.size);
    text_printf(script, "$DATA << END_OF_DATA\n");
    text_add(script, figure->data.data ? figure->data.data : "", figure->data.size);
    text_printf(script, "END_OF_DATA\nfamily = ");
    figure_quote(script, figure->family);
    text_printf(script, "identifier = ");
    figure_identifier(script, figure->family);
    text_printf(script, "scripts = ");
    figure_quote(script, scripts);
    text_printf(script, "output_file = ");
    figure_quote(script, out);
    text_printf(script, "load scripts.'/draw.gp'\n");
}

/* cairo stamps the time into a PDF; the same tables shall give the same bytes. */
static void figure_unstamp(const char *path)
{
    static const char mark[] = "/CreationDate (D:";
    struct text pdf;
    if (file_read(&pdf, path, NULL) != OK)
        return;
    char *at = memmem(pdf.data, pdf.size, mark, sizeof mark - 1);
    FILE *file = at ? fopen(path, "r+b") : NULL;
    if (file) {
        long offset = (long)(at - pdf.data) + (long)sizeof mark - 1;
        size_t digits = strspn(pdf.data + offset, "0123456789");
        fseek(file, offset, SEEK_SET);
        for (size_t i = 0; i < digits; i++)
            fputc("20000101000000"[i < 14 ? i : 13], file);
        fclose(file);
    }
    text_release(&pdf);
}

static enum status figure_move(const struct figure *figure, const char *work, struct error *err)
{
    char from[PATH_MAX], to[PATH_MAX], name[80];
    figure_name(name, sizeof name, figure->family, figure->number);
    for (int i = 0; i < FIGURE_ENDINGS; i++) {
        int size = snprintf(from, sizeof from, "%s/figure.%s", work, figure_endings[i]);
        int size_to =
            snprintf(to, sizeof to, "%s/%s.%s", figure->run->directory, name, figure_endings[i]);
        if (size >= PATH_MAX || size_to >= PATH_MAX)
            return fail(err, E_INPUT, "the path %.60s... is too long", work);
        if (strcmp(figure_endings[i], "pdf") == 0)
            figure_unstamp(from);
        if (rename(from, to) != 0)
            return fail(err, E_RUN, "cannot write %s: %s", to, strerror(errno));
    }
    return OK;
}

static void figure_clean(const char *work)
{
    static const char *const names[] = {"figure.svg", "figure.png", "figure.pdf", "figure.gp",
                                        "messages"};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (snprintf(path, sizeof path, "%s/%s", work, names[i]) < (int)sizeof path)
            unlink(path);
    rmdir(work);
}

enum status figure_draw(struct figure *figure, struct error *err)
{
    char work[PATH_MAX], scripts[PATH_MAX], out[PATH_MAX];
    struct text script = {0};
    int size = snprintf(work, sizeof work, "%s/.figure-XXXXXX", figure->run->directory);
    if (size < 0 || (size_t)size + 20 >= sizeof work)
        return fail(err, E_INPUT, "the path %.60s... is too long", figure->run->directory);
    enum status status = gnuplot_scripts(scripts, figure->family, err);
    if (status)
        return status;
    if (!mkdtemp(work))
        return fail(err, E_RUN, "cannot make a folder in %s: %s", figure->run->directory,
                    strerror(errno));
    snprintf(out, sizeof out, "%.*s/figure", PATH_MAX - 10, work);
    figure_script(&script, figure, scripts, out);
    script.failed = script.failed || figure->setup.failed || figure->data.failed;
    status = file_write(work, "figure.gp", &script, err);
    if (!status)
        status = gnuplot_run(work, "figure.gp", err);
    if (!status)
        status = figure_move(figure, work, err);
    text_release(&script);
    figure_clean(work);
    return status;
}
