/* SPDX-License-Identifier: MIT */
#include "harness/table/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status path_join(char path[PATH_MAX], const char *directory, const char *name,
                             const char *suffix, struct error *err)
{
    int size = snprintf(path, PATH_MAX, "%s/%s%s", directory, name, suffix);
    if (size < 0 || size >= PATH_MAX)
        return fail(err, E_INPUT, "the path %.60s... is longer than %d bytes", directory,
                    PATH_MAX - 1);
    return OK;
}

static bool write_all(int file, const char *data, size_t size)
{
    while (size) {
        ssize_t written = write(file, data, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        data += written;
        size -= (size_t)written;
    }
    return true;
}

static void directory_sync(const char *path)
{
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory >= 0) {
        fsync(directory);
        close(directory);
    }
}

enum status file_write(const char *directory, const char *name, const struct text *text,
                       struct error *err)
{
    char path[PATH_MAX], beside[PATH_MAX];
    if (text->failed)
        return fail(err, E_RUN, "no memory for the contents of %s", name);
    enum status status = path_join(path, directory, name, "", err);
    if (!status)
        status = path_join(beside, directory, name, ".new", err);
    if (status)
        return status;
    int file = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        return fail(err, E_RUN, "cannot write %s: %s", beside, strerror(errno));
    bool written = write_all(file, text->data ? text->data : "", text->size) && fsync(file) == 0;
    int reason = errno;
    if (close(file) != 0 && written) {
        written = false;
        reason = errno;
    }
    if (written && rename(beside, path) == 0) {
        directory_sync(directory);
        return OK;
    }
    if (written)
        reason = errno;
    unlink(beside);
    return fail(err, E_RUN, "cannot write %s: %s", path, strerror(reason));
}

enum status file_remove(const char *directory, const char *name, struct error *err)
{
    char path[PATH_MAX];
    enum status status = path_join(path, directory, name, "", err);
    if (!status && unlink(path) != 0 && errno != ENOENT)
        return fail(err, E_RUN, "cannot remove %s: %s", path, strerror(errno));
    return status;
}

enum status file_read(struct text *text, const char *path, struct error *err)
{
    char block[65536];
    *text = (struct text){0};
    FILE *file = fopen(path, "rb");
    if (!file)
        return fail(err, E_INPUT, "cannot read %s: %s", path, strerror(errno));
    size_t size;
    while ((size = fread(block, 1, sizeof block, file)) > 0)
        text_add(text, block, size);
    bool broken = ferror(file) != 0;
    int reason = errno;
    fclose(file);
    text_add(text, "", 0);
    if (!broken && !text->failed)
        return OK;
    bool memory = text->failed;
    text_release(text);
    if (memory)
        return fail(err, E_RUN, "no memory to read %s", path);
    return fail(err, E_INPUT, "cannot read %s: %s", path, strerror(reason));
}

enum status directory_make(const char *path, struct error *err)
{
    char part[PATH_MAX];
    size_t size = strlen(path);
    if (size == 0 || size >= sizeof part)
        return fail(err, E_INPUT, "a folder's path has 1 to %d bytes, this one %zu", PATH_MAX - 1,
                    size);
    for (size_t i = 1; i <= size; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        struct stat there;
        if (mkdir(part, 0777) != 0 &&
            !(errno == EEXIST && stat(part, &there) == 0 && S_ISDIR(there.st_mode)))
            return fail(err, E_RUN, "cannot make the folder %s: %s", part,
                        strerror(errno == EEXIST ? ENOTDIR : errno));
    }
    return OK;
}

enum status file_sha256(char text[SHA256_TEXT_SIZE], const char *directory, const char *name,
                        struct error *err)
{
    char path[PATH_MAX];
    struct text contents;
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    enum status status = path_join(path, directory, name, "", err);
    if (!status)
        status = file_read(&contents, path, err);
    if (status)
        return status;
    int done = EVP_Digest(contents.data, contents.size, digest, &size, EVP_sha256(), NULL);
    text_release(&contents);
    if (!done || size != 32)
        return fail(err, E_RUN, "libcrypto has no SHA-256");
    for (unsigned i = 0; i < size; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    return OK;
}
