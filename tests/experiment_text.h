/* SPDX-License-Identifier: MIT
 *
 * experiment_text.h: experiments from memory and from tests/data.
 */
#ifndef BLOOMLAB_TESTS_EXPERIMENT_TEXT_H
#define BLOOMLAB_TESTS_EXPERIMENT_TEXT_H

#include "harness/experiment/experiment.h"

/* Reads an experiment called "x" from bytes that may hold anything. */
enum status experiment_text_read(struct experiment **out, const char *text, size_t bytes,
                                 const char *scale, struct error *err);

/* The whole file, ended by '\0', the caller's to free; a file that is not there fails the test. */
char *experiment_text_load(const char *path, size_t *bytes);

#endif
