/* SPDX-License-Identifier: MIT
 *
 * fpr_vs_k.c: where the rate bottoms out, and whether (m/n) ln 2 predicts it.
 */
#include "harness/plot/family.h"
#include "harness/plot/rate.h"

static enum status fpr_vs_k_draw(const struct run_data *run, struct error *err)
{
    static const struct rate_style style = {.family = "fpr-vs-k", .x = "k"};
    return rate_draw(run, &style, err);
}

const struct plot_family plot_fpr_vs_k = {
    .name = "fpr-vs-k",
    .summary = "false-positive rate against the number of probes, and its ratio to theory",
    .draw = fpr_vs_k_draw,
};
