/* SPDX-License-Identifier: MIT
 *
 * pipeline.h: one thread makes messages and hashes them while another takes them.
 */
#ifndef BLOOMLAB_STREAM_PIPELINE_H
#define BLOOMLAB_STREAM_PIPELINE_H

#include <signal.h>

#include "harness/stream/dedup.h"
#include "harness/stream/generate.h"

/* Sends the whole stream through the filter; ends early when *stop (may be NULL) is set. E_RUN: no
 * memory, no thread, what dedup_take says. */
enum status pipeline_run(struct dedup *dedup, struct stream_generator *generator,
                         const volatile sig_atomic_t *stop, struct error *err);

#endif
