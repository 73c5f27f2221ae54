/* SPDX-License-Identifier: MIT
 *
 * rate_panel.h: one panel of the generic plot: its data sets and its scales.
 */
#ifndef BLOOMLAB_PLOT_RATE_PANEL_H
#define BLOOMLAB_PLOT_RATE_PANEL_H

#include "harness/plot/pages.h"
#include "harness/plot/rate.h"

/* Adds the sets of page->panels[panel] to the figure, and the elements panel + 1 of panel_title,
 * panel_x, panel_rate and panel_strip. */
enum status rate_panel_add(struct figure *figure, const struct pages *pages,
                           const struct page *page, unsigned panel, const struct rate_style *style,
                           struct error *err);

unsigned rate_extra_count(const struct rate_style *style);

#endif
