/* SPDX-License-Identifier: MIT
 *
 * harness_files.h: folders of a test's own, and files whole in memory. Whatever goes wrong fails
 * the running test. Paths and texts are the caller's to free.
 */
#ifndef BLOOMLAB_TESTS_HARNESS_FILES_H
#define BLOOMLAB_TESTS_HARNESS_FILES_H

#include <stdbool.h>
#include <stddef.h>

char *folder_new(void);
void folder_remove(char *folder); /* with all below it; frees the path */
bool folder_has(const char *folder, const char *name);
size_t folder_count(const char *folder); /* entries of it */

/* DIR/NAME; size may be NULL; the text is ended by NUL. */
char *file_load(const char *folder, const char *name, size_t *size);
void file_save(const char *folder, const char *name, const void *bytes, size_t size);
char *path_of(const char *folder, const char *name);

/* trials, cells, estimates, measures, skipped, one after the other, each under its name. */
char *folder_tables(const char *folder);

/* The two texts are the same; else the test fails with the first line that differs. */
void same_text(const char *a, const char *b, const char *what);

#endif
