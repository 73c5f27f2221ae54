/* SPDX-License-Identifier: MIT */
#include "tests/trace_support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char trace_page_words[] = "cat dog owl fox bee cow elk yak ant bat hen pig rat emu ram eel";

struct trace_spec trace_spec_of(const char *filter, uint64_t m, unsigned k, const char *hash)
{
    char name[64];
    size_t end = strcspn(hash, ",/");
    struct trace_spec spec = {.params = {.m = m, .k = k}, .family = {.seed_fixed = true}};
    snprintf(name, sizeof name, "%.*s", (int)end, hash);
    spec.family.hash = hash_find(name);
    cr_assert_not_null(spec.family.hash);
    spec.family.family = family_default(spec.family.hash);
    if (hash[end] == ',') {
        spec.family.family = FAMILY_PAIR;
        spec.family.second = hash_find(hash + end + 1);
        cr_assert_not_null(spec.family.second);
    } else if (hash[end] == '/') {
        cr_assert(family_find(hash + end + 1, &spec.family.family));
    }
    spec.family.digest_bits =
        family_width(spec.family.family, spec.family.hash, spec.family.second);
    spec.ops = filter_find(filter ? filter : spec.family.second ? "double_hashing" : "classic");
    cr_assert_not_null(spec.ops);
    filter_params_defaults(&spec.params, spec.ops);
    return spec;
}

static struct contents trace_contents(const char *words)
{
    struct key_spec *list = key_spec_new(KEYS_LIST);
    struct contents contents;
    struct error err;
    if (!*words)
        cr_assert(key_spec_add(list, "", 0));
    while (*words) {
        size_t length = strcspn(words, " ");
        cr_assert(key_spec_add(list, words, length));
        words += length + strspn(words + length, " ");
    }
    cr_assert_eq(contents_copy(&contents, list->items, list->item_bytes, list->item_count, &err),
                 OK);
    key_spec_free(list);
    return contents;
}

void trace_of(struct trace *trace, const struct trace_spec *spec, const char *words)
{
    struct error err;
    struct trace_key key;
    struct contents contents = trace_contents(words);
    cr_assert_eq(trace_open(trace, spec, &contents, &err), OK, "%s", err.text);
    for (uint64_t i = 0; i < trace->words.count; i++)
        cr_assert_eq(trace_insert(trace, &key, i, &err), OK);
}

enum status trace_tried(const struct trace_spec *spec, const char *words, struct error *err)
{
    struct trace trace;
    struct contents contents = trace_contents(words);
    enum status status = trace_open(&trace, spec, &contents, err);
    trace_release(&trace);
    return status;
}

uint64_t trace_lost(struct trace *trace, bool counters, uint64_t word)
{
    struct error err;
    uint64_t lost[64], count, bits = 0;
    cr_assert_leq(trace->words.count, 64);
    cr_assert_eq(trace_losses(trace, counters, word, lost, &count, &err), OK);
    for (uint64_t i = 0; i < count; i++)
        bits |= UINT64_C(1) << lost[i];
    return bits;
}
