/* SPDX-License-Identifier: MIT
 *
 * What is refused, with the place and the words: a line for every rule of experiment.h and node.h.
 * The files of tests/data/bad start with a comment that holds what must be said of them.
 */
#include "tests/experiment_text.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* Lines 1 and 2, lines 1 to 6, and a whole file of 9. */
#define HEAD "name: a\nquestion: b\n"
#define GRID HEAD "grid:\n  filter: classic\n  hash: murmur2\n  keys: random64\n"
#define GOOD GRID "  m: 8\n  n: 1\n  k: 1\n"
#define LONG "must be 1 to 64 of a-z"

struct bad {
    const char *text, *place, *words;
};

static void bad_expect(const char *text, size_t bytes, const char *place, const char *words)
{
    struct experiment *e = (struct experiment *)&bytes;
    struct error err = {0};
    char start[32];
    cr_expect_eq(experiment_text_read(&e, text, bytes, "", &err), E_INPUT, "accepted: %s", text);
    cr_expect_null(e);
    cr_expect_eq(err.status, E_INPUT);
    snprintf(start, sizeof start, "x:%s: ", place);
    cr_expect(!strncmp(err.text, start, strlen(start)), "wanted %s, got %s", start, err.text);
    cr_expect(strstr(err.text, words), "wanted '%s', got %s", words, err.text);
}

static void bad_rows(const struct bad *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bad_expect(rows[i].text, strlen(rows[i].text), rows[i].place, rows[i].words);
}

#define BAD_ROWS(rows) bad_rows(rows, sizeof(rows) / sizeof *(rows))

Test(experiment_bad, yaml)
{
    static const struct bad rows[] = {
        {"", "1:1", "the file is empty"},
        {"\n# nothing\n", "1:1", "the file is empty"},
        {"---\n", "1:1", "the file is empty"},
        {"- a\n- b\n", "1:1", "must be a mapping of keys such as 'name', but is a list"},
        {"hello\n", "1:1", "must be a mapping of keys such as 'name', but is a text"},
        {HEAD "grid:\n\tfilter: classic\n", "4:1", "a tab indents here"},
        {HEAD "x: @a\n", "3:4", "cannot start with '@'; put it in quotes"},
        {HEAD "x: \"\xff\"\n", "3:5", "not UTF-8"},
        {HEAD "x: é\xc3(\n", "3:6", "not UTF-8"},
        {"\xff\xfen\0", "1:1", "not UTF-8"},
        {HEAD "x: a\x01\n", "3:5", "control character (0x01)"},
        {HEAD "x: a\x7f\n", "3:5", "control character (0x7f)"},
        {HEAD "x: \"a\\0b\"\n", "3:4", "NUL character"},
        {HEAD "x: \"abc\n", "3:4", "quoted scalar that begins here"},
        {"name: 'abc\n", "1:7", "quoted scalar that begins here"},
        {HEAD "x: [1, 2\n", "3:4", "flow sequence that begins here"},
        {HEAD "x: {a: 1\n", "3:4", "flow mapping that begins here"},
        {HEAD "x: [a,", "3:7", "the file ends where more is expected"},
        {HEAD "x: &", "3:4", "an anchor"},
        {HEAD "x: [1, 2}\n", "3:9", "did not find expected ',' or ']'"},
        {HEAD "x: a: b\n", "3:5", "mapping values are not allowed"},
        {HEAD "grid:\n  m: 1\n n: 2\n", "5:2", "a block mapping that began at 1:1"},
        {HEAD "x: &a [1]\n", "3:4", "the anchor '&a' is not read here"},
        {HEAD "x: *a\n", "3:4", "the alias '*a' is not read here"},
        {"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "1:4", "the anchor '&a'"},
        {"*a : b\n", "1:1", "the alias '*a'"},
        {HEAD "x: !!str 1\n", "3:4", "the tag"},
        {HEAD "x: !mine {a: b}\n", "3:4", "the tag '!mine'"},
        {HEAD "x: !mine [a]\n", "3:4", "the tag '!mine'"},
        {HEAD "<<: {a: 1}\n", "3:1", "the merge key"},
        {HEAD "? [a]\n: b\n", "3:3", "a key must be a plain name"},
        {HEAD "name: c\n", "3:1", "the key 'name' is given twice; the first is in line 1"},
        {HEAD "x: {m: 1, m: 2}\n", "3:11", "the key 'm' is given twice; the first is in line 3"},
        {HEAD "x: [[{a: 1,\na: 2}]]\n", "4:1", "the key 'a' is given twice"},
        {GOOD "---\nname: b\n", "10:1", "a second document starts here"},
        {GOOD "...\nname: b\n", "11:1", "did not find expected <document start>"},
        {HEAD "x: [[[[[[[[[1]]]]]]]]]\n", "3:12", "nested more than 8 deep"},
        {HEAD "x: {a: {a: {a: {a: {a: {a: {a: {a: {}}}}}}}}}\n", "3:36", "nested more than 8 deep"},
    };
    BAD_ROWS(rows);
    static const char nul[] = HEAD "x: a\0b\n";
    bad_expect(nul, sizeof nul - 1, "3:5", "control character (0x00)");
    static const char wide[] = "\xff\xfen\0a\0m\0e\0";
    bad_expect(wide, sizeof wide - 1, "1:1", "not UTF-8");
}

/* `count` times a piece between HEAD, a start and an end. */
static void bad_repeated(const char *start, const char *piece, size_t count, const char *end,
                         const char *place, const char *words)
{
    size_t length = strlen(piece),
           bytes = strlen(HEAD) + strlen(start) + count * length + strlen(end);
    char *text = malloc(bytes + 1), *at = stpcpy(stpcpy(text, HEAD), start);
    for (size_t i = 0; i < count; i++, at += length)
        memcpy(at, piece, length);
    strcpy(at, end);
    bad_expect(text, bytes, place, words);
    free(text);
}

Test(experiment_bad, too_large)
{
    bad_repeated("", "#", (1 << 20) - strlen(HEAD), "\n", "1:1", "more than 1048576 bytes");
    bad_repeated("", "#", (1 << 20) - strlen(HEAD), "", "1:1", "has no 'grid'");
    bad_repeated("", "- 1\n", 100001, "", "3:1", "did not find expected key");
    bad_repeated("", "[", 1000000, "", "3:1026", "a simple key that began at 3:1");
    bad_repeated("x: ", "[", 1000000, "", "3:12", "nested more than 8 deep");
    bad_repeated("x: ", "{a: ", 200000, "", "3:36", "nested more than 8 deep");
    bad_repeated("x: ", "a", 1000000, "", "3:1", "unknown key of the experiment 'x'");
    char text[1 << 19] = HEAD "x:\n", *at = text + strlen(text);
    for (int i = 0; i < 99995; i++) /* the mapping, 2 keys, 2 values, x and its list make 7 */
        at = stpcpy(at, "- 1\n");
    bad_expect(text, strlen(text), "99997:3", "the file has more than 100000 values");
    at = text + sprintf(text, HEAD);
    for (int i = 0; i < 70; i++)
        at += sprintf(at, "k%d: 1\n", i);
    bad_expect(text, strlen(text), "65:1", "more than 64 keys");
}

Test(experiment_bad, outermost_keys)
{
    static const struct bad rows[] = {
        {HEAD "gird: 1\n", "3:1", "unknown key of the experiment 'gird'; did you mean 'grid'?"},
        {HEAD "\"\": 1\n", "3:1", "unknown key of the experiment ''"},
        {HEAD, "1:1", "has no 'grid'"},
        {"# c\nquestion: b\ngrid: {}\n", "2:1", "has no 'name'"},
        {"name: a\ngrid: {}\n", "1:1", "has no 'question'"},
        {"name: ../x\n", "1:7", LONG},
        {"name: a/b\n", "1:7", "never a path"},
        {"name: .\n", "1:7", LONG},
        {"name: ..\n", "1:7", LONG},
        {"name: .hidden\n", "1:7", LONG},
        {"name: -rf\n", "1:7", LONG},
        {"name: Upper\n", "1:7", LONG},
        {"name: \"\"\n", "1:7", LONG},
        {"name: \"a\\nb\"\n", "1:7", "name 'a?b' " LONG},
        {"name: aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffff12345\n", "1:7", LONG},
        {"name:\nquestion: b\n", "1:6", "name is empty"},
        {"name: [a]\n", "1:7", "name must be one value, but is a list"},
        {"name: a\nquestion:\n", "2:10", "question is empty"},
        {"name: a\nquestion: \" \"\n", "2:11", "question is empty"},
        {"name: a\nquestion: {a: b}\n", "2:11", "must be one value, but is a mapping"},
        {HEAD "workload: membershp\n", "3:11", "did you mean 'membership'? known: membership, "},
        {HEAD "trials: -1\n", "3:9", "trials is -1; it must be between 0 and 10000000"},
        {HEAD "trials: 1..5\n", "3:9", "trials is '1..5'; it must be one number"},
        {HEAD "trials: [1]\n", "3:9", "trials must be one value, but is a list"},
        {HEAD "queries: 1e13\n", "3:10", "queries is 1e13; it must be between 0 and 1000000000000"},
        {HEAD "queries: {relative_eror: 1%}\n", "3:11", "did you mean 'relative_error'?"},
        {HEAD "queries: {confidence: 95%}\n", "3:10", "has no 'relative_error'"},
        {HEAD "queries: {relative_error: 0}\n", "3:27", "relative_error is 0; it must be between"},
        {HEAD "queries: {relative_error: nan}\n", "3:27", "relative_error is 'nan'"},
        {HEAD "queries: {relative_error: 1%, confidence: 1}\n", "3:43", "confidence is 1"},
        {HEAD "seed: 18446744073709551616\n", "3:7", "between 0 and 18446744073709551615"},
        {HEAD "seed: 1.5\n", "3:7", "seed is 1.5; it must be a whole number"},
        {HEAD "hash_seed: none\n", "3:12", "hash_seed is 'none'; it must be a whole number"},
        {HEAD "independent: yes\n", "3:14", "independent is 'yes'; it must be true or false"},
        {HEAD "plots: [fpr, a/b]\n", "3:14", "the name of a plot is of a-z, 0-9 and '-'"},
        {HEAD "plots: []\n", "3:8", "plots is empty"},
        {HEAD "plots: [a, b, a]\n", "3:15", "plots is given a value twice"},
        {GOOD "scales: [a]\n", "10:1", "scales must be a mapping"},
        {GOOD "scales: {x: {trails: 1}}\n", "10:14", "did you mean 'trials'?"},
        {GOOD "scales: {x: {seed: 1}}\n", "10:14", "unknown key of a scale 'seed'"},
        {GOOD "scales: {x: {}}\n", "10:10", "the scale 'x' is empty"},
        {GOOD "scales: {x: }\n", "10:13", "a scale must be a mapping"},
        {GOOD "scales: {X: {trials: 1}}\n", "10:10", "the name of a scale"},
        {GOOD "scales: {x: {grid: {m: 0}}}\n", "10:24", "m is 0"},
        {GOOD "scales:\n  x: {trials: 1}\n  y: {grid: {filter: classic}}\n", "12:13", "no 'hash'"},
    };
    BAD_ROWS(rows);
}

Test(experiment_bad, filters)
{
    static const struct bad rows[] = {
        {HEAD "grid: a\n", "3:7", "the grid must be a mapping of keys such as 'filter'"},
        {HEAD "grid: []\n", "3:7", "grid is empty"},
        {HEAD "grid: {}\n", "3:7", "the grid has no 'filter'"},
        {HEAD "grid: {bits_perkey: 1}\n", "3:8", "did you mean 'bits_per_key'?"},
        {HEAD "grid: {filter: [classik]}\n", "3:17", "did you mean 'classic'? known: classic, "},
        {HEAD "grid: {filter: [{block_bits: 64}]}\n", "3:17", "needs its 'name'"},
        {HEAD "grid: {filter: [{name: blocked, block_bit: 64}]}\n", "3:33",
         "unknown parameter of blocked 'block_bit'; did you mean 'block_bits'? known: block_bits"},
        {HEAD "grid: {filter: {name: classic, x: 1}}\n", "3:32", "classic has no parameters"},
        {HEAD "grid: {filter: {name: blocked, block_bits: 63}}\n", "3:44",
         "block_bits is 63; it must be between 64 and 4096"},
        {HEAD "grid: {filter: {name: blocked, block_bits: [64, 8192]}}\n", "3:49", "is 8192"},
        {HEAD "grid: {filter: {name: blocked, block_bits: []}}\n", "3:44", "block_bits is empty"},
        {HEAD "grid: {filter: {name: blocked, block_bits: [64, 64]}}\n", "3:49", "value twice"},
        {HEAD "grid: {filter: {name: counting, counter_bits: [2, 5]}}\n", "3:51",
         "\"5\" is none of"},
        {HEAD "grid: {filter: {name: double_hashing, force_odd: 1}}\n", "3:50", "true nor false"},
        {HEAD "grid: {filter: {name: scalable_linear, tightening: 2}}\n", "3:52",
         "tightening is 2"},
        {HEAD "grid: {filter: [classic, blocked, classic]}\n", "3:35", "value twice"},
        {HEAD "grid: {filter: [blocked, {name: blocked, block_bits: [64, 512]}]}\n", "3:26",
         "filter is given a value twice, the second time here"},
        {HEAD "grid: {filter: {name: scalable_linear, initial_capacity: 1..1001, scale_factor: "
              "1..1000}}\n",
         "3:16", "filter comes to more than 1000000 values"},
    };
    BAD_ROWS(rows);
}

Test(experiment_bad, hashes_and_keys)
{
    static const struct bad rows[] = {
        {HEAD "grid: {hash: murmur3}\n", "3:14", "did you mean 'murmur3_x86_32'? known: murmur2, "},
        {HEAD "grid: {hash: {nam: murmur2}}\n", "3:15", "did you mean 'name'?"},
        {HEAD "grid: {hash: {family: seeded}}\n", "3:14", "needs a 'name' or a 'pair'"},
        {HEAD "grid: {hash: {name: murmur2, family: split}}\n", "3:38",
         "family split halves 128 bits, but murmur2 has 32"},
        {HEAD "grid: {hash: {family: split, name: xxh64}}\n", "3:23", "but xxh64 has 64"},
        {HEAD "grid: {hash: {name: murmur2, family: splitt}}\n", "3:38", "did you mean 'split'?"},
        {HEAD "grid: {hash: {name: murmur2, family: pair}}\n", "3:38", "{pair: [A, B]}"},
        {HEAD "grid: {hash: {pair: [murmur2]}}\n", "3:21", "2 hashes, but has 1"},
        {HEAD "grid: {hash: {pair: murmur2}}\n", "3:21", "2 hashes, but has 1"},
        {HEAD "grid: {hash: {pair: [murmur2, xxh64, sha256]}}\n", "3:21", "2 hashes, but has 3"},
        {HEAD "grid: {hash: {pair: [murmur2, xxh]}}\n", "3:31", "did you mean 'xxh3_64'?"},
        {HEAD "grid: {hash: {pair: [a, b], family: seeded}}\n", "3:29", "does not go with 'pair'"},
        {HEAD "grid: {hash: [murmur2, {name: murmur2}]}\n", "3:24", "hash is given a value twice"},
        {HEAD "grid: {keys: random}\n", "3:14", "did you mean 'random64'? known: random64, "},
        {HEAD "grid: {keys: {}}\n", "3:14", "a key set needs one of"},
        {HEAD "grid: {keys: {lst: [a]}}\n", "3:15", "did you mean 'list'?"},
        {HEAD "grid: {keys: {list: [a], width: 1}}\n", "3:26", "'width' does not go with 'list'"},
        {HEAD "grid: {keys: {list: [a], hex: [\"00\"]}}\n", "3:26", "does not go with 'list'"},
        {HEAD "grid: {keys: {name: uuid4, width: 1}}\n", "3:28", "not go with the key set uuid4"},
        {HEAD "grid: {keys: {list: []}}\n", "3:21", "list is empty"},
        {HEAD "grid:\n  keys:\n    list:\n    - a\n    -\n", "7:6", "a key is empty"},
        {HEAD "grid: {keys: {list: [[a]]}}\n", "3:22", "a list inside its list"},
        {HEAD "grid: {keys: {hex: [\"00\", abc]}}\n", "3:27", "'abc' is not in hex"},
        {HEAD "grid: {keys: {hex: zz}}\n", "3:20", "'zz' is not in hex"},
        {HEAD "grid: {keys: {file: \"\"}}\n", "3:21", "file is empty"},
        {HEAD "grid: {keys: {file: a, binary: 1}}\n", "3:32", "binary is '1'; it must be true"},
        {HEAD "grid: {keys: {decimal: 5}}\n", "3:24", "must be a range of counters"},
        {HEAD "grid: {keys: {decimal: 9..5}}\n", "3:24", "decimal runs backwards"},
        {HEAD "grid: {keys: {decimal: 0..9 by 2}}\n", "3:24", "decimal is '9 by 2'"},
        {HEAD "grid: {keys: {decimal: 0..9, width: 65}}\n", "3:37", "width is 65"},
        {HEAD "grid: {keys: {little_endian: 0..256, bytes: 1}}\n", "3:30", "'bytes: 1'"},
        {HEAD "grid: {keys: {little_endian: 0..9, bytes: 9}}\n", "3:43", "bytes is 9"},
        {HEAD "grid: {keys: {strided64: 0}}\n", "3:26", "strided64 is 0; it must be between 1"},
        {HEAD "grid: {keys: {members: {list: [a]}}}\n", "3:15", "needs 'queries' beside it"},
        {HEAD "grid: {keys: {queries: {list: [a]}}}\n", "3:14", "a key set needs one of"},
        {HEAD "grid: {keys: {members: {list: a}, queries: url}}\n", "3:44", "must be finite"},
        {HEAD "grid: {keys: {members: [words], queries: words}}\n", "3:24", "but is a list"},
        {HEAD "grid: {keys: {members: {members: {list: a}, queries: {list: b}}, queries: words}}\n",
         "3:24", "must be finite"},
        {HEAD "grid: {keys: [{decimal: 0..9}, {decimal: \"0 .. 9\"}]}\n", "3:32", "value twice"},
        {HEAD "grid: {keys: [{list: [a, b]}, {hex: [\"61\", \"62\"]}]}\n", "3:31", "value twice"},
    };
    BAD_ROWS(rows);
}

Test(experiment_bad, axes_of_numbers)
{
    static const struct bad rows[] = {
        {GRID "  k: 0\n", "7:6", "k is 0; it must be between 1 and 256"},
        {GRID "  k: [1, 257]\n", "7:10", "k is 257; it must be between 1 and 256"},
        {GRID "  k: optimum\n", "7:6",
         "k is 'optimum'; it must be a whole number, 'optimal' or 'best'"},
        {GRID "  k: [optimal, 3, optimal]\n", "7:19", "k is given a value twice"},
        {GRID "  m: 0\n", "7:6", "m is 0; it must be between 1 and 281474976710656"},
        {GRID "  m: \"0..4\"\n", "7:6", "m is 0; it must be between 1"},
        {GRID "  m: -1\n", "7:6", "m is -1; it must be between 1"},
        {GRID "  m: 2^49\n", "7:6", "m is 2^49; it must be between 1"},
        {GRID "  m: 123456789012345678901234567890\n", "7:6", "it must be between 1 and"},
        {GRID "  m: .nan\n", "7:6", "m is '.nan'; it must be a whole number"},
        {GRID "  m: [8, inf]\n", "7:10", "m is 'inf'; it must be a whole number"},
        {GRID "  m: lots\n", "7:6", "m is 'lots'; it must be a whole number"},
        {GRID "  m: 2.5\n", "7:6", "m is 2.5; it must be a whole number"},
        {GRID "  m: \"16..1\"\n", "7:6", "m runs backwards in '16..1'"},
        {GRID "  m: 1..9 by 0\n", "7:6", "the step of m is 0"},
        {GRID "  m: 1..2^40\n", "7:6", "m comes to 1099511627776 values; at most 1000000"},
        {GRID "  m: [1..1000000, 2000000]\n", "7:19", "m comes to 1000001 values; at most 1000000"},
        {GRID "  m: []\n", "7:6", "m is empty"},
        {GRID "  m:\n", "7:5", "m is empty"},
        {GRID "  m: \"\"\n", "7:6", "m is empty"},
        {GRID "  m: [[8]]\n", "7:7", "a list inside its list"},
        {GRID "  m: {a: 1}\n", "7:6", "m must be one value, but is a mapping"},
        {GRID "  m: [1..4, 3..8]\n", "7:13", "m is given a value twice, the second time by '3..8'"},
        {GRID "  n: 3e14\n", "7:6", "n is 3e14; it must be between 0 and 281474976710656"},
        {GRID "  bits_per_key: 0\n", "7:17", "bits_per_key is 0; it must be between 1e-06 and"},
        {GRID "  bits_per_key: 24..4\n", "7:17", "bits_per_key runs backwards"},
        {GRID "  bits_per_key: [8, 8.0]\n", "7:21", "bits_per_key is given a value twice"},
        {GRID "  digest_bits: 7\n", "7:16", "digest_bits is 7; it must be between 8 and 64"},
        {GRID "  digest_bits: nativ\n", "7:16", "a whole number or 'native'"},
        {GRID "  reduction: modulo\n", "7:14", "unknown reduction 'modulo'; did you mean 'mod'?"},
        {GRID "  reduction: [mod, mask, mod]\n", "7:26", "reduction is given a value twice"},
        {GRID "  trials: many\n", "7:11", "trials is 'many'"},
        {GRID "  queries: {relative_error: 2}\n", "7:29", "relative_error is 2"},
        {GRID "  m: 8\n  n: 1\n  bits_per_key: 8\n", "9:3", "m, n and bits_per_key are all given"},
        {GOOD "  replica: 1..3\n", "3:1", "that needs 'independent: true'"},
        {GOOD "  replica: 0\nindependent: true\n", "10:12", "replica"},
        {GOOD "  fault: bits\n", "10:10", "fault 'bits' needs its share, as in {bits: 5%}"},
        {GOOD "  fault: [{bits: 0}]\n", "10:18", "bits"},
        {GOOD "  fault: [{bits: 200%}]\n", "10:18", "bits"},
        {GOOD "  fault: [{none: 1%}]\n", "10:12", "fault 'none' has no share"},
        {GOOD "  fault: [{bit: 1%}]\n", "10:12", "did you mean 'bits'?"},
        {GOOD "  fault: [{bits: [1%, 0.01]}]\n", "10:11", "fault is given a value twice"},
        {GOOD "  fault: [probes: 5%]\nworkload: deletion\n", "3:1", "membership only"},
        {GRID "  m: 8\n  k: 1\n", "4:3", "the grid has no 'n': give n, or m and bits_per_key"},
        {GRID "  bits_per_key: 8\n  k: 1\n", "4:3", "the grid has no 'n'"},
        {GRID "  n: 8\n  k: 1\n", "4:3", "the grid has no 'm', which classic needs"},
        {GRID "  m: 8\n  n: 1\n", "4:3", "the grid has no 'k', which classic needs"},
        {HEAD "grid:\n- {filter: classic}\n", "4:3", "the grid has no 'hash'"},
        {HEAD "grid: {filter: classic, hash: murmur2}\n", "3:7", "the grid has no 'keys'"},
        {GRID "  m: 1..1000000\n  n: 1..1000000\n  k: 1\n", "3:1",
         "the grid has 1000000000000 cells; at most 2000000 are planned"},
        {GRID "  m: 1..1000000\n  n: 1..1000000\n  k: 1..256\n  digest_bits: 8..64\n", "3:1",
         "the grid has 1.4592e+16 cells"},
        {HEAD "grid:\n- &a {filter: classic}\n- *a\n", "4:3", "the anchor '&a'"},
    };
    BAD_ROWS(rows);
}

Test(experiment_bad, cells_are_counted_over_all_grids)
{
    static const char grid[] =
        "- {filter: classic, hash: murmur2, keys: random64, m: 1..10000, n: 1..150, k: 1}\n";
    char text[512];
    snprintf(text, sizeof text, HEAD "grid:\n%s%s", grid, grid);
    bad_expect(text, strlen(text), "3:1",
               "the grid has 3000000 cells; at most 2000000 are planned");
}

Test(experiment_bad, files)
{
    size_t count = 0;
    DIR *folder = opendir("tests/data/bad");
    cr_assert(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[512], place[32], words[256];
        size_t bytes;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "tests/data/bad/%s", entry->d_name);
        char *text = experiment_text_load(path, &bytes);
        cr_assert_eq(sscanf(text, "# %31[0-9:] %255[^\n]", place, words), 2, "%s", path);
        place[strlen(place) - 1] = '\0'; /* the colon behind the column */
        bad_expect(text, bytes, place, words);
        free(text);
        count++;
    }
    closedir(folder);
    cr_expect_geq(count, 13);
}

Test(experiment_bad, streams_and_long_names)
{
    struct experiment *e;
    struct error err;
    FILE *stream = fopen("tests", "r");
    cr_assert(stream);
    cr_expect_eq(experiment_read(&e, stream, "tests", "", &err), E_INPUT);
    cr_expect_str_eq(err.text, "tests: cannot be read: Is a directory");
    cr_expect_eq(experiment_read(&e, stream, "tests", "", NULL), E_INPUT);
    fclose(stream);
    char name[600];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    stream = fopen("/dev/null", "r");
    cr_expect_eq(experiment_read(&e, stream, name, "", &err), E_INPUT);
    cr_expect(strstr(err.text, "nnn:1:1: the file is empty"));
    fclose(stream);
}
