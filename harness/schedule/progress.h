/* SPDX-License-Identifier: MIT
 *
 * progress.h: how far a run is, on standard error: a line that is rewritten on a terminal, a line a
 * minute elsewhere.
 */
#ifndef BLOOMLAB_PROGRESS_H
#define BLOOMLAB_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    const char *name, *what; /* what: "trials" */
    uint64_t done, total, already;
    double started, shown; /* seconds of the monotonic clock */
    bool live, quiet, line_open;
};

double progress_clock(void); /* monotonic seconds */
void progress_start(struct progress *progress, const char *name, const char *what, uint64_t already,
                    uint64_t total, bool quiet);
void progress_show(struct progress *progress); /* when it is time */
void progress_end(struct progress *progress);

#endif
