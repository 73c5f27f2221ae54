/* SPDX-License-Identifier: MIT
 *
 * Broken files of every kind: the reader accepts or tells a place, and never crashes, hangs or
 * leaks (the sanitizers watch). The good file is cut at every byte, and changed with a fixed seed.
 */
#include "tests/experiment_text.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "hashes/mix.h"

static const char fuzz_path[] = "tests/data/good/everything.yaml";

/* 1: accepted, 0: refused with a place inside the text and a sentence. */
static int fuzz_read(const char *text, size_t bytes)
{
    struct experiment *e;
    struct error err = {0};
    unsigned line = 0, column = 0, lines = 1;
    int start = 0;
    enum status status = experiment_text_read(&e, text, bytes, "paper", &err);
    if (status == OK) {
        cr_assert(e && e->grid_count && e->question && *e->name);
        experiment_free(e);
        return 1;
    }
    cr_assert(status == E_INPUT && !e);
    for (size_t i = 0; i < bytes; i++)
        lines += text[i] == '\n';
    cr_assert_eq(sscanf(err.text, "x:%u:%u: %n", &line, &column, &start), 2, "%s", err.text);
    cr_assert(line >= 1 && line <= lines && column >= 1, "%s", err.text);
    cr_assert_geq(strlen(err.text + start), (size_t)10);
    return 0;
}

Test(experiment_fuzz, cut_at_every_byte)
{
    size_t bytes;
    char *text = experiment_text_load(fuzz_path, &bytes);
    int accepted = 0;
    for (size_t cut = 0; cut < bytes; cut++)
        accepted += fuzz_read(text, cut);
    cr_expect_eq(fuzz_read(text, bytes), 1);
    cr_expect(accepted > 0 && (size_t)accepted < bytes / 2, "%d accepted", accepted);
    free(text);
}

Test(experiment_fuzz, single_bytes_changed)
{
    const uint64_t seed = 1;
    static const char likely[] = "0[]{},:&*!|>'\"%@`#-.^? \n\t\r\\";
    size_t bytes;
    char *text = experiment_text_load(fuzz_path, &bytes);
    int accepted = 0;
    for (uint64_t i = 0; i < 6000; i++) {
        uint64_t random = mix64(seed + i);
        size_t at = (size_t)(random >> 32) % bytes;
        char old = text[at];
        text[at] = random & 1 ? likely[(random >> 8) % (sizeof likely - 1)] : (char)(random >> 8);
        accepted += fuzz_read(text, bytes);
        text[at] = old;
    }
    cr_expect(accepted > 100 && accepted < 5000, "%d accepted", accepted);
    free(text);
}

/* Bytes of YAML at random: what a grammar of its own would not think of. */
Test(experiment_fuzz, soup)
{
    static const char *const pieces[] = {
        "name: a\n",
        "question: b\n",
        "grid:\n",
        "  filter: classic\n",
        "- ",
        "[",
        "]",
        "{",
        "}",
        ", ",
        ": ",
        "? ",
        "'",
        "\"",
        "|",
        ">",
        "&a ",
        "*a ",
        "!!x ",
        "---\n",
        "...\n",
        "  ",
        "\n",
        "\t",
        "#",
        "<<",
        "1..",
        "2^",
        "\xef\xbb\xbf",
        "\xc3",
        "é",
        "\\x",
        "~",
        "%YAML 1.1\n",
        "scales: ",
        "x",
        "m: ",
        "k: 0 ",
        "\r\n",
    };
    for (uint64_t i = 0; i < 6000; i++) {
        char text[1024] = "", *at = text;
        uint64_t count = 1 + mix64(i) % 40;
        for (uint64_t j = 0; j < count; j++)
            at = stpcpy(at, pieces[mix64(i * 64 + j) % (sizeof pieces / sizeof *pieces)]);
        fuzz_read(text, (size_t)(at - text));
    }
}
