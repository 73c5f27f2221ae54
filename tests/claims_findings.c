/* SPDX-License-Identifier: MIT
 *
 * claims_findings.c: verdicts follow from the numbers; the words of a word list and their forms.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "harness/claims/claims.h"
#include "harness/keys/keys.h"
#include "harness/keys/word_forms.h"

TestSuite(claims_findings, .init = stats_init);

static enum claim_verdict findings_computed(double claimed, double unit, double value)
{
    struct finding finding = {0};
    finding_computed(&finding, "", claimed, unit, value);
    return finding.verdict;
}

Test(claims_findings, a_number_agrees_when_it_rounds_to_the_claim)
{
    cr_expect_eq(findings_computed(5.55, .01, 5.545177), CLAIM_REPRODUCED);
    cr_expect_eq(findings_computed(5.55, .01, 5.5449), CLAIM_REFUTED);
    cr_expect_eq(findings_computed(5.55, .01, 5.5551), CLAIM_REFUTED);
    cr_expect_eq(findings_computed(31.3, .1, 31.25), CLAIM_REPRODUCED);
    cr_expect_eq(findings_computed(335, 0, 335), CLAIM_REPRODUCED);
    cr_expect_eq(findings_computed(335, 0, 334), CLAIM_REFUTED);
    cr_expect_eq(findings_computed(31e9, -1, 31.104e9), CLAIM_REPRODUCED);
    cr_expect_eq(findings_computed(31e9, -1, 30.9e9), CLAIM_REFUTED);
    cr_expect_eq(findings_computed(1, 0, NAN), CLAIM_REFUTED);
}

Test(claims_findings, a_measured_number_agrees_within_four_errors)
{
    const double values[] = {9, 10, 11, 10};
    struct finding near = {0}, far = {0}, none = {0};
    finding_mean(&near, "", 10.5, values, 4); /* the error is 0.408 */
    cr_expect_eq(near.verdict, CLAIM_WITHIN_ERROR);
    cr_expect_float_eq(near.reading[0].z, -1.2247, 1e-3);
    finding_mean(&far, "", 12, values, 4);
    cr_expect_eq(far.verdict, CLAIM_REFUTED);
    finding_mean(&none, "", NAN, values, 4); /* nothing is claimed */
    cr_expect_eq(none.verdict, CLAIM_REPRODUCED);
}

Test(claims_findings, values_all_alike_have_no_error_but_a_verdict)
{
    const double values[] = {3, 3, 3};
    struct finding same = {0}, other = {0};
    finding_mean(&same, "", 3, values, 3);
    cr_expect_eq(same.verdict, CLAIM_WITHIN_ERROR);
    finding_mean(&other, "", 4, values, 3);
    cr_expect_eq(other.verdict, CLAIM_REFUTED);
}

Test(claims_findings, a_share_is_judged_by_the_binomial_law)
{
    struct finding near = {0}, far = {0};
    finding_share(&near, "", .5, 520, 1000);
    cr_expect_eq(near.verdict, CLAIM_WITHIN_ERROR);
    cr_expect_float_eq(near.reading[0].z, 1.27, .05);
    finding_share(&far, "", .5, 600, 1000);
    cr_expect_eq(far.verdict, CLAIM_REFUTED);
}

Test(claims_findings, the_worst_number_decides)
{
    struct finding finding = {0};
    finding_computed(&finding, "", 1, 0, 2);
    finding_holds(&finding, false, CLAIM_AMBIGUOUS);
    finding_computed(&finding, "", 1, 0, 1);
    cr_expect_eq(finding.verdict, CLAIM_REFUTED);
}

Test(claims_findings, text_is_made_of_the_readings_and_never_overflows)
{
    char intervals[FINDING_TEXT_MAX];
    struct finding finding = {0};
    finding_computed(&finding, "bits", 20, 0, 20);
    finding_measured(&finding, "%", 3.3, 3.25, (struct interval){3, 3.5}, -0.5);
    finding_finish(&finding, intervals);
    cr_expect_str_eq(finding.measured, "20 bits; 3.25 % (z = -0.50)");
    cr_expect_str_eq(intervals, "[3, 3.5]");
    for (int i = 0; i < 100; i++) {
        finding_aside(&finding, "one reading more than there is room for", i);
        finding_say(&finding, "%s", "as many words as anybody likes, and still more of them");
        finding_how(&finding, "%s", "as many words as anybody likes, and still more of them");
    }
    finding_finish(&finding, intervals);
    cr_expect_eq(strlen(finding.measured), FINDING_TEXT_MAX - 1);
    cr_expect_eq(finding.readings, FINDING_READINGS_MAX);
}

/* ---- the rows -------------------------------------------------------------------------------- */

Test(claims_findings, no_row_is_there_twice)
{
    for (size_t s = 0; s < claim_sources; s++)
        for (size_t c = 0; c < claim_table[s]->count; c++) {
            const struct claim *claim = &claim_table[s]->claims[c];
            unsigned found = 0;
            cr_expect(claim->find && claim->name[0] && claim->claimed[0]);
            for (size_t t = 0; t < claim_sources; t++)
                for (size_t d = 0; d < claim_table[t]->count; d++)
                    found += strcmp(claim_table[t]->name, claim_table[s]->name) == 0 &&
                             strcmp(claim_table[t]->claims[d].name, claim->name) == 0;
            cr_expect_eq(found, 1, "%s", claim->name);
        }
}

/* ---- forms of words -------------------------------------------------------------------------- */

/* Words enough: three letters of 26, one in three. */
static void forms_of(struct contents *forms, struct contents *words, enum status *status)
{
    enum { WORDS = 35152 };
    static unsigned char text[WORDS][4];
    static unsigned char *items[WORDS];
    static size_t bytes[WORDS];
    struct error error;
    for (unsigned i = 0; i < WORDS; i++) {
        unsigned rest = i * 13;
        for (int c = 0; c < 4; c++, rest /= 26)
            text[i][c] = (unsigned char)('a' + rest % 26);
        items[i] = text[i];
        bytes[i] = 4;
    }
    cr_assert_eq(contents_copy(words, items, bytes, WORDS, &error), OK);
    *status = word_forms_make(forms, words, &error);
}

Test(claims_findings, word_forms_are_distinct_and_as_many_as_promised)
{
    struct contents forms, words;
    enum status status;
    forms_of(&forms, &words, &status);
    cr_assert_eq(status, OK);
    cr_expect_eq(forms.count, WORD_FORMS);
    cr_expect_eq(forms.duplicates, 0);
    for (uint64_t i = 0; i < words.count; i++) /* first the words as they are */
        cr_expect_eq(contents_find(&forms, words.bytes + words.offsets[i], 4), i);
    contents_release(&forms);
    contents_release(&words);
}

static bool forms_have(const struct contents *forms, const char *word)
{
    return contents_find(forms, word, strlen(word)) != CONTENTS_NONE;
}

Test(claims_findings, word_forms_are_spelled_by_the_usual_rules)
{
    struct contents words, forms;
    struct error error;
    enum status status = contents_read_lines(&words, "/usr/share/dict/words", &error);
    cr_assert_eq(status, OK, "%s", error.text);
    status = word_forms_make(&forms, &words, &error);
    cr_assert_eq(status, OK, "%s", error.text);
    static const char *const there[] = {"dance",    "dances",   "dancing",  "danced",   "carried",
                                        "carries",  "carrying", "boxes",    "churches", "undance",
                                        "agreeing", "playing",  "happiness"};
    static const char *const missing[] = {"danceing", "carryed", "boxs",
                                          "churchs",  "it's",    "Paris"};
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        cr_expect(forms_have(&forms, there[i]), "%s", there[i]);
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        cr_expect_not(forms_have(&forms, missing[i]), "%s", missing[i]);
    contents_release(&forms);
    contents_release(&words);
}

Test(claims_findings, too_few_words_for_the_forms_are_told)
{
    unsigned char word[] = "word", *items[] = {word};
    size_t bytes[] = {4};
    struct contents forms, words;
    struct error error;
    cr_assert_eq(contents_copy(&words, items, bytes, 1, &error), OK);
    cr_expect_eq(word_forms_make(&forms, &words, &error), E_INPUT);
    cr_expect(strstr(error.text, "500000"));
    contents_release(&words);
    word[0] = 'W';
    cr_assert_eq(contents_copy(&words, items, bytes, 1, &error), OK);
    cr_expect_eq(word_forms_make(&forms, &words, &error), E_INPUT);
    contents_release(&words);
}
