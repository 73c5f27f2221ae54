/* SPDX-License-Identifier: MIT */
#include "harness/schedule/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

double progress_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_start(struct progress *progress, const char *name, const char *what, uint64_t already,
                    uint64_t total, bool quiet)
{
    *progress = (struct progress){
        .name = name,
        .what = what,
        .done = already,
        .already = already,
        .total = total,
        .started = progress_clock(),
        .live = isatty(STDERR_FILENO) != 0,
        .quiet = quiet,
    };
    progress->shown = progress->started;
}

static void progress_line(struct progress *progress, double now)
{
    double seconds = now - progress->started;
    double rate = seconds > 0 ? (double)(progress->done - progress->already) / seconds : 0;
    fprintf(stderr, "%s%s: %" PRIu64 "/%" PRIu64 " %s", progress->live ? "\r\033[K" : "",
            progress->name, progress->done, progress->total, progress->what);
    if (rate > 0)
        fprintf(stderr, ", %.3g/s, %.0f s left", rate,
                (double)(progress->total - progress->done) / rate);
    fputs(progress->live ? "" : "\n", stderr);
    fflush(stderr);
    progress->line_open = progress->live;
    progress->shown = now;
}

void progress_show(struct progress *progress)
{
    double now = progress_clock();
    if (!progress->quiet && now - progress->shown >= (progress->live ? 0.2 : 60.0))
        progress_line(progress, now);
}

void progress_end(struct progress *progress)
{
    if (progress->quiet)
        return;
    progress_line(progress, progress_clock());
    if (progress->line_open)
        fputc('\n', stderr);
}
