/* SPDX-License-Identifier: MIT
 *
 * plot_rate.c: the family every run can be shown with.
 */
#include "harness/plot/family.h"
#include "harness/plot/rate.h"

static enum status plot_rate_draw(const struct run_data *run, struct error *err)
{
    static const struct rate_style style = {.family = "rate"};
    return rate_draw(run, &style, err);
}

const struct plot_family plot_rate = {
    .name = "rate",
    .summary = "false-positive rate against the longest axis of the grid, and its ratio to theory",
    .draw = plot_rate_draw,
};
