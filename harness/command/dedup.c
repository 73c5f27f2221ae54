/* SPDX-License-Identifier: MIT
 *
 * dedup.c: `bloomlab dedup`: the messages of a stream, each once.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "harness/command/command.h"
#include "harness/command/dedup_options.h"
#include "harness/stream/feed.h"
#include "harness/stream/pipeline.h"

/* What the files said besides their messages. */
struct dedup_input {
    uint64_t skipped, blank;
};

static void dedup_warn_user(const char *sentence)
{
    fprintf(stderr, "bloomlab dedup: %s\n", sentence);
}

/* ---- the summary ----------------------------------------------------------------------------- */

static void summary_filter(const struct dedup *dedup)
{
    const struct dedup_settings *settings = &dedup->settings;
    const struct layout *layout = &settings->layout;
    char own[256];
    filter_params_format(&layout->params, settings->ops, own, sizeof own);
    fprintf(stderr, "filter: %s%s%s%s, m = %" PRIu64 ", k = %u", settings->ops->name,
            *own ? " (" : "", own, *own ? ")" : "", layout->m, layout->k);
    if (settings->capacity)
        fprintf(stderr, ", for %" PRIu64 " ids", settings->capacity);
    if (dedup->window.count > 1)
        fprintf(stderr, "; %u of them in turns of %" PRIu64 " messages, %" PRIu64 " ended",
                dedup->window.count, dedup->window.turn, dedup->window.turns);
    fprintf(stderr, "\nhash: %s, %s, %u bits\n", settings->family.hash->name,
            family_name(settings->family.family), settings->family.digest_bits);
}

static void summary_number(const char *name, double value)
{
    if (!isnan(value))
        fprintf(stderr, "%s: %.6g\n", name, value);
}

static void summary_truth(const struct dedup *dedup)
{
    if (!dedup->known)
        return;
    const char *lost = dedup->settings.repeats ? "passed" : "lost";
    fprintf(stderr, "new ids: %" PRIu64 "\n%s: %" PRIu64 "\n", dedup->fresh, lost, dedup->lost);
    if (dedup->fresh)
        fprintf(stderr, "%s share: %.6g\n", lost, (double)dedup->lost / (double)dedup->fresh);
    if (!isnan(dedup->expected)) {
        fprintf(stderr, "%s by theory: %.1f +- %.1f\n", lost, dedup->expected,
                sqrt(dedup->variance));
        if (!isnan(dedup_z(dedup)))
            fprintf(stderr, "z: %.3f\n", round(dedup_z(dedup) * 1000) / 1000 + 0.0);
    }
    if (dedup->window.shared)
        fprintf(stderr,
                "came again in a later turn: %" PRIu64
                ", which theory takes for other ids: it is a bound from above\n",
                dedup->window.shared);
    fprintf(stderr, "%s: %" PRIu64 "\n",
            dedup->settings.repeats ? "repeats not written" : "written twice", dedup->missed);
}

static void summary_memory(const struct dedup *dedup)
{
    struct rusage usage;
    uint64_t exact = 0;
    for (unsigned i = 0; dedup->window.exact && i < dedup->window.count; i++)
        exact += exact_memory(&dedup->window.exact[i]);
    fprintf(stderr, "filter bytes: %" PRIu64 "\n", window_bytes(&dedup->window));
    if (dedup->window.exact)
        fprintf(stderr, "exact set bytes: %" PRIu64 "\n", exact);
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        fprintf(stderr, "peak bytes: %" PRIu64 "\n", (uint64_t)usage.ru_maxrss * 1024);
}

static void summary_print(struct dedup *dedup, const struct dedup_input *input, double seconds)
{
    fprintf(stderr, "messages: %" PRIu64 "\nwritten: %" PRIu64 "\ndropped: %" PRIu64 "\n",
            dedup->messages, dedup->written, dedup->messages - dedup->written);
    if (input->skipped)
        fprintf(stderr, "skipped lines: %" PRIu64 "\n", input->skipped);
    if (input->blank)
        fprintf(stderr, "blank lines: %" PRIu64 "\n", input->blank);
    summary_filter(dedup);
    if (dedup->settings.capacity)
        summary_number("rate at capacity",
                       stream_rate(&dedup->curve.law, dedup->settings.capacity));
    summary_number("rate by theory", dedup_rate(dedup));
    summary_number("rate by bits", dedup_rate_bits(dedup));
    summary_truth(dedup);
    summary_memory(dedup);
    fprintf(stderr, "seconds: %.2f\n", seconds);
}

/* ---- the run --------------------------------------------------------------------------------- */

static enum status dedup_file(struct dedup *dedup, const struct dedup_options *options,
                              const char *path, struct dedup_input *input, struct error *err)
{
    struct stream_reader reader;
    bool standard = strcmp(path, "-") == 0;
    int descriptor = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return fail(err, E_INPUT, "cannot read %s: %s", path, strerror(errno));
    stream_reader_open(&reader, descriptor, standard ? "standard input" : path, options->format);
    reader.field = options->field;
    reader.skip_invalid = options->skip_invalid;
    enum status status = feed_run(dedup, &reader, &command_interrupted, err);
    input->skipped += reader.skipped;
    input->blank += reader.blank;
    stream_reader_release(&reader);
    if (!standard)
        close(descriptor);
    return status;
}

static enum status dedup_generated(struct dedup *dedup, const struct dedup_options *options,
                                   struct error *err)
{
    struct stream_generator generator;
    enum status status = generator_open(&generator, options->kind, options->count, options->repeat,
                                        options->seed, err);
    if (!status)
        status = pipeline_run(dedup, &generator, &command_interrupted, err);
    generator_release(&generator);
    return status;
}

static enum status dedup_all(struct dedup *dedup, const struct dedup_options *options,
                             struct dedup_input *input, struct error *err)
{
    enum status status = OK;
    if (options->generate)
        status = dedup_generated(dedup, options, err);
    else if (options->file_count == 0)
        status = dedup_file(dedup, options, "-", input, err);
    for (int i = 0; !status && i < options->file_count && !command_interrupted; i++)
        status = dedup_file(dedup, options, options->files[i], input, err);
    struct error ignored;
    enum status flushed = stream_writer_flush(dedup->writer, status ? &ignored : err);
    if (!status)
        status = flushed;
    if (!status && dedup->missed)
        status =
            fail(err, E_CHECK, "%" PRIu64 " ids were taken for new ones that had been there before",
                 dedup->missed);
    return status;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static enum status dedup_with(const struct dedup_options *options, struct error *err)
{
    struct dedup dedup;
    struct stream_writer writer;
    struct dedup_input input = {0};
    double start = seconds_now();
    enum status status = stream_writer_open(&writer, STDOUT_FILENO, err);
    if (status)
        return status;
    status = dedup_open(&dedup, &options->settings, &writer, err);
    if (!status) {
        status = dedup_all(&dedup, options, &input, err);
        if (!options->quiet)
            summary_print(&dedup, &input, seconds_now() - start);
    }
    dedup_release(&dedup);
    stream_writer_release(&writer);
    return status;
}

static enum status dedup_run(int argc, char **argv, struct error *err)
{
    struct dedup_options options = {.settings = {.warn = dedup_warn_user}};
    options.files = calloc((size_t)argc + 1, sizeof *options.files);
    if (!options.files)
        return fail(err, E_RUN, "no memory for the names of %d files", argc);
    enum status status = dedup_options_read(&options, argc, argv, err);
    if (!status)
        status = dedup_with(&options, err);
    free(options.files);
    return status;
}

const struct command command_dedup = {
    .name = "dedup",
    .summary = "the messages of a stream, each once",
    .help = dedup_help,
    .run = dedup_run,
};
