/* SPDX-License-Identifier: MIT */
#include "harness/claims/words.h"

#include <string.h>

enum status claim_words(struct contents *words, const char *const *word, size_t count,
                        struct error *err)
{
    char copy[CLAIM_WORDS_MAX][32];
    unsigned char *items[CLAIM_WORDS_MAX];
    size_t bytes[CLAIM_WORDS_MAX];
    if (count > CLAIM_WORDS_MAX)
        return fail(err, E_RUN, "%zu words are more than %d", count, CLAIM_WORDS_MAX);
    for (size_t i = 0; i < count; i++) {
        bytes[i] = strnlen(word[i], sizeof copy[i]);
        memcpy(copy[i], word[i], bytes[i]);
        items[i] = (unsigned char *)copy[i];
    }
    return contents_copy(words, items, bytes, count, err);
}
