/* SPDX-License-Identifier: MIT
 *
 * dedup_options.h: what was asked of `bloomlab dedup`.
 */
#ifndef BLOOMLAB_COMMAND_DEDUP_OPTIONS_H
#define BLOOMLAB_COMMAND_DEDUP_OPTIONS_H

#include "harness/keys/keys.h"
#include "harness/stream/dedup.h"
#include "harness/stream/message.h"

struct dedup_options {
    struct dedup_settings settings;
    char **files; /* borrowed from argv */
    int file_count;
    enum stream_format format;
    const char *field;
    bool skip_invalid, quiet;
    bool generate;
    enum key_kind kind;
    uint64_t count;
    double repeat;
    uint64_t seed;
};

/* Reads the options and sizes the filter. options->files: room for argc names. E_INPUT: what cannot
 * be. */
enum status dedup_options_read(struct dedup_options *options, int argc, char **argv,
                               struct error *err);

extern const char dedup_help[];

#endif
