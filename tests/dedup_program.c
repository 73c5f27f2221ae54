/* SPDX-License-Identifier: MIT
 *
 * dedup_program.c: `bloomlab dedup` as a shell runs it. Filters are so large for these few ids that
 * none is lost: with 10^6 bits and 7 probes a stream of 20 loses one with probability under 1e-24.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/harness_files.h"
#include "tests/harness_program.h"

#define LARGE "--bits", "1000000", "--hashes", "7"

/* What comes out, byte for byte; options: NULL-ended, at most three. */
static void dedup_gives(const void *in, size_t in_bytes, const void *out, size_t out_bytes,
                        const char *a, const char *b, const char *c)
{
    struct program program;
    struct surroundings around = {.input = in, .input_bytes = in_bytes};
    program_run(&program, &around, "dedup", LARGE, a, b, c, NULL);
    cr_assert_eq(program.status, 0, "exit %d: %s", program.status, program.err);
    cr_assert_eq(program.out_bytes, out_bytes, "%zu bytes, not %zu", program.out_bytes, out_bytes);
    cr_assert_arr_eq(program.out, out, out_bytes);
    program_release(&program);
}

#define GIVES(in, out, ...) dedup_gives(in, sizeof(in) - 1, out, sizeof(out) - 1, __VA_ARGS__)

Test(dedup_program, lines)
{
    GIVES("a\nb\na\nc\nb\n", "a\nb\nc\n", NULL, NULL, NULL);
    GIVES("a\n\nb\n\n\na\n", "a\n\nb\n", NULL, NULL, NULL); /* the empty line is an id */
    GIVES("a\nb", "a\nb", NULL, NULL, NULL);                /* no end is added */
    GIVES("a\nb\na", "a\nb\n", NULL, NULL, NULL);
    GIVES("a\r\na\nb\nb\r\n", "a\r\nb\n", NULL, NULL, NULL); /* CR before LF is no id's */
    GIVES("a\n a\na \n", "a\n a\na \n", NULL, NULL, NULL);
    GIVES("a\0b\na\0c\na\0b\na\n", "a\0b\na\0c\na\n", NULL, NULL, NULL);
    GIVES("\n", "\n", NULL, NULL, NULL);
}

Test(dedup_program, nothing_gives_nothing)
{
    struct program program;
    program_run(&program, NULL, "dedup", LARGE, NULL);
    cr_assert_eq(program.status, 0);
    cr_assert_eq(program.out_bytes, 0);
    cr_assert(strstr(program.err, "messages: 0\n"));
    program_release(&program);
}

Test(dedup_program, ended_by_nul)
{
    GIVES("a\nb\0a\nb\0c\r\0c\0\0\0a\nb", "a\nb\0c\r\0c\0\0", "--null", NULL, NULL);
}

Test(dedup_program, records)
{
    GIVES("\1\0\0\0x\0\0\0\0\1\0\0\0x\2\0\0\0\n\0\0\0\0\0\2\0\0\0\n\0",
          "\1\0\0\0x\0\0\0\0\2\0\0\0\n\0", "--binary", NULL, NULL);
}

Test(dedup_program, records_cut_off)
{
    static const char cut[] = "\1\0\0\0x\3\0\0\0ab", head[] = "\1\0\0\0x\3\0";
    struct program program;
    struct surroundings around = {.input = cut, .input_bytes = sizeof cut - 1};
    program_run(&program, &around, "dedup", LARGE, "--binary", NULL);
    cr_assert_eq(program.out_bytes, 5, "what was whole is written");
    program_fails(&program, 2, "record 2 is cut off: 2 of its 3 bytes");
    around = (struct surroundings){.input = head, .input_bytes = sizeof head - 1};
    program_run(&program, &around, "dedup", LARGE, "--binary", NULL);
    cr_assert_eq(program.out_bytes, 5);
    program_fails(&program, 2, "record 2 is cut off: 2 of the 4 bytes of its length");
}

Test(dedup_program, json)
{
    GIVES("{\"id\":\"a\",\"x\":1}\n{\"x\":2,\"id\":\"a\"}\n \n{\"id\":\"b\"}",
          "{\"id\":\"a\",\"x\":1}\n{\"id\":\"b\"}", "--jsonl", NULL, NULL);
    /* one number however it is written; a number is no string */
    GIVES("{\"id\":1}\n{\"id\":1.0}\n{\"id\":1e0}\n{\"id\":\"1\"}\n{\"id\":-1}\n{\"id\":1.5}\n",
          "{\"id\":1}\n{\"id\":\"1\"}\n{\"id\":-1}\n{\"id\":1.5}\n", "--jsonl", NULL, NULL);
    /* 2^53 + 1 is no double: integers are not taken for reals */
    GIVES("{\"id\":9007199254740993}\n{\"id\":9007199254740992}\n",
          "{\"id\":9007199254740993}\n{\"id\":9007199254740992}\n", "--jsonl", NULL, NULL);
    GIVES("{\"a\":{\"b\":2}}\n{\"a\":{\"c\":0,\"b\":2}}\n{\"a\":{\"b\":\"\"}}\n",
          "{\"a\":{\"b\":2}}\n{\"a\":{\"b\":\"\"}}\n", "--jsonl", "--field", "a.b");
    /* escapes are what they stand for */
    GIVES("{\"id\":\"\\u00e9\\u0000\"}\n{\"id\":\"\303\251\\u0000\"}\n{\"id\":\"\303\251\"}\n",
          "{\"id\":\"\\u00e9\\u0000\"}\n{\"id\":\"\303\251\"}\n", "--jsonl", NULL, NULL);
}

/* From the second visit on: what is written and what is not, together, is the stream. */
Test(dedup_program, repeats)
{
    GIVES("a\nb\na\nc\nb\na", "a\nb\na", "--repeats", NULL, NULL);
    GIVES("a\nb\nc\n", "", "--repeats", NULL, NULL);
    GIVES("\n\na\r\na\n\n", "\na\n\n", "--repeats", NULL, NULL);
    GIVES("{\"id\":1,\"x\":1}\n{\"id\":1.0,\"x\":2}\n{\"id\":\"1\"}\n", "{\"id\":1.0,\"x\":2}\n",
          "--repeats", "--jsonl", NULL);
    GIVES("\1\0\0\0x\0\0\0\0\1\0\0\0x", "\1\0\0\0x", "--repeats", "--binary", NULL);
}

/* A filter of 20 bits is soon full: new ids pass, and no repeat is ever held back. */
Test(dedup_program, repeats_are_all_there)
{
    struct program program;
    program_run(&program, NULL, "dedup", "--repeats", "--verify", "--discard", "--generate",
                "decimal", "--count", "1000", "--repeat", "50%", "--bits", "20", "--hashes", "1",
                NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    unsigned messages, written, dropped, ids, passed;
    cr_assert_eq(sscanf(program.err, "messages: %u\nwritten: %u\ndropped: %u", &messages, &written,
                        &dropped),
                 3);
    cr_assert_eq(sscanf(strstr(program.err, "new ids"), "new ids: %u\npassed: %u", &ids, &passed),
                 2);
    cr_expect_eq(messages, 1000);
    cr_expect_eq(dropped, 20, "each sets one bit more: %u", dropped);
    cr_expect_eq(written, 1000 - ids + passed);
    cr_expect(strstr(program.err, "repeats not written: 0\n"), "%s", program.err);
    program_release(&program);
}

static void json_fails(const char *in, const char *out, const char *part)
{
    struct program program;
    struct surroundings around = {.input = in};
    program_run(&program, &around, "dedup", LARGE, "--jsonl", NULL);
    cr_assert_str_eq(program.out, out);
    cr_assert(strstr(program.err, "messages: "), "no summary: %s", program.err);
    program_fails(&program, 2, part);
}

Test(dedup_program, json_that_is_none)
{
    json_fails("{\"id\":1}\n\n{\"id\":1}\n{\"id\":\n{\"id\":2}\n", "{\"id\":1}\n",
               "standard input, line 4: no JSON at byte ");
    json_fails("{\"id\":1} {\"id\":2}\n", "", "line 1: no JSON");
    json_fails("{\"id\":1}\n[1]\n", "{\"id\":1}\n", "line 2: a message is an object, not an array");
    json_fails("{\"id\":1}\n{\"ID\":1}\n", "{\"id\":1}\n", "line 2: there is no field id");
    json_fails("{\"id\":null}\n", "", "line 1: field id is null");
    json_fails("{\"id\":\"\377\"}\n", "", "line 1: no JSON");
}

Test(dedup_program, json_that_is_none_passed_over)
{
    static const char in[] = "{\"id\":1}\nnonsense\n{\"id\":1}\n{}\n{\"id\":2}\n{\"id\":[]}\n";
    GIVES(in, "{\"id\":1}\n{\"id\":2}\n", "--jsonl", "--skip-invalid", NULL);
    struct program program;
    program_run(&program, &(struct surroundings){.input = in}, "dedup", LARGE, "--jsonl",
                "--skip-invalid", NULL);
    cr_assert(strstr(program.err, "skipped lines: 3\n"), "%s", program.err);
    program_release(&program);
}

/* Valid JSON, which 64 bits do not hold: no other id may pass for it. */
Test(dedup_program, json_numbers_that_are_too_large)
{
    json_fails("{\"id\":9223372036854775807}\n{\"id\":9223372036854775808}\n",
               "{\"id\":9223372036854775807}\n",
               "line 2: a number beyond those of 64 bits at byte ");
    json_fails("{\"id\":1e400}\n", "", "line 1: a number beyond those of 64 bits at byte ");
}

/* fmix64 takes keys of 8 bytes: what came before is out, and the place of the other is told. */
static void length_refused(const char *in, size_t bytes, const char *format, size_t out_bytes,
                           const char *part)
{
    struct program program;
    program_run(&program, &(struct surroundings){.input = in, .input_bytes = bytes}, "dedup", LARGE,
                "--hash", "fmix64", format, NULL);
    cr_assert_eq(program.out_bytes, out_bytes, "%s", program.err);
    cr_assert(memcmp(program.out, in, out_bytes) == 0);
    program_fails(&program, 2, part);
}

Test(dedup_program, ids_the_hash_does_not_take)
{
    length_refused("12345678\nabcdefgh\n123\nABCDEFGH\n", 0, NULL, 18,
                   "line 3: fmix64 takes ids of 8 bytes, this one has 3");
    length_refused("\n", 0, NULL, 0, "line 1: fmix64 takes ids of 8 bytes, this one has 0");
    length_refused("12345678\0x\0", 11, "--null", 9, "message 2: fmix64 takes ids of 8 bytes");
    length_refused("\1\0\0\0x", 5, "--binary", 0, "record 1: fmix64 takes ids of 8 bytes");
    length_refused("{\"id\":\"12345678\"}\n\n{\"id\":1}\n", 0, "--jsonl", 18,
                   "line 3: fmix64 takes ids of 8 bytes, this one has 2");
    for (int mixed = 0; mixed < 2; mixed++) {
        struct program program;
        program_run(&program, NULL, "dedup", LARGE, "--hash", "fmix64", "--generate", "uuid4",
                    "--count", "9", "--repeat", mixed ? "50%" : "0", NULL);
        program_fails(&program, 2, "fmix64 takes ids of 8 bytes, this one has 36");
    }
}

/* Three ids of 3 MB, the last different in its last byte only. */
Test(dedup_program, long_ids)
{
    enum { ID = 3000000, ALL = 3 * (ID + 1) };
    char *in = malloc(ALL);
    cr_assert_not_null(in);
    for (size_t i = 0; i < ALL; i++)
        in[i] = i % (ID + 1) == ID ? '\n' : (char)('a' + i % (ID + 1) % 23);
    in[ALL - 2] = 'Z';
    struct program program;
    struct surroundings around = {.input = in, .input_bytes = ALL};
    program_run(&program, &around, "dedup", LARGE, "--verify", NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    cr_assert_eq(program.out_bytes, 2 * (ID + 1));
    cr_assert(memcmp(program.out, in, ID + 1) == 0);
    cr_assert(memcmp(program.out + ID + 1, in + 2 * (ID + 1), ID + 1) == 0);
    cr_assert(strstr(program.err, "lost: 0\n"), "%s", program.err);
    program_release(&program);
    free(in);
}

Test(dedup_program, files_one_after_the_other)
{
    char *folder = folder_new();
    file_save(folder, "x", "a\nb", 3);
    file_save(folder, "y", "c\na", 3);
    char *x = path_of(folder, "x"), *y = path_of(folder, "y"), *z = path_of(folder, "z");
    struct program program;
    program_run(&program, &(struct surroundings){.input = "d\nb\n"}, "dedup", LARGE, x, "-", y,
                NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    cr_assert_str_eq(program.out, "a\nb\nd\nc\n"); /* b was given the end it needs */
    program_release(&program);
    program_run(&program, NULL, "dedup", LARGE, y, z, x, NULL);
    cr_assert_str_eq(program.out, "c\na");
    program_fails(&program, 2, "No such file");
    program_run(&program, NULL, "dedup", LARGE, folder, NULL);
    program_fails(&program, 2, "Is a directory");
    free(x);
    free(y);
    free(z);
    folder_remove(folder);
}

Test(dedup_program, outputs_that_fail)
{
    char *in = malloc(4000001);
    size_t used = 0;
    for (unsigned i = 0; i < 500000; i++)
        used += (size_t)sprintf(in + used, "%u\n", i);
    const struct surroundings around[] = {
        {.input = in, .input_bytes = used, .closed_pipe = true},
        {.input = in, .input_bytes = used, .output = "/dev/full"},
        {.input = "a\n", .closed_pipe = true},
    };
    for (size_t i = 0; i < 3; i++) {
        struct program program;
        program_run(&program, &around[i], "dedup", "--capacity", "1e6", "--fpr", "1%", NULL);
        cr_expect(strstr(program.err, "messages: "), "no summary: %s", program.err);
        program_fails(&program, 3, "cannot write standard output");
    }
    free(in);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static void refused(const char *part, const char *a, const char *b, const char *c, const char *d,
                    const char *e, const char *f)
{
    struct program program;
    program_run(&program, &(struct surroundings){.input = "a\n"}, "dedup", a, b, c, d, e, f, NULL);
    cr_assert_eq(program.out_bytes, 0);
    program_fails(&program, 2, part);
}

Test(dedup_program, what_cannot_be)
{
    refused("a size is needed", NULL, NULL, NULL, NULL, NULL, NULL);
    refused("a size is needed", "--capacity", "10", NULL, NULL, NULL, NULL);
    refused("--fpr 1: a rate", "--capacity", "10", "--fpr", "1", NULL, NULL);
    refused("--fpr 0: a rate", "--capacity", "10", "--fpr", "0", NULL, NULL);
    refused("--capacity", "--capacity", "0", "--fpr", "0.1", NULL, NULL);
    refused("--bits and --fpr", "--bits", "10", "--fpr", "0.1", NULL, NULL);
    refused("how many probes", "--bits", "10", NULL, NULL, NULL, NULL);
    refused("no --capacity", "--window", "9", "--fpr", "0.1", "--capacity", "5");
    refused("null cannot keep a rate of 0.1 at 100 ids: it gives 1", "--filter", "null",
            "--capacity", "100", "--fpr", "0.1");
    refused("--slices goes with --window", "--bits", "9", "--hashes", "1", "--slices", "5");
    refused("hyperloglog", "--filter", "hyperloglog", "--capacity", "9", "--fpr", "0.1");
    refused("no filter sieve", "--filter", "sieve", "--bits", "9", "--hashes", "1");
    refused("no hash md5", "--hash", "md5", "--bits", "9", "--hashes", "1");
    refused("one at a time", "--null", "--binary", "--bits", "9", "--hashes", "1");
    refused("go with --jsonl", "--field", "x", "--bits", "9", "--hashes", "1");
    refused("go together", "--generate", "url", "--bits", "9", "--hashes", "1");
    refused("uuid4, url or decimal", "--generate", "tea", "--bits", "9", "--count", "1");
    refused("--field is empty", "--jsonl", "--field", "", "--bits", "9", NULL);
    refused("needs a 128-bit hash", "--bits=9", "--hashes=1", "--hash", "xxh3_64", "--family=split",
            NULL);
    refused("needs a hash of keys of any length, and fmix64 is none", "--bits=9", "--hashes=1",
            "--hash", "fmix64", "--family=salted", NULL);
}

/* More memory than there is: not asked for, said at once. */
Test(dedup_program, larger_than_the_machine, .timeout = 20)
{
    struct program program;
    program_run(&program, NULL, "dedup", "--bits", "2^48", "--hashes", "1", NULL);
    program_fails(&program, 3, "a classic filter of 35184372088832 bytes, times 1, is more than");
    program_run(&program, NULL, "dedup", "--window", "2^45", "--fpr", "1%", NULL);
    program_fails(&program, 3, "times 5, is more than the ");
    program_run(&program, NULL, "count", "--method=bloom", "--bits", "2^48", NULL);
    program_fails(&program, 3, "a classic filter of 35184372088832 bytes is more than the ");
}

/* Far more ids than a turn holds: theory follows the newest filter as it fills, however many came
 * before. |z| > 5 in 6e-7 of such runs. */
Test(dedup_program, short_windows_lose_as_many_as_told)
{
    enum { IDS = 200000 };
    char *in = malloc(IDS * 8 + 1);
    double z = NAN;
    for (unsigned i = 0; i < IDS; i++)
        sprintf(in + (size_t)i * 8, "%u\n", 1000000 + i);
    struct program program;
    program_run(&program, &(struct surroundings){.input = in}, "dedup", "--verify", "--discard",
                "--window", "1000", "--bits", "1000", "--hashes", "3", NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    cr_assert_eq(sscanf(strstr(program.err, "\nz: "), "\nz: %lf", &z), 1);
    cr_expect_lt(fabs(z), 5);
    program_release(&program);
    free(in);
}

/* MurmurHash3's first word is even where the seed is the length of a short key. Seeds that nobody
 * chose must not hit that: 90,000 ids of 5 bytes, one probe; |z| > 5 in 6e-7 of such runs. */
Test(dedup_program, default_seeds_are_no_small_numbers)
{
    char *in = malloc(90000 * 6 + 1);
    double z[2];
    for (unsigned i = 0; i < 90000; i++)
        sprintf(in + (size_t)i * 6, "%u\n", 10000 + i);
    for (int fixed = 0; fixed < 2; fixed++) {
        struct program program;
        program_run(&program, &(struct surroundings){.input = in}, "dedup", "--verify", "--discard",
                    "--bits", "2^17", "--hashes", "1", fixed ? "--seed=5" : NULL, NULL);
        cr_assert_eq(program.status, 0, "%s", program.err);
        cr_assert_eq(sscanf(strstr(program.err, "\nz: "), "\nz: %lf", &z[fixed]), 1);
        program_release(&program);
    }
    cr_expect_lt(fabs(z[0]), 5);
    cr_expect_gt(z[1], 50);
    free(in);
}

/* 864 million ids at 1 %, and digests of 32 bits: 18 % are lost whatever the size. */
Test(dedup_program, digests_too_narrow_for_the_promise)
{
    struct program program;
    program_run(&program, NULL, "dedup", "--capacity", "864e6", "--fpr", "1%", "--hash", "murmur2",
                "--family", "expanded", NULL);
    program_fails(&program, 2, "digests of 32 bits cannot keep a rate of 0.01 at 864000000 ids");
}

/* 32 bits of 64 are set in the end, nearly: of 200 ids most are lost, and it says so. */
Test(dedup_program, over_capacity)
{
    char in[2000];
    size_t used = 0;
    for (unsigned i = 0; i < 400; i++)
        used += (size_t)sprintf(in + used, "%u\n", i);
    struct program program;
    program_run(&program, &(struct surroundings){.input = in}, "dedup", "--capacity", "20", "--fpr",
                "10%", "--verify", NULL);
    cr_assert_eq(program.status, 0);
    cr_assert(strstr(program.err, "over capacity: "), "%s", program.err);
    cr_assert(strstr(program.err, "to be room for 20;"), "%s", program.err);
    cr_assert(strstr(program.err, "new ids: 400\n"), "%s", program.err);
    cr_assert(strstr(program.err, "written twice: 0\n"), "%s", program.err);
    unsigned written = 0, lost = 0;
    for (size_t i = 0; i < program.out_bytes; i++)
        written += program.out[i] == '\n';
    cr_assert_eq(sscanf(strstr(program.err, "\nlost: "), "\nlost: %u", &lost), 1);
    cr_assert_eq(written + lost, 400);
    program_release(&program);
}

/* ---- streams made here ----------------------------------------------------------------------- */

Test(dedup_program, made_here)
{
    struct program one, two;
    program_run(&one, NULL, "dedup", "--generate", "url", "--count", "20000", "--repeat", "60%",
                "--capacity", "20000", "--fpr", "1e-9", "--seed", "7", NULL);
    program_run(&two, NULL, "dedup", "--generate", "url", "--count", "20000", "--repeat", "60%",
                "--capacity", "20000", "--fpr", "1e-9", "--seed", "7", "--verify", NULL);
    cr_assert_eq(one.status, 0, "%s", one.err);
    cr_assert_str_eq(one.out, two.out);
    unsigned fresh = 0, written = 0;
    cr_assert_eq(sscanf(strstr(one.err, "new ids: "), "new ids: %u", &fresh), 1);
    cr_assert_eq(sscanf(strstr(one.err, "written: "), "written: %u", &written), 1);
    cr_assert(fresh > 7650 && fresh < 8350, "%u new ids of 8000 +- 69", fresh); /* 5 sigma */
    cr_assert_eq(fresh, written); /* lost with probability 1e-5 */
    cr_assert(strstr(two.err, strstr(one.err, "new ids: ")) || strstr(two.err, "new ids: "));
    program_release(&one);
    program_release(&two);
}

Test(dedup_program, the_salts_of_the_pages)
{
    static const struct {
        const char *salt;
        unsigned low_byte;
    } printed[] = {
        {"nejakaSul", 42}, {"nejakaJinaSul", 174}, {"unSel", 246}, {"unAutreSel", 14}, {"", 47}};
    for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) {
        struct program program;
        program_run(&program, &(struct surroundings){.input = "123\n"}, "hash", "murmur2", "--salt",
                    printed[i].salt, NULL);
        cr_assert_eq(strtoul(program.out, NULL, 16) % 256, printed[i].low_byte, "%s",
                     printed[i].salt);
        program_release(&program);
    }
}
