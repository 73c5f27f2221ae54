/* SPDX-License-Identifier: MIT */
#include "harness/keys/word_forms.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FORM_WORD_MIN = 3, FORM_WORD_MAX = 48, FORM_ADDED_MAX = 8 };

/* What is put before and behind a word. */
struct form_rule {
    const char *before, *behind;
};

static const struct form_rule form_rules[] = {
    {"", ""},     {"", "s"},   {"", "ed"},      {"", "ing"},  {"", "er"},    {"un", ""},
    {"re", ""},   {"", "ly"},  {"", "ness"},    {"", "less"}, {"", "able"},  {"", "like"},
    {"over", ""}, {"non", ""}, {"out", ""},     {"pre", ""},  {"", "ish"},   {"under", ""},
    {"", "ful"},  {"mis", ""}, {"counter", ""}, {"", "ism"},  {"inter", ""}, {"super", ""},
};
enum { FORM_RULES = sizeof form_rules / sizeof form_rules[0] };

/* Keys under way: their bytes stand one after the other in a block. */
struct forms {
    unsigned char *block;
    unsigned char **item;
    size_t *length;
    size_t used, count;
};

static bool form_is_word(const unsigned char *word, size_t length)
{
    if (length < FORM_WORD_MIN || length > FORM_WORD_MAX)
        return false;
    for (size_t i = 0; i < length; i++)
        if (word[i] < 'a' || word[i] > 'z')
            return false;
    return true;
}

static bool form_is_vowel(unsigned char letter)
{
    return letter && strchr("aeiou", letter);
}

/* Does the plural take es: after a sibilant? */
static bool form_hisses(const unsigned char *word, size_t length)
{
    unsigned char last = word[length - 1], before = word[length - 2];
    return last == 's' || last == 'x' || last == 'z' ||
           (last == 'h' && (before == 'c' || before == 's'));
}

/* Writes the word with an ending, returns its length. */
static size_t form_end(unsigned char *out, const unsigned char *word, size_t length,
                       const char *behind)
{
    unsigned char last = word[length - 1];
    memcpy(out, word, length);
    if (!*behind)
        return length;
    bool plural = strcmp(behind, "s") == 0;
    if (last == 'e' && form_is_vowel((unsigned char)*behind) && word[length - 2] != 'e')
        length--;
    else if (last == 'y' && !form_is_vowel(word[length - 2]) && *behind != 'i')
        out[length - 1] = 'i';
    if (plural && (out[length - 1] == 'i' || form_hisses(word, length)))
        out[length++] = 'e';
    memcpy(out + length, behind, strlen(behind));
    return length + strlen(behind);
}

static void form_add(struct forms *forms, const unsigned char *word, size_t length,
                     const struct form_rule *rule)
{
    unsigned char *out = forms->block + forms->used;
    size_t before = strlen(rule->before);
    memcpy(out, rule->before, before);
    forms->item[forms->count] = out;
    forms->length[forms->count] = before + form_end(out + before, word, length, rule->behind);
    forms->used += forms->length[forms->count++];
}

static bool forms_allocate(struct forms *forms, const struct contents *words)
{
    uint64_t bytes = words->offsets[words->count] + FORM_ADDED_MAX * words->count;
    *forms = (struct forms){
        .block = malloc(FORM_RULES * bytes + 1),
        .item = malloc(FORM_RULES * words->count * sizeof *forms->item),
        .length = malloc(FORM_RULES * words->count * sizeof *forms->length),
    };
    return forms->block && forms->item && forms->length;
}

static void forms_release(struct forms *forms)
{
    free(forms->block);
    free(forms->item);
    free(forms->length);
}

static void forms_fill(struct forms *forms, const struct contents *words)
{
    for (unsigned r = 0; r < FORM_RULES; r++)
        for (uint64_t w = 0; w < words->count; w++) {
            const unsigned char *word = words->bytes + words->offsets[w];
            size_t length = (size_t)(words->offsets[w + 1] - words->offsets[w]);
            if (form_is_word(word, length))
                form_add(forms, word, length, &form_rules[r]);
        }
}

/* The first WORD_FORMS of the distinct ones. */
static enum status forms_take(struct contents *out, const struct contents *distinct,
                              struct error *err)
{
    if (distinct->count < WORD_FORMS)
        return fail(err, E_INPUT, "word_forms: the word list gives %" PRIu64 " forms, not %" PRIu64,
                    distinct->count, WORD_FORMS);
    unsigned char **item = malloc(WORD_FORMS * sizeof *item);
    size_t *length = malloc(WORD_FORMS * sizeof *length);
    enum status status = item && length ? OK : fail(err, E_RUN, "word_forms: no memory");
    for (uint64_t i = 0; !status && i < WORD_FORMS; i++) {
        item[i] = distinct->bytes + distinct->offsets[i];
        length[i] = (size_t)(distinct->offsets[i + 1] - distinct->offsets[i]);
    }
    if (!status)
        status = contents_copy(out, item, length, WORD_FORMS, err);
    free(item);
    free(length);
    return status;
}

enum status word_forms_make(struct contents *out, const struct contents *words, struct error *err)
{
    struct forms forms;
    struct contents distinct = {0};
    enum status status =
        forms_allocate(&forms, words) ? OK : fail(err, E_RUN, "word_forms: no memory");
    if (!status)
        forms_fill(&forms, words);
    if (!status && forms.count == 0)
        status = fail(err, E_INPUT, "word_forms: the word list has no word of letters a-z");
    if (!status)
        status = contents_copy(&distinct, forms.item, forms.length, forms.count, err);
    forms_release(&forms);
    if (!status)
        status = forms_take(out, &distinct, err);
    contents_release(&distinct);
    return status;
}
