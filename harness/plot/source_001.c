/* SPDX-License-Identifier: MIT
 *
 * source_001.c: a published worked example: sixteen words in 128 bits.
 */
#include "harness/plot/family.h"
#include "harness/plot/rate.h"

static enum status source_001_draw(const struct run_data *run, struct error *err)
{
    static const struct rate_style style = {.family = "source-001", .x = "k"};
    return rate_draw(run, &style, err);
}

const struct plot_family plot_source_001 = {
    .name = "source-001",
    .summary = "false-positive rate against the number of probes, and its ratio to theory",
    .draw = source_001_draw,
};
