/* SPDX-License-Identifier: MIT
 *
 * The grid found again in its cells: which axes are free, and what goes where.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "harness/plot/pages.h"
#include "tests/plot_support.h"

struct grid_view {
    struct made_run run;
    struct run_data *data;
    struct axes axes;
    struct layout_axes layout;
};

static void grid_open(struct grid_view *view, const char *yaml, const char *x)
{
    struct error err;
    made_write(&view->run, yaml);
    cr_assert_eq(run_data_open(&view->data, view->run.directory, &err), OK, "%s", err.text);
    cr_assert_eq(axes_open(&view->axes, view->data, &err), OK, "%s", err.text);
    axes_lay_out(&view->layout, &view->axes, x, NULL);
}

static void grid_close(struct grid_view *view)
{
    axes_release(&view->axes);
    run_data_close(view->data);
    made_remove(&view->run);
}

static const char *name_of(const struct grid_view *view, int axis)
{
    return axis < 0 ? "" : view->axes.axis[axis].name;
}

static bool is_free(const struct grid_view *view, const char *name)
{
    return view->axes.axis[axes_find(&view->axes, name)].free;
}

#define GRID                                                                                       \
    "name: made\nquestion: q\ngrid:\n  filter: [classic]\n  hash: [xxh3_64]\n  keys: [random64]\n"

Test(plot_axes, derived_axes_are_not_laid_out)
{
    struct grid_view view = {0};
    made_open(&view.run);
    for (int m = 1024; m <= 4096; m *= 2)
        for (int c = 4; c <= 16; c += 4)
            made_add(&view.run,
                     (struct made_cell){.filter = "classic", .m = m, .n = m / c, .k = c / 2});
    grid_open(&view,
              GRID "  m: [1024, 2048, 4096]\n  bits_per_key: [4, 8, 12, 16]\n  k: [optimal]\n",
              NULL);
    cr_expect(is_free(&view, "m") && is_free(&view, "bits_per_key"));
    cr_expect_not(is_free(&view, "n"), "n follows from m and bits_per_key");
    cr_expect_not(is_free(&view, "k"), "k follows from bits_per_key");
    cr_expect_not(is_free(&view, "filter"), "there is but one");
    cr_expect_str_eq(name_of(&view, view.layout.x), "bits_per_key");
    cr_expect_str_eq(name_of(&view, view.layout.column), "m");
    cr_expect_eq(view.layout.row, -1);
    grid_close(&view);
}

Test(plot_axes, numbers_are_in_their_order)
{
    struct grid_view view = {0};
    made_open(&view.run);
    for (int n = 900; n <= 1100; n += 100)
        made_add(&view.run, (struct made_cell){.filter = "classic", .m = 8192, .n = n, .k = 3});
    grid_open(&view, GRID "  m: [8192]\n  n: [900, 1000, 1100]\n  k: [3]\n", NULL);
    const struct axis *n = &view.axes.axis[view.layout.x];
    cr_expect_str_eq(n->name, "n");
    cr_assert_eq(n->count, 3);
    cr_expect(n->numbers[0] == 900 && n->numbers[1] == 1000 && n->numbers[2] == 1100);
    for (int c = 0; c < 3; c++)
        cr_expect_eq(axes_value(&view.axes, (size_t)c, view.layout.x), c);
    grid_close(&view);
}

Test(plot_axes, a_parameter_may_lie_along_x)
{
    struct grid_view view = {0};
    char params[40];
    made_open(&view.run);
    made_add(&view.run, (struct made_cell){.filter = "classic", .m = 4096, .n = 512, .k = 4});
    for (int bits = 64; bits <= 512; bits *= 2) {
        snprintf(params, sizeof params, "block_bits=%d", bits);
        made_add(
            &view.run,
            (struct made_cell){.filter = "blocked", .params = params, .m = 4096, .n = 512, .k = 4});
    }
    grid_open(&view, NULL, NULL);
    cr_expect_str_eq(name_of(&view, view.layout.x), "block_bits");
    cr_expect_not(is_free(&view, "filter"), "block_bits tells the filters apart");
    cr_expect_eq(axes_value(&view.axes, 0, view.layout.x), AXIS_MISSING);
    grid_close(&view);
}

Test(plot_axes, too_many_series_make_panels)
{
    struct grid_view view = {0};
    char hash[16];
    struct error err;
    struct pages pages;
    made_open(&view.run);
    for (int f = 0; f < 3; f++)
        for (int h = 0; h < 5; h++)
            for (int k = 1; k <= 4; k++) {
                snprintf(hash, sizeof hash, "h%d", h);
                made_add(&view.run, (struct made_cell){.filter = (const char *[]){"a", "b", "c"}[f],
                                                       .hash = hash,
                                                       .m = 4096,
                                                       .n = 512,
                                                       .k = k});
            }
    grid_open(&view, NULL, NULL);
    cr_expect_str_eq(name_of(&view, view.layout.x), "k");
    cr_expect_str_eq(name_of(&view, view.layout.column), "filter");
    cr_assert_eq(view.layout.series_count, 1);
    cr_expect_str_eq(name_of(&view, view.layout.series[0]), "hash");
    cr_assert_eq(pages_open(&pages, &view.axes, &view.layout, &err), OK);
    cr_assert_eq(pages.count, 1);
    cr_expect_eq(pages.page[0].panel_count, 3);
    cr_expect_eq(pages.page[0].series_count, 5);
    /* every cell in exactly one place */
    for (size_t c = 0; c < view.data->count; c++) {
        int places = 0;
        for (unsigned p = 0; p < 3; p++)
            for (unsigned s = 0; s < 5; s++)
                places += page_has(&pages, &pages.page[0], &pages.page[0].panels[p],
                                   pages.page[0].series[s], c);
        cr_expect_eq(places, 1);
    }
    pages_release(&pages);
    grid_close(&view);
}

/* Filters with a parameter as panels beside filters without one. */
Test(plot_axes, no_cell_is_lost)
{
    static const char *const filters[] = {"classic", "partitioned", "blocked", "blocked"};
    static const char *const params[] = {"", "", "block_bits=256", "block_bits=512"};
    static const char *const hashes[] = {"xxh64", "murmur2", "djb2"}, *const keys[] = {"url",
                                                                                       "uuid4"};
    struct grid_view view = {0};
    struct error err;
    struct pages pages;
    made_open(&view.run);
    for (int f = 0; f < 4; f++)
        for (int h = 0; h < 6; h++)
            for (int n = 100; n <= 500; n += 100)
                made_add(&view.run, (struct made_cell){.filter = filters[f],
                                                       .params = params[f],
                                                       .hash = hashes[h / 2],
                                                       .keys = keys[h % 2],
                                                       .m = 4096,
                                                       .n = n,
                                                       .k = 4});
    grid_open(&view, NULL, NULL);
    cr_assert_eq(pages_open(&pages, &view.axes, &view.layout, &err), OK);
    for (size_t c = 0; c < view.data->count; c++) {
        int places = 0;
        for (size_t i = 0; i < pages.count; i++)
            for (unsigned p = 0; p < pages.page[i].panel_count; p++)
                for (unsigned s = 0; s < pages.page[i].series_count; s++)
                    places += page_has(&pages, &pages.page[i], &pages.page[i].panels[p],
                                       pages.page[i].series[s], c);
        cr_expect_eq(places, 1, "cell %zu stands in %d places", c, places);
    }
    cr_expect_eq(pages.count, 1);
    cr_expect_eq(pages.page[0].panel_count, 4);
    pages_release(&pages);
    grid_close(&view);
}

Test(plot_axes, labels_are_safe_and_short)
{
    char label[80];
    enhanced_escape(label, sizeof label, "a_b^{c}@&~\\\x01z");
    cr_expect_str_eq(label, "a\\_b\\^\\{c\\}\\@\\&\\~\\\\z");
    cr_expect_eq(enhanced_length(label), 12);
    enhanced_escape(label, 4, "____");
    cr_expect_str_eq(label, "\\_");
    enhanced_number(label, sizeof label, 1048576);
    cr_expect_str_eq(label, "2^{20}");
    enhanced_number(label, sizeof label, 1000);
    cr_expect_str_eq(label, "1000");
    cr_expect_eq(enhanced_length("m = 2^{10}"), 7);
}
