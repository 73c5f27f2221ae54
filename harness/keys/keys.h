/* SPDX-License-Identifier: MIT
 *
 * keys.h: where keys come from.
 *
 * A key_spec says what a researcher wrote: `random64`, `{decimal: "0..9999", width: 0}`, `{list:
 * [..]}`, `{file: PATH}`, or members and queries apart. key_source_open turns it into a source that
 * can be read by many threads at once; key_stream adds the seed of one trial. Key i of a role costs
 * O(1) (expected), so that no set of keys is ever stored: members for n are the first n of a
 * stream, a prefix of those for a larger n, and no query is a member.
 *
 *   generated  every counter of 63 bits is a member, its twin in the other half a query. random64,
 *              uuid4 and url send it through a seeded bijection, letters one of 33 bits.
 *              sequential64, strided64, reversed64 and decimal without a range stay consecutive,
 *              from a start that the seed chooses for members and again for queries (a multiple of
 *              2^20, or of 10^6 for decimal: the low digits count from 0), so that trials are no
 *              replicas of one another.
 *   finite     words, file, list, little_endian, decimal with a range: duplicates dropped, the rest
 *              shuffled by the seed; members from its front, queries from its end backwards.
 *   explicit   two finite sets, each whole and in its own order, whatever the seed. Sampled: the
 *              members are the first n of a generated set, or of a finite one shuffled by the seed;
 *              the queries stay whole.
 */
#ifndef BLOOMLAB_KEYS_H
#define BLOOMLAB_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filters/theory/error.h"
#include "harness/keys/permutation.h"
#include "hashes/hash.h"

enum key_role { KEY_MEMBER, KEY_QUERY };

#define KEYS_UNLIMITED UINT64_MAX

enum key_kind {
    KEYS_RANDOM64,      /* 8 bytes, uniform over all 64-bit integers */
    KEYS_SEQUENTIAL64,  /* 8 bytes little-endian: consecutive counters */
    KEYS_STRIDED64,     /* 8 bytes: counters times a stride (default 4096), modulo 2^64 */
    KEYS_REVERSED64,    /* 8 bytes: counters with their 64 bits reversed */
    KEYS_DECIMAL,       /* decimal text: a range, or 18-digit counters; `width` pads with zeros */
    KEYS_UUID4,         /* 36 characters, random bits, version 4 */
    KEYS_URL,           /* distinct URL-like strings of varying length */
    KEYS_LETTERS,       /* words of 3 to 7 letters a-z, uniform over all there are */
    KEYS_WORDS,         /* the distribution's word list (package wamerican) */
    KEYS_WORD_FORMS,    /* 500,000 forms derived from it: word_forms.h */
    KEYS_FILE,          /* a key a line, or length-prefixed binary */
    KEYS_LIST,          /* keys written in the experiment, as text or in hex */
    KEYS_LITTLE_ENDIAN, /* counters in `bytes` bytes, little-endian */
    KEYS_EXPLICIT,      /* members and queries given apart, queried whole, in order */
};

/* What a researcher wrote. Every pointer in it is the spec's own, from malloc. */
struct key_spec {
    enum key_kind kind;
    char *path;  /* file; words, word_forms: NULL = the distribution's list */
    bool binary; /* file: records of a little-endian 32-bit length, then the bytes */
    bool has_range;
    uint64_t first, last;  /* decimal, little_endian: counters, both included, when has_range */
    unsigned width;        /* decimal: minimal digits, 0..64; little_endian: bytes, 1..8 */
    uint64_t stride;       /* strided64: >= 1 */
    unsigned char **items; /* list: see key_spec_add */
    size_t *item_bytes;
    size_t item_count;
    struct key_spec *members, *queries; /* explicit: neither explicit itself, queries finite */
    bool sampled; /* explicit: n members drawn anew in each trial; they may be generated */
};

struct key_kind_info {
    const char *name, *summary, *source;
    bool nameable; /* may stand as a bare name in an experiment */
};

const struct key_kind_info *key_kind_info(enum key_kind kind); /* NULL past the last */

bool key_kind_find(const char *name, enum key_kind *kind); /* of the nameable ones */

struct key_spec *key_spec_new(enum key_kind kind); /* with defaults; NULL: no memory */
void key_spec_free(struct key_spec *spec);         /* and all it holds; NULL is allowed */

/* Appends a copy of one key, which may be empty, to a list. False: no memory, spec unchanged. */
bool key_spec_add(struct key_spec *spec, const void *key, size_t length);

/* What the column `keys` says: the name and, in brackets, the parameters that differ from the
 * default: "random64", "strided64(stride=64)", "decimal(0..9999;width=5)", "file(PATH;binary)",
 * "list(3 keys)", "explicit(members=list(3 keys);queries=decimal(0..9999))", the same with
 * ";sampled" at its end. Cut short when size is too small; the contents of files and lists are told
 * apart by key_source_identity only. */
void key_spec_format(const struct key_spec *spec, char *text, size_t size);

/* ---- an opened source ---------------------------------------------------------------------- */

struct key_source;

/* Reads files and lists, drops duplicates and counts them. E_INPUT: a file that is not there,
 * empty, or broken; a member among the queries (both named). */
enum status key_source_open(struct key_source **out, const struct key_spec *spec,
                            struct error *err);
void key_source_free(struct key_source *source);

/* Text that is equal for equal contents: goes into a cell's canonical text. */
const char *key_source_identity(const struct key_source *source);

bool key_source_explicit(const struct key_source *source); /* members and queries given apart */
bool key_source_fixed(const struct key_source *source);    /* the same keys in every trial */

/* How many members there can be, and how many queries are left beside n members (explicit: all of
 * them, whatever n). KEYS_UNLIMITED for generated sets, but for letters (4176540940 of each) and
 * strides with a huge power of two: a stride of 2^t has 2^(63-t) members. */
uint64_t key_source_members(const struct key_source *source);
uint64_t key_source_queries(const struct key_source *source, uint64_t n);

uint64_t key_source_duplicates(const struct key_source *source);  /* dropped while reading */
uint64_t key_source_empty_lines(const struct key_source *source); /* of text, skipped: no keys */
size_t key_source_shortest(const struct key_source *source);      /* bytes of the shortest key */
size_t key_source_longest(const struct key_source *source);       /* bytes of the longest key */

/* A key for a sentence: in quotes, bytes outside printable ASCII as \xNN, cut after KEY_SHOWN
 * bytes. */
enum { KEY_SHOWN = 48, KEY_TEXT_SIZE = 4 * KEY_SHOWN + 8 };
void key_format(char text[KEY_TEXT_SIZE], const void *key, size_t length);

/* ---- the keys of one trial ----------------------------------------------------------------- */

struct key_stream {
    const struct key_source *source;
    uint64_t seed;                    /* as given */
    struct bijection64 number, noise; /* of generated sets */
    uint64_t start[2];                /* by role: the first counter of consecutive ones */
    struct shuffle shuffle;           /* of finite sets, and of all words of letters */
};

/* seed: the trial's; what the source says and holds is mixed in, so that sets differ. */
void key_stream_init(struct key_stream *stream, const struct key_source *source, uint64_t seed);

/* Room for what key_stream_fill writes: `count` keys, their offsets and some slack. */
size_t key_buffer_bytes(const struct key_source *source, size_t count);

/* Keys first .. first + count - 1 of a role, none beyond key_source_members or _queries, into the
 * caller's buffer (aligned to 8); *batch then points into it, or into the source's own memory.
 * Thread-safe. Queries of finite sets that are not explicit are taken from the end of the shuffled
 * set, so that they need not know n. */
void key_stream_fill(const struct key_stream *stream, enum key_role role, uint64_t first,
                     size_t count, struct key_batch *batch, void *buffer);

#endif
