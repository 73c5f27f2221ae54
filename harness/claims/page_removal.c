/* SPDX-License-Identifier: MIT
 *
 * page_removal.c: what becomes of the eight words in 64 bits when one of them is removed by
 * clearing its bits.
 */
#include <stdio.h>
#include <string.h>

#include "harness/claims/page.h"

enum { REMOVAL_M = 64, REMOVAL_K = 3 };

struct removal {
    uint64_t position[PAGE_SMALL][REMOVAL_K];
    bool lost[PAGE_SMALL][PAGE_SMALL]; /* [removed][other] */
};

static unsigned removal_word(const char *word)
{
    unsigned i = 0;
    while (i < PAGE_SMALL && strcmp(page_small_words[i], word) != 0)
        i++;
    return i;
}

/* A word is lost when it has a position in common with the one removed. */
static void removal_losses(struct removal *removal)
{
    for (unsigned r = 0; r < PAGE_SMALL; r++)
        for (unsigned w = 0; w < PAGE_SMALL; w++) {
            removal->lost[r][w] = false;
            for (unsigned i = 0; i < REMOVAL_K * REMOVAL_K && w != r; i++)
                removal->lost[r][w] |=
                    removal->position[r][i / REMOVAL_K] == removal->position[w][i % REMOVAL_K];
        }
}

static enum status removal_make(struct removal *removal, struct error *err)
{
    struct by_hand hand;
    struct digest_family family = page_family();
    enum status status = by_hand_open(&hand, "double_hashing", REMOVAL_M, REMOVAL_K, &family, err);
    for (unsigned w = 0; !status && w < PAGE_SMALL; w++)
        by_hand_positions(&hand, removal->position[w], page_small_words[w]);
    by_hand_close(&hand);
    if (!status)
        removal_losses(removal);
    return status;
}

/* The word stands at the front of the claim's name. */
enum status page_positions(struct finding *finding, const struct claim *claim,
                           struct claim_lab *lab, struct error *err)
{
    char word[BY_HAND_KEY_MAX];
    struct removal removal;
    (void)lab;
    enum status status = removal_make(&removal, err);
    if (status)
        return status;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(claim->name, " "), claim->name);
    const uint64_t *position = removal.position[removal_word(word)];
    for (int i = 0; i < REMOVAL_K; i++)
        finding_computed(finding, "", claim->value[i], 0, (double)position[i]);
    finding_say(finding, "%llu, %llu, %llu", (unsigned long long)position[0],
                (unsigned long long)position[1], (unsigned long long)position[2]);
    finding_how(finding, "bloomlab trace --m 64 --k 3 --pair fnv1a_32,djb2_mix %s", word);
    return OK;
}

static const char removal_how[] =
    "bloomlab trace --m 64 --k 3 --pair fnv1a_32,djb2_mix --remove owl cat dog owl fox bee cow elk "
    "yak";

enum status page_owl_takes(struct finding *finding, const struct claim *claim,
                           struct claim_lab *lab, struct error *err)
{
    struct removal removal;
    unsigned owl = removal_word("owl"), lost = 0;
    (void)lab;
    enum status status = removal_make(&removal, err);
    if (status)
        return status;
    for (unsigned w = 0; w < PAGE_SMALL; w++)
        lost += removal.lost[owl][w];
    finding_computed(finding, "word lost", claim->value[0], 0, lost);
    for (unsigned w = 0; w < PAGE_SMALL; w++)
        if (removal.lost[owl][w])
            finding_say(finding, "%s%s",
                        *finding->measured ? ", " : "1 word: ", page_small_words[w]);
    finding_holds(finding, removal.lost[owl][removal_word("fox")], CLAIM_REFUTED);
    finding_how(finding, "%s", removal_how);
    return OK;
}

enum status page_harmful(struct finding *finding, const struct claim *claim, struct claim_lab *lab,
                         struct error *err)
{
    struct removal removal;
    unsigned harmful = 0;
    (void)lab;
    enum status status = removal_make(&removal, err);
    if (status)
        return status;
    for (unsigned r = 0; r < PAGE_SMALL; r++) {
        bool any = false;
        for (unsigned w = 0; w < PAGE_SMALL; w++)
            any |= removal.lost[r][w];
        harmful += any;
    }
    finding_computed(finding, "of 8 removals lose another word", claim->value[0], 0, harmful);
    finding_how(finding, "%s", removal_how);
    return OK;
}
