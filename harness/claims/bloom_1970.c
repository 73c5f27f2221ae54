/* SPDX-License-Identifier: MIT
 *
 * bloom_1970.c: B. Bloom's example of 1970 as the page of source 001 works it out: 500,000 words to
 * hyphenate, of which 50,000 hard ones are looked up on disk; a filter in memory holds these, and
 * what it lets pass of the others costs a disk read each.
 *
 * The rows of the page are arithmetic. Below them the example is run, which neither the paper nor
 * the page could do: 500,000 word forms, many random choices of the hard ones.
 */
#include <math.h>
#include <stdio.h>

#include "filters/theory/classic.h"
#include "filters/theory/sizing.h"
#include "harness/claims/hyphenation.h"
#include "harness/claims/page.h"
#include "harness/claims/properties.h"

static const double bloom_words = 500000, bloom_easy = 450000, bloom_hard = 50000;
static const double bloom_rate = 1.0 / 16;
enum { BLOOM_K = 4 };

/* log2(1/p) / ln 2 */
static double bloom_bits_per_word(double p)
{
    return -log2(p) / M_LN2;
}

#define BLOOM_ROW(function)                                                                        \
    static enum status function(struct finding *finding, const struct claim *claim,                \
                                struct claim_lab *lab, struct error *err)

/* A row that is one expression: value, what it is called, how. */
#define BLOOM_VALUE(function, expression, words, way)                                              \
    BLOOM_ROW(function)                                                                            \
    {                                                                                              \
        (void)lab, (void)err;                                                                      \
        finding_computed(finding, words, claim->value[0], claim->unit[0], (expression));           \
        finding_how(finding, way);                                                                 \
        return OK;                                                                                 \
    }

BLOOM_VALUE(bloom_sixteenth_bits, bloom_bits_per_word(bloom_rate), "bits", "log2(1/p) / ln 2")
BLOOM_VALUE(bloom_sixty_fourth_bits, bloom_bits_per_word(1.0 / 64), "bits", "log2(1/p) / ln 2")
BLOOM_VALUE(bloom_per_halving, bloom_bits_per_word(0.25) - bloom_bits_per_word(0.5), "bits",
            "bits per word at p/2 less those at p")
BLOOM_VALUE(bloom_sixteenth, 100 * bloom_rate, "%", "arithmetic")
BLOOM_VALUE(bloom_extra, bloom_easy *bloom_rate, "disk reads", "easy words times the rate")
BLOOM_VALUE(bloom_44_per_word, 256.0 / 44, "bits", "256 bits, 44 words")
BLOOM_VALUE(bloom_44_standard, 100 * theory_fpr_standard(256, 44, BLOOM_K), "%",
            "bloomlab predict --filter classic --m 256 --n 44 --k 4: fpr_standard")

BLOOM_ROW(bloom_sum)
{
    (void)lab, (void)err;
    finding_computed(finding, "words", claim->value[0], 0, claim->value[1] + claim->value[2]);
    finding_how(finding, "easy words and hard words");
    return OK;
}

/* Two programs round the same product differently. */
BLOOM_ROW(bloom_bits)
{
    double exact = bloom_hard * bloom_bits_per_word(bloom_rate);
    double ceiling = (double)theory_size_bits((uint64_t)bloom_hard, bloom_rate);
    (void)lab, (void)err;
    finding_computed(finding, "rounded", claim->value[0], 0, round(exact));
    finding_aside(finding, "rounded up, as source 004 does", ceiling);
    finding_say(finding, "%.9f: %.0f rounded, %.0f rounded up, as source 004 does", exact,
                round(exact), ceiling);
    finding_holds(finding, round(exact) == ceiling, CLAIM_AMBIGUOUS);
    finding_how(finding, "50000 log2(16) / ln 2; bloomlab size --n 50000 --p 0.0625");
    return OK;
}

BLOOM_ROW(bloom_best_k)
{
    uint64_t m = theory_size_bits((uint64_t)bloom_hard, bloom_rate);
    double ratio = (double)m / bloom_hard * M_LN2;
    (void)lab, (void)err;
    finding_computed(finding, "", claim->value[0], 0, theory_best_k(m, (uint64_t)bloom_hard, 256));
    finding_say(finding, "%u; (m/n) ln 2 = %.9g at m = %.0f, which rounded up gives %.0f",
                theory_best_k(m, (uint64_t)bloom_hard, 256), ratio, (double)m, ceil(ratio));
    finding_how(finding, "bloomlab size --n 50000 --p 0.0625: the k of the least rate");
    return OK;
}

BLOOM_ROW(bloom_estimate)
{
    double at[2];
    (void)lab, (void)err;
    for (uint64_t i = 0; i < 2; i++)
        at[i] = theory_fpr_standard((uint64_t)claim->value[1] + i, (uint64_t)bloom_hard, BLOOM_K);
    finding_computed(finding, "", claim->value[0], claim->unit[0], at[0]);
    finding_say(finding, "%.12f, above 1/16 by a hair; %.12f with one bit more", at[0], at[1]);
    finding_how(finding, "bloomlab predict --filter classic --m 288539..288540 --n 50000 --k 4: "
                         "fpr_standard");
    return OK;
}

/* At k = (m/n) ln 2 a filter of any size is half full. */
BLOOM_ROW(bloom_half)
{
    double k = 8 * M_LN2;
    (void)lab, (void)err;
    finding_computed(finding, "%", claim->value[0], 0, 100 * exp(-k / 8));
    finding_how(finding, "100 e^(-kn/m) at k = (m/n) ln 2, m/n = 8");
    return OK;
}

BLOOM_ROW(bloom_less)
{
    double bits = round(bloom_hard * bloom_bits_per_word(bloom_rate));
    (void)lab, (void)err;
    finding_aside(finding, "bits", bits);
    finding_holds(finding, bits < claim->value[0], CLAIM_REFUTED);
    finding_say(finding, "%.0f < %.0f", bits, claim->value[0]);
    finding_how(finding, "50000 log2(16) / ln 2");
    return OK;
}

BLOOM_ROW(bloom_reads)
{
    double reads = bloom_hard + bloom_easy * bloom_rate;
    (void)lab, (void)err;
    finding_computed(finding, "disk reads", claim->value[0], 0, reads);
    finding_computed(finding, "%", claim->value[1], claim->unit[1], 100 * reads / bloom_words);
    finding_how(finding, "hard words, and easy ones times the rate");
    return OK;
}

BLOOM_ROW(bloom_rounded)
{
    double reads = bloom_hard + bloom_easy * bloom_rate;
    (void)lab, (void)err;
    finding_computed(finding, "disk reads", claim->value[0], claim->unit[0], reads);
    finding_computed(finding, "% saved", claim->value[1], claim->unit[1],
                     100 * (1 - reads / bloom_words));
    finding_how(finding, "disk reads of 500000; rounded to thousands and to whole percents");
    return OK;
}

BLOOM_ROW(bloom_hash_table)
{
    (void)claim, (void)lab, (void)err;
    finding_say(finding,
                "Bloom's own estimate of another structure, whose parameters the page does "
                "not give");
    finding->verdict = CLAIM_EXTERNAL;
    finding_how(finding, "not to be recomputed from the source");
    return OK;
}

BLOOM_ROW(bloom_pages)
{
    (void)claim, (void)lab, (void)err;
    finding_say(finding, "bibliography; this project cites: %s", filter_find("classic")->source);
    finding->verdict = CLAIM_EXTERNAL;
    finding_how(finding, "a place in a library; bloomlab list filters");
    return OK;
}

static const struct claim bloom_1970_claims[] = {
    {"Bloom 1970 example: words / easy / hard",
     "500000 / 450000 / 50000",
     {500000, 450000, 50000},
     {0},
     false,
     bloom_sum},
    {"bits per word for p=1/16", "5.77", {5.77}, {0.01}, false, bloom_sixteenth_bits},
    {"filter size", "288539 bits", {288539}, {0}, false, bloom_bits},
    {"optimal k for p=1/16", "4", {4}, {0}, false, bloom_best_k},
    {"standard estimate at 288539 bits, k=4",
     "1/16",
     {1.0 / 16, 288539},
     {1e-7},
     false,
     bloom_estimate},
    {"half the bits set at the optimum", "50 %", {50}, {0}, false, bloom_half},
    {"Bloom: less than 300000 bits", "300000", {300000}, {0}, false, bloom_less},
    {"extra disk reads", "28125", {28125}, {0}, false, bloom_extra},
    {"disk reads", "78125 of 500000 (15.6 %)", {78125, 15.6}, {0, 0.1}, false, bloom_reads},
    {"Bloom rounded: 78000, saving 84 %",
     "78000; 84 %",
     {78000, 84},
     {1000, 1},
     false,
     bloom_rounded},
    {"conventional hash table, bits per word (Bloom)",
     ">= 19",
     {19},
     {-1},
     false,
     bloom_hash_table},
    {"extra bits per halving of p", "1.44", {1.44}, {0.01}, false, bloom_per_halving},
    {"bits per word for p=1/64", "8.66", {8.66}, {0.01}, false, bloom_sixty_fourth_bits},
    {"m=256 n=44 bits per word", "5.82", {5.82}, {0.01}, false, bloom_44_per_word},
    {"m=256 n=44 k=4 bits set", "122 of 256 (47.7 %)", {122}, {0}, false, page_44_bits},
    {"m=256 n=44 k=4 measured", "535 of 10000 (5.35 %)", {5.35}, {0}, false, page_44_measured},
    {"standard estimate m=256 n=44 k=4", "6.11 %", {6.11}, {0.01}, false, bloom_44_standard},
    {"1/16", "6.25 %", {6.25}, {0}, false, bloom_sixteenth},
    {"Bloom 1970 pages", "CACM 13(7) 422-426", {0}, {0}, false, bloom_pages},
    {"disk reads with 50,000 of 500,000 real word forms",
     "78125",
     {78125},
     {0},
     false,
     hyphenation_reads},
    {"disk reads with double hashing and other hash functions",
     "78125",
     {78125},
     {0},
     false,
     hyphenation_hashes},
    {"the length of the words does not matter", "-", {0}, {0}, false, property_word_length},
};

const struct claim_source claim_source_bloom_1970 = {
    .name = "001_e31464bc28fcc383.txt",
    .title = "Bloom 1970, by way of 001: hyphenation",
    .claims = bloom_1970_claims,
    .count = sizeof bloom_1970_claims / sizeof bloom_1970_claims[0],
};
