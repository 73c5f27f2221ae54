/* SPDX-License-Identifier: MIT */
#include "harness/command/trace_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/values.h"
#include "harness/trace/show.h"

enum { WORDS_NAMED_MAX = 5 }; /* of those dropped */

enum status strings_add(struct strings *strings, const char *item, struct error *err)
{
    const char **moved = realloc(strings->item, (strings->count + 1) * sizeof *moved);
    if (!moved)
        return fail(err, E_RUN, "no memory for the arguments");
    strings->item = moved;
    moved[strings->count++] = item;
    return OK;
}

/* The lines of standard input, in their order. */
static enum status words_read(struct key_spec *list, struct error *err)
{
    struct contents lines;
    struct error why;
    enum status status = contents_read_lines(&lines, "/dev/stdin", &why);
    if (status)
        return fail(err, status, "words from standard input: %s", why.text);
    for (uint64_t i = 0; !status && i < lines.count; i++)
        if (!key_spec_add(list, lines.bytes + lines.offsets[i],
                          (size_t)(lines.offsets[i + 1] - lines.offsets[i])))
            status = fail(err, E_RUN, "no memory for %" PRIu64 " words", lines.count);
    if (!status && (lines.duplicates || lines.empty_lines))
        fprintf(stderr,
                "bloomlab trace: of standard input were dropped: %" PRIu64 " given before, %" PRIu64
                " empty\n",
                lines.duplicates, lines.empty_lines);
    contents_release(&lines);
    return status;
}

static enum status words_gather(struct key_spec *list, const struct strings *words,
                                struct error *err)
{
    bool read = false;
    enum status status = OK;
    for (size_t i = 0; !status && i < words->count; i++) {
        const char *word = words->item[i];
        if (strcmp(word, "-") != 0)
            status = key_spec_add(list, word, strlen(word))
                         ? OK
                         : fail(err, E_RUN, "no memory for %zu words", words->count);
        else if (read)
            status = fail(err, E_INPUT, "- stands for standard input, which can be read once");
        else
            status = words_read(list, err);
        read |= strcmp(word, "-") == 0;
    }
    return status;
}

/* Says which words came twice. */
static void words_warn(const struct contents *words, const struct key_spec *list)
{
    uint64_t next = 0, named = 0;
    struct text said = {0};
    if (!words->duplicates)
        return;
    for (size_t i = 0; i < list->item_count; i++) {
        if (contents_find(words, list->items[i], list->item_bytes[i]) == next) {
            next++;
            continue;
        }
        if (named++ < WORDS_NAMED_MAX) {
            text_printf(&said, named > 1 ? ", " : " ");
            show_word(&said, list->items[i], list->item_bytes[i], 0);
        }
    }
    fprintf(stderr, "bloomlab trace: dropped, given before:%s%s\n", said.data ? said.data : "",
            named > WORDS_NAMED_MAX ? ", ..." : "");
    text_release(&said);
}

enum status words_take(struct contents *words, const struct strings *given, struct error *err)
{
    struct key_spec *list = key_spec_new(KEYS_LIST);
    enum status status = list ? OK : fail(err, E_RUN, "no memory for the words");
    if (!status && !given->count)
        status = fail(err, E_INPUT, "trace needs words to insert, or - to read them");
    if (!status)
        status = words_gather(list, given, err);
    if (!status)
        status = contents_copy(words, list->items, list->item_bytes, list->item_count, err);
    if (!status)
        words_warn(words, list);
    key_spec_free(list);
    return status;
}

/* Numbers of the words to be removed. */
enum status removals_take(uint64_t **removals, const struct strings *given,
                          const struct contents *words, struct error *err)
{
    char shown[VALUE_SHOW_SIZE];
    *removals = malloc((given->count + 1) * sizeof **removals);
    if (!*removals)
        return fail(err, E_RUN, "no memory for %zu removals", given->count);
    for (size_t i = 0; i < given->count; i++) {
        uint64_t word = contents_find(words, given->item[i], strlen(given->item[i]));
        if (word == CONTENTS_NONE)
            return fail(err, E_INPUT, "--remove %s: it was not inserted",
                        value_show(shown, given->item[i]));
        for (size_t j = 0; j < i; j++)
            if ((*removals)[j] == word)
                return fail(err, E_INPUT, "--remove %s is given twice",
                            value_show(shown, given->item[i]));
        (*removals)[i] = word;
    }
    return OK;
}
