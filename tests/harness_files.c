/* SPDX-License-Identifier: MIT */
#include "tests/harness_files.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/table/text.h"

char *path_of(const char *folder, const char *name)
{
    char *path;
    cr_assert_geq(asprintf(&path, "%s/%s", folder, name), 0);
    return path;
}

char *folder_new(void)
{
    const char *root = getenv("TMPDIR");
    char *folder = path_of(root && *root ? root : "/tmp", "bloomlab-test-XXXXXX");
    cr_assert(mkdtemp(folder), "%s: %s", folder, strerror(errno));
    return folder;
}

static int files_unlink(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info, (void)kind, (void)walk;
    return remove(path);
}

void folder_remove(char *folder)
{
    cr_assert_eq(nftw(folder, files_unlink, 16, FTW_DEPTH | FTW_PHYS), 0);
    free(folder);
}

bool folder_has(const char *folder, const char *name)
{
    char *path = path_of(folder, name);
    bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

size_t folder_count(const char *folder)
{
    size_t count = 0;
    DIR *directory = opendir(folder);
    cr_assert(directory, "%s: %s", folder, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(directory));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(directory);
    return count;
}

char *file_load(const char *folder, const char *name, size_t *size)
{
    char *path = path_of(folder, name), block[4096];
    struct text text = {0};
    FILE *file = fopen(path, "rb");
    cr_assert(file, "%s: %s", path, strerror(errno));
    size_t count;
    while ((count = fread(block, 1, sizeof block, file)) > 0)
        text_add(&text, block, count);
    cr_assert(feof(file));
    fclose(file);
    text_add(&text, "", 0);
    if (size)
        *size = text.size;
    free(path);
    return text.data;
}

void file_save(const char *folder, const char *name, const void *bytes, size_t size)
{
    char *path = path_of(folder, name);
    FILE *file = fopen(path, "wb");
    cr_assert(file, "%s: %s", path, strerror(errno));
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
    free(path);
}

char *folder_tables(const char *folder)
{
    static const char *const names[] = {"trials.csv", "cells.csv", "estimates.csv", "measures.csv",
                                        "skipped.csv"};
    struct text all = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t size;
        char *text = file_load(folder, names[i], &size);
        cr_assert_eq(strlen(text), size, "%s holds a NUL", names[i]);
        text_printf(&all, "== %s\n%s", names[i], text);
        free(text);
    }
    return all.data;
}

void same_text(const char *a, const char *b, const char *what)
{
    size_t at = 0, line = 0;
    while (a[at] && a[at] == b[at]) {
        at++;
        if (a[at - 1] == '\n')
            line = at;
    }
    cr_assert(a[at] == b[at], "%s: \"%.*s\" is not \"%.*s\"", what, (int)strcspn(a + line, "\n"),
              a + line, (int)strcspn(b + line, "\n"), b + line);
}
