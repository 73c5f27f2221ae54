/* SPDX-License-Identifier: MIT */
#include "harness/stream/window.h"

#include <math.h>
#include <stdlib.h>

#include "harness/stream/add.h"

enum status window_open(struct stream_window *window, const struct filter_ops *ops,
                        const struct layout *layout, uint64_t messages, unsigned slices,
                        bool verify, struct error *err)
{
    unsigned count = messages ? slices + 1 : 1;
    *window = (struct stream_window){
        .ops = ops,
        .layout = layout,
        .count = count,
        .turn = messages / slices + (messages % slices != 0),
        .filter = calloc(count, sizeof *window->filter),
        .space = calloc(count, sizeof *window->space),
        .ids = calloc(count, sizeof *window->ids),
        .exact = verify ? calloc(count, sizeof *window->exact) : NULL,
    };
    window->left = window->turn;
    if (!window->filter || !window->space || !window->ids || (verify && !window->exact))
        return fail(err, E_RUN, "no memory for %u filters", count);
    if (layout->bytes_max > memory_physical() / count)
        return fail(err, E_RUN,
                    "a %s filter of %llu bytes, times %u, is more than the %llu of this machine",
                    ops->name, (unsigned long long)layout->bytes_max, count,
                    (unsigned long long)memory_physical());
    enum status status = OK;
    for (unsigned i = 0; !status && i < count; i++)
        status = workspace_filter(&window->space[i], &window->filter[i], ops, layout, err);
    return status;
}

void window_release(struct stream_window *window)
{
    for (unsigned i = 0; i < window->count; i++) {
        if (window->space)
            workspace_release(&window->space[i]);
        if (window->exact)
            exact_release(&window->exact[i]);
    }
    free(window->filter);
    free(window->space);
    free(window->exact);
    free(window->ids);
    *window = (struct stream_window){.ops = NULL};
}

size_t window_room(const struct stream_window *window, size_t wanted)
{
    return window->turn && window->left < wanted ? (size_t)window->left : wanted;
}

enum status window_turn(struct stream_window *window, struct error *err)
{
    window->newest = (window->newest + 1) % window->count;
    window->left = window->turn;
    window->turns++;
    window->ids[window->newest] = 0;
    if (window->exact)
        exact_clear(&window->exact[window->newest]);
    return workspace_filter(&window->space[window->newest], &window->filter[window->newest],
                            window->ops, window->layout, err);
}

enum status window_add(struct stream_window *window, uint8_t *present, struct digests *batch,
                       struct error *err)
{
    uint64_t found;
    void *scratch = window->space[window->newest].scratch;
    enum status status =
        stream_add(&window->filter[window->newest], &found, present, batch, scratch, err);
    for (unsigned i = 0; !status && i < window->count; i++) {
        uint8_t older[FILTER_BATCH];
        if (i == window->newest ||
            window->ops->query(&window->filter[i], older, batch, scratch) == 0)
            continue;
        for (size_t j = 0; j < batch->count; j++)
            present[j] |= older[j];
    }
    window->left -= window->turn ? batch->count : 0;
    return status;
}

enum status window_add_exact(struct stream_window *window, bool *repeated, const unsigned char *id,
                             size_t size, struct error *err)
{
    bool added;
    enum status status = exact_add(&window->exact[window->newest], &added, id, size, err);
    bool older = false;
    for (unsigned i = 0; added && !older && i < window->count; i++)
        older = i != window->newest && exact_has(&window->exact[i], id, size);
    *repeated = !added || older;
    window->shared += added && older;
    window->ids[window->newest] += added;
    return status;
}

double window_rate(const struct stream_window *window, struct stream_curve *curve)
{
    double kept = 0;
    for (unsigned i = 0; i < window->count; i++)
        kept += log1p(-stream_curve_rate(curve, window->ids[i]));
    return 0.0 - expm1(kept);
}

uint64_t window_bytes(const struct stream_window *window)
{
    return window->layout->bytes_max * window->count;
}
