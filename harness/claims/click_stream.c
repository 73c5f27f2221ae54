/* SPDX-License-Identifier: MIT */
#include "harness/claims/click_stream.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "filters/theory/classic.h"
#include "filters/theory/width.h"
#include "harness/claims/words.h"

enum { CLICK_MESSAGES = 4, CLICK_HASH_BITS = 8 };
static const char *const click_messages[CLICK_MESSAGES] = {"123", "456", "123", "789"};
static const double click_per_second = 10000, click_day_seconds = 86400;

static struct digest_family click_family(void)
{
    return (struct digest_family){
        .family = FAMILY_SALTED,
        .hash = hash_find("murmur2"),
        .digest_bits = 32,
        .seed_fixed = true,
    };
}

static uint64_t click_hash(const char *key)
{
    return hash_find("murmur2")->one(key, strlen(key), 0).word[0];
}

enum status click_ids(struct finding *finding, const struct claim *claim, struct claim_lab *lab,
                      struct error *err)
{
    (void)lab, (void)err;
    finding_computed(finding, "", claim->value[0], 0, click_per_second * click_day_seconds);
    finding_how(finding, "messages a second times seconds a day");
    return OK;
}

/* The generator of ids writes the text form of RFC 9562. */
static enum status click_uuid_bytes(double *bytes, struct error *err)
{
    struct key_source *source = NULL;
    struct key_spec *spec = key_spec_new(KEYS_UUID4);
    enum status status = spec ? OK : fail(err, E_RUN, "no memory for a kind of keys");
    if (!status)
        status = key_source_open(&source, spec, err);
    if (!status)
        *bytes = (double)key_source_longest(source);
    key_source_free(source);
    key_spec_free(spec);
    return status;
}

enum status click_uuid(struct finding *finding, const struct claim *claim, struct claim_lab *lab,
                       struct error *err)
{
    double bytes;
    (void)lab;
    enum status status = click_uuid_bytes(&bytes, err);
    if (status)
        return status;
    finding_computed(finding, "", claim->value[0], 0, bytes);
    finding_how(finding, "length of the keys of kind uuid4");
    return OK;
}

enum status click_memory(struct finding *finding, const struct claim *claim, struct claim_lab *lab,
                         struct error *err)
{
    double bytes;
    (void)lab;
    enum status status = click_uuid_bytes(&bytes, err);
    if (status)
        return status;
    bytes *= click_per_second * click_day_seconds;
    finding_computed(finding, "bytes", claim->value[0], claim->unit[0], bytes);
    finding_say(finding, "%.0f bytes = %.3f GB = %.2f GiB", bytes, bytes / 1e9, ldexp(bytes, -30));
    finding_how(finding, "ids a day times their length; the claim is right in decimal GB");
    return OK;
}

/* The window the source thinks of: smaller by the hours of a day. */
enum status click_hour(struct finding *finding, const struct claim *claim, struct claim_lab *lab,
                       struct error *err)
{
    double bytes, ids = click_per_second * 3600 * claim->value[0];
    (void)lab;
    enum status status = click_uuid_bytes(&bytes, err);
    if (status)
        return status;
    finding_aside(finding, "ids", ids);
    finding_say(finding, "%.0f ids at 10,000 messages a second, %.3f GB of 31.1", ids,
                ids * bytes / 1e9);
    finding_how(finding, "messages an hour times 36; bloomlab dedup --window 36e6 forgets by the "
                         "number of messages");
    return OK;
}

/* What the source does not say of it: a set of 32-bit hashes takes new ids for known ones. */
enum status click_hash_bits(struct finding *finding, const struct claim *claim,
                            struct claim_lab *lab, struct error *err)
{
    unsigned bits = hash_find("murmur2")->bits;
    double ids = click_per_second * click_day_seconds;
    double known = theory_width_floor(bits, 1, (uint64_t)ids);
    double lost = ids - theory_fill(UINT64_C(1) << bits, (uint64_t)ids).mean;
    (void)lab, (void)err;
    finding_computed(finding, "bits", claim->value[0], 0, bits);
    finding_aside(finding, "of new ids taken for known ones at the end of a day", known);
    finding_aside(finding, "ids lost over the day", lost);
    finding_say(
        finding,
        "%u bits; but hashes alone take %.9g of new ids for known ones at the end of a day, "
        "and lose %.9g of its ids",
        bits, known, lost);
    finding_how(finding, "bloomlab list hashes; occupancy of 2^32 cells by a day's ids");
    return OK;
}

enum status click_vector(struct finding *finding, const struct claim *claim, struct claim_lab *lab,
                         struct error *err)
{
    double power = ldexp(1, CLICK_HASH_BITS), twice = 2 * CLICK_HASH_BITS;
    (void)lab, (void)err;
    if (claim->value[0] > 0) {
        finding_computed(finding, "bits, 2^n for n = 8", claim->value[0], 0, power);
    } else {
        finding_aside(finding, "as 2^n, for n = 8", power);
        finding_aside(finding, "as 2n", twice);
        finding_holds(finding, power == twice, CLAIM_AMBIGUOUS);
    }
    finding_how(finding, "values of a hash of n bits; the source's code takes 2^n");
    return OK;
}

enum status click_index(struct finding *finding, const struct claim *claim, struct claim_lab *lab,
                        struct error *err)
{
    (void)lab, (void)err;
    finding_computed(finding, "", claim->value[0], 0,
                     (double)(click_hash(click_messages[0]) % (1 << CLICK_HASH_BITS)));
    finding_how(finding, "printf '123\\n' | bloomlab hash murmur2; the value mod 256");
    return OK;
}

enum status click_salt(struct finding *finding, const struct claim *claim, struct claim_lab *lab,
                       struct error *err)
{
    char key[16], salt[32], salted[64];
    unsigned bits;
    (void)lab;
    if (sscanf(claim->name, "hash of \"%15[^\"]\" with salt %31[^,], n=%u", key, salt, &bits) != 3)
        return fail(err, E_RUN, "no key, salt and bits in the claim '%s'", claim->name);
    snprintf(salted, sizeof salted, "%s%s", key, salt);
    finding_computed(finding, "", claim->value[0], 0,
                     (double)(click_hash(salted) % (UINT64_C(1) << bits)));
    finding_how(finding, "printf '%s\\n' | bloomlab hash murmur2; the value mod %u", salted,
                1u << bits);
    return OK;
}

/* Messages that a filter of 2^8 bits takes for new ones, in the order of the stream. */
static enum status click_filter(unsigned *printed, struct trace *trace, struct error *err)
{
    enum status status = OK;
    struct trace_key key;
    *printed = 0;
    for (int i = 0; !status && i < CLICK_MESSAGES; i++) {
        const char *id = click_messages[i];
        status = trace_look(trace, &key, id, strlen(id), err);
        if (status || key.present)
            continue;
        status = trace_insert(trace, &key, contents_find(&trace->words, id, strlen(id)), err);
        (*printed)++;
    }
    return status;
}

static enum status click_printed(unsigned *printed, unsigned hashes, struct error *err)
{
    struct trace trace;
    struct contents ids;
    struct trace_spec spec = {
        .ops = filter_find("classic"),
        .params = {.m = 1 << CLICK_HASH_BITS, .n = CLICK_MESSAGES, .k = hashes},
        .family = click_family(),
    };
    if (hashes == 1) /* the first demonstrations have no salt */
        spec.family.family = FAMILY_SEEDED;
    filter_params_defaults(&spec.params, spec.ops);
    enum status status = claim_words(&ids, click_messages, CLICK_MESSAGES, err);
    if (status)
        return status;
    status = trace_open(&trace, &spec, &ids, err);
    if (!status)
        status = click_filter(printed, &trace, err);
    trace_release(&trace);
    return status;
}

static bool click_same_key(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static bool click_same_hash(const char *a, const char *b)
{
    return click_hash(a) == click_hash(b);
}

/* Messages that are new to a set of all before them. */
static unsigned click_first(bool (*same)(const char *, const char *))
{
    unsigned first = 0;
    for (int i = 0; i < CLICK_MESSAGES; i++) {
        int j = 0;
        while (j < i && !same(click_messages[j], click_messages[i]))
            j++;
        first += j == i;
    }
    return first;
}

enum status click_demos(struct finding *finding, const struct claim *claim, struct claim_lab *lab,
                        struct error *err)
{
    unsigned vector;
    (void)lab;
    enum status status = click_printed(&vector, 1, err);
    if (status)
        return status;
    finding_computed(finding, "lines, set of ids", claim->value[0], 0, click_first(click_same_key));
    finding_computed(finding, "lines, set of hashes", claim->value[0], 0,
                     click_first(click_same_hash));
    finding_computed(finding, "lines, 256 bits", claim->value[0], 0, vector);
    finding_how(finding, "the four messages 123, 456, 123, 789, one after the other");
    return OK;
}

enum status click_filter_demo(struct finding *finding, const struct claim *claim,
                              struct claim_lab *lab, struct error *err)
{
    unsigned printed;
    (void)lab;
    enum status status = click_printed(&printed, 3, err);
    if (status)
        return status;
    finding_computed(finding, "lines", claim->value[0], 0, printed);
    finding_how(finding, "classic filter of 256 bits, k = 3, murmur2 of the id with 0, 1, 2 "
                         "behind it");
    return OK;
}

static const char click_more_text[] =
    "name: claims-more-hashes\n"
    "question: Does each further hash function make a wrong answer less likely?\n"
    "grid:\n"
    "  filter: [classic]\n"
    "  hash: [{name: murmur2, family: salted}]\n"
    "  keys: [uuid4]\n"
    "  m: [128]\n"
    "  n: [16]\n"
    "  k: [\"1..16\"]\n"
    "trials: 2000\n"
    "queries: 1000\n"
    "seed: 1\n"
    "plots: [fpr-vs-k]\n"
    "scales:\n"
    "  quick: {trials: 300}\n";

/* The least rate is not at the most hashes. */
enum status click_more_hashes(struct finding *finding, const struct claim *claim,
                              struct claim_lab *lab, struct error *err)
{
    const struct claim_run *run;
    const unsigned most = 16;
    (void)claim;
    enum status status = claim_lab_run(&run, lab, click_more_text, err);
    if (status)
        return status;
    const struct cell *cell = claim_cell(run, NULL, 0, most);
    unsigned best = theory_best_k(cell->layout.m, cell->n, most);
    const unsigned ks[] = {best, most};
    struct cell_summary summary[2];
    for (int i = 0; i < 2; i++) {
        char name[FINDING_NAME_MAX];
        status = claim_summary(&summary[i], run, claim_cell(run, NULL, 0, ks[i]), err);
        if (status)
            return status;
        snprintf(name, sizeof name, "of new ids pass with %u hashes", ks[i]);
        finding_measured(finding, name, NAN, summary[i].judgement.fpr,
                         summary[i].judgement.fpr_interval, NAN);
    }
    finding_holds(finding, summary[1].judgement.fpr < summary[0].judgement.fpr, CLAIM_REFUTED);
    finding_say(finding,
                "%.6g at k = %u, %.6g at k = %u (m = 128, n = 16; theory %.9g and %.9g): the rate "
                "falls only up to k = (m/n) ln 2 = %.3g",
                summary[0].judgement.fpr, best, summary[1].judgement.fpr, most,
                summary[0].theory.exact, summary[1].theory.exact,
                (double)cell->layout.m / (double)cell->n * M_LN2);
    finding_how(finding, "bloomlab sweep sweeps/claims-more-hashes.yaml");
    return OK;
}
