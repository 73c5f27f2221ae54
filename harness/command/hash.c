/* SPDX-License-Identifier: MIT
 *
 * hash.c: `bloomlab hash NAME`: values of a hash for keys on standard input.
 */
#include "hashes/hash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/command.h"
#include "harness/experiment/values.h"

static int hex_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Turns pairs of hexadecimal digits into bytes, in place. */
static enum status hex_decode(char *text, size_t *size, unsigned long long line, struct error *err)
{
    if (*size % 2)
        return fail(err, E_INPUT, "line %llu: %zu hexadecimal digits; a key needs an even number",
                    line, *size);
    for (size_t i = 0; i < *size; i += 2) {
        int high = hex_digit((unsigned char)text[i]), low = hex_digit((unsigned char)text[i + 1]);
        if (high < 0 || low < 0)
            return fail(err, E_INPUT, "line %llu: '%.2s' is no pair of hexadecimal digits", line,
                        text + i);
        text[i / 2] = (char)(16 * high + low);
    }
    *size /= 2;
    return OK;
}

/* Bytes of the line without its end, "\n" or "\r\n", as in a file of keys. */
static size_t line_end(const char *line, size_t bytes)
{
    if (bytes == 0 || line[bytes - 1] != '\n')
        return bytes;
    bytes--;
    return bytes && line[bytes - 1] == '\r' ? bytes - 1 : bytes;
}

/* Appends the salt to a key; the line grows where it must. */
static enum status salt_append(char **line, size_t *room, size_t *bytes, const char *salt,
                               struct error *err)
{
    size_t more = strlen(salt);
    if (*bytes + more > *room) {
        char *moved = realloc(*line, *bytes + more);
        if (!moved)
            return fail(err, E_RUN, "no memory for a key of %zu bytes", *bytes + more);
        *line = moved;
        *room = *bytes + more;
    }
    memcpy(*line + *bytes, salt, more);
    *bytes += more;
    return OK;
}

static enum status hash_lines(const struct hash *hash, uint64_t seed, bool hex, const char *salt,
                              struct error *err)
{
    char *line = NULL, value[HASH_TEXT_SIZE];
    size_t room = 0;
    ssize_t size;
    unsigned long long number = 0;
    enum status status = OK;
    while (!status && (size = getline(&line, &room, stdin)) >= 0) {
        size_t bytes = (size_t)size;
        number++;
        bytes = line_end(line, bytes);
        if (hex)
            status = hex_decode(line, &bytes, number, err);
        if (!status)
            status = salt_append(&line, &room, &bytes, salt, err);
        if (!status && hash->key_bytes && bytes != hash->key_bytes)
            status = fail(err, E_INPUT, "line %llu: %s takes keys of %u bytes, this one has %zu",
                          number, hash->name, hash->key_bytes, bytes);
        if (status)
            break;
        hash_format(hash, hash->one(line, bytes, seed), value);
        if (puts(value) < 0)
            break;
    }
    if (!status && ferror(stdin))
        status = fail(err, E_INPUT, "cannot read standard input: %s", strerror(errno));
    free(line);
    return status;
}

static enum status hash_run(int argc, char **argv, struct error *err)
{
    enum { SEED, HEX, SALT };
    static const struct option_spec specs[] = {{"seed", true}, {"hex", false}, {"salt", true}};
    struct option_walk walk = {.argc = argc, .argv = argv};
    const struct hash *hash = NULL;
    const char *salt = "";
    uint64_t seed = 0;
    bool hex = false;
    for (;;) {
        int option;
        const char *value;
        enum status status = option_next(&walk, specs, 3, &option, &value, err);
        if (status)
            return status;
        if (option == OPTION_END)
            break;
        if (option == SEED)
            status = value_integer(&seed, value, "--seed", 0, UINT64_MAX, err);
        else if (option == HEX)
            hex = true;
        else if (option == SALT)
            salt = value;
        else if (hash)
            status = fail(err, E_INPUT, "one hash at a time: %s is one too many", value);
        else if (!(hash = hash_find(value)))
            status =
                fail(err, E_INPUT, "there is no hash %s; bloomlab list hashes tells them", value);
        if (status)
            return status;
    }
    if (!hash)
        return fail(err, E_INPUT, "a hash must be named; bloomlab list hashes tells them");
    enum status status = hash_lines(hash, seed, hex, salt, err);
    return status ? status : output_finish(err);
}

const struct command command_hash = {
    .name = "hash",
    .summary = "hash keys from standard input",
    .help = "usage: bloomlab hash NAME [--seed S] [--hex] [--salt TEXT]\n\n"
            "Reads keys from standard input, one a line (LF or CRLF), and prints one value a line: "
            "hexadecimal,\n"
            "most significant digit first, full width (128 bits: h1 then h2, or h1 h2 h3 h4).\n\n"
            "  --seed S     the seed, 0 to 2^64 - 1 (default 0)\n"
            "  --hex        keys are given in hexadecimal\n"
            "  --salt TEXT  appended to every key\n",
    .run = hash_run,
};
