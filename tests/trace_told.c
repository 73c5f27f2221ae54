/* SPDX-License-Identifier: MIT
 *
 * trace_told.c: what `bloomlab trace` prints.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/harness_program.h"
#include "tests/trace_support.h"

#define PAGE "trace", "--m", "64", "--k", "3", "--pair", "fnv1a_32,djb2_mix"
#define EIGHT "cat", "dog", "owl", "fox", "bee", "cow", "elk", "yak"

/* The parts stand in the text, in this order; ended by NULL. */
static void told_in_order(const char *text, const char *const *parts)
{
    const char *at = text;
    for (; *parts; parts++) {
        const char *found = strstr(at, *parts);
        cr_assert(found, "\"%s\" is missing in:\n%s", *parts, at);
        at = found + strlen(*parts);
    }
}

Test(trace, told_step_by_step)
{
    struct program program;
    program_run(&program, &(struct surroundings){0}, PAGE, "--query", "owl", "--query", "7",
                "--query", "47", "--remove", "owl", "--counting", EIGHT, NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    cr_expect_str_empty(program.err);
    cr_expect_null(strchr(program.out, '\033'));
    told_in_order(
        program.out,
        (const char *const[]){
            "double_hashing (force_odd=true): m = 64 bits, k = 3",
            "   3 owl   h1 a715b2e5  h2 a694d6d4  bits 37 58 15\n"
            "      0  .....1.1 .1.....# ........ ........ .....#1. .......1 ........ ..#.1...\n"
            "     9 of 64 set, 3 by this word\n",
            "bits 14 15 16\n"
            "      0  .....1.1 .1....#= #.......",
            "11 of 64 set, 2 by this word\n",
            "20 of 64 (31.25 %)\n",
            " 8.00\n",
            " 5.55\n",
            "3.06 %\n",
            "3.05 %\n",
            "335 of 10000 (3.35 %)\n",
            "asking for owl: bits 37=1 58=1 15=1\n     all 3 bits are 1: probably, in fact a "
            "member\n",
            "asking for 7: bits 54=0 37=1 20=0\n     bit 54 is 0: certainly not\n",
            "owl   fox\n",
            "elk   nobody\n",
            "6 of 8 removals lose another word\n",
            "removing owl by clearing bits 37 58 15\n"
            "      0  ..1..1.1 .1....1- 1.1.....",
            "lost: fox, though inserted: bit 15 is 0: certainly not\n"
            "     1 of the other 7 words is lost\n",
            "0 of 8 removals lose another word\n",
            "removing owl by counting down, which leaves 37=0 58=0 15>0\n"
            "     0 of the other 7 words are lost\n",
            NULL});
    program_release(&program);
}

/* Every row of --csv has eleven fields, and the numbers of the text. */
Test(trace, told_as_a_table)
{
    struct program program;
    program_run(&program, &(struct surroundings){0}, PAGE, "--csv", "--query", "a,\"b", "--remove",
                "bee", "--remove", "owl", EIGHT, NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    told_in_order(
        program.out,
        (const char *const[]){
            "step,action,word,other,hashes,positions,changed,bits_set,answer,value,reason\n",
            "4,insert,fox,,b6f3934e 0f76f0c1,14 15 16,14 16,11,,,\n",
            ",figure,false_positives,,,,,,,335,\n", "9,query,\"a,\"\"b\",,",
            ",would_lose,elk,,,,,,,,\n", ",figure,harmful_removals,,,,,,,6,\n",
            "10,remove,bee,,51ae487f e656b65d,63 28 57,63 28 57,17,,,\n",
            "10,lost,bee,yak,,,,,,,\n", "11,remove,owl,,", "11,lost,owl,fox,,,,,,,\n",
            "11,lost,owl,yak,,,,,,,\n", NULL});
    char *fields[16], *next = program.out;
    while (*next)
        cr_assert_eq(row_split(next, fields, 16, &next), 11);
    program_release(&program);
}

/* A false positive is named as one; "15" among the ten numbers is a word, and left out. */
Test(trace, told_of_false_positives)
{
    struct program program;
    program_run(&program, &(struct surroundings){0}, "trace", "--m", "4", "--k", "1", "--hash",
                "xxh3_64", "--query", "zebra", "--measure", "10..19", EIGHT, "15", "ant", NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    told_in_order(program.out,
                  (const char *const[]){"4 of 4 (100.00 %)", "9 of 9 (100.00 %); 1",
                                        "is 1: probably, in fact a false positive", NULL});
    program_release(&program);
}

Test(trace, words_from_standard_input)
{
    struct program program;
    static const char lines[] = "dog\r\nowl\n\nfox\ndog\nlast";
    program_run(&program, &(struct surroundings){.input = lines}, PAGE, "cat", "-", "owl", "cat",
                NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    told_in_order(program.out, (const char *const[]){"Inserting 5 words", "1 cat", "2 dog", "3 owl",
                                                     "4 fox", "5 last", NULL});
    told_in_order(program.err, (const char *const[]){"1 given before, 1 empty\n",
                                                     "dropped, given before: owl, cat\n", NULL});
    program_release(&program);
}

Test(trace, mistakes_are_told)
{
    struct program program;
    const struct surroundings none = {0};
    program_run(&program, &none, "trace", "--m", "0", "--k", "3", "--hash", "djb2", "a", NULL);
    program_fails(&program, 2, "--m is 0; it must be between 1 and 67108864");
    program_run(&program, &none, "trace", "--m", "64", "--k", "0", "--hash", "djb2", "a", NULL);
    program_fails(&program, 2, "--k is 0; it must be between 1 and 256");
    program_run(&program, &none, "trace", "--m", "64", "--hash", "djb2", "a", NULL);
    program_fails(&program, 2, "trace needs --k");
    program_run(&program, &none, "trace", "--m", "64", "--k", "3", "a", NULL);
    program_fails(&program, 2, "either --pair or --hash");
    program_run(&program, &none, "trace", "--m", "64", "--k", "3", "--pair", "djb2", "a", NULL);
    program_fails(&program, 2, "two hashes with a comma between");
    program_run(&program, &none, "trace", "--m", "64", "--k", "3", "--hash", "dbj2", "a", NULL);
    program_fails(&program, 2, "there is no hash dbj2");
    program_run(&program, &none, PAGE, NULL);
    program_fails(&program, 2, "trace needs words");
    program_run(&program, &none, PAGE, "-", NULL);
    program_fails(&program, 2, "is empty");
    program_run(&program, &none, PAGE, "a", "--remove", "wolf", NULL);
    program_fails(&program, 2, "--remove wolf: it was not inserted");
    program_run(&program, &none, PAGE, "a", "--remove", "a", "--remove", "a", NULL);
    program_fails(&program, 2, "--remove a is given twice");
    program_run(&program, &none, PAGE, "a", "--measure", "9..2", NULL);
    program_fails(&program, 2, "runs backwards");
    program_run(&program, &none, PAGE, "a", "--measure", "0..1e9", NULL);
    program_fails(&program, 2, "more than 10000000 numbers");
    program_run(&program, &none, PAGE, "a", "--param", "force_odd", NULL);
    program_fails(&program, 2, "is not NAME=VALUE");
    program_run(&program, &none, PAGE, "a", "--filter", "classic", NULL);
    program_fails(&program, 2, "k 3 needs 3 digests");
}

/* On a terminal: colours, and lines that fit; large arrays only where a word goes. */
Test(trace, drawn_for_a_terminal)
{
    struct error err;
    struct trace trace;
    struct trace_key key;
    struct text text = {0};
    const struct show_style style = {.colour = true, .columns = 50}, plain = {.columns = 50};
    struct trace_spec spec = trace_spec_of(NULL, 64, 3, "fnv1a_32,djb2_mix");
    trace_of(&trace, &spec, "owl");
    cr_assert_eq(trace_look(&trace, &key, "owl", 3, &err), OK);
    show_array(&text, &style, &trace, &key, false);
    told_in_order(text.data,
                  (const char *const[]){"      0  ", "\033[0;1;33m=", "\033[0m\n", "     32  ",
                                        "\033[0;1;33m=", "\033[0m\n", NULL});
    text_release(&text);
    trace_release(&trace);

    spec = trace_spec_of(NULL, 1 << 16, 3, "fnv1a_32,djb2_mix");
    trace_of(&trace, &spec, "owl");
    cr_assert_eq(trace_look(&trace, &key, "owl", 3, &err), OK);
    text = (struct text){0};
    show_array(&text, &plain, &trace, &key, false);
    unsigned lines = 0;
    for (const char *at = text.data; *at; at++)
        lines += *at == '\n';
    cr_expect_eq(lines, 3);
    text_release(&text);
    trace_release(&trace);
}
