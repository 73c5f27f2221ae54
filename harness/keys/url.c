/* SPDX-License-Identifier: MIT
 *
 * url.c: a mixed-radix number system whose digits are pieces of URLs.
 *
 * A piece is copied as TEXT_SLACK bytes whatever its length, and the next one begins where it ends:
 * no branch depends on the number but the loop over its pieces, which is always as long.
 */
#include "harness/keys/url.h"

#include <string.h>

enum {
    URL_PIECE_BYTES = TEXT_SLACK,
    URL_SECTIONS = 3,
    URL_FIRSTS = 8,
    URL_WORDS = 32,
    URL_ENDINGS = 8,
    URL_TOPICS = 32,
    URL_PAGES = 8,
    URL_NUMBER_DIGITS = 13, /* 64 bits less 3 + 5 + 5 + 3 + 2 + 3 are 43 */
};

struct url_piece {
    char text[URL_PIECE_BYTES];
    size_t length;
};

#define PIECE(text)                                                                                \
    {                                                                                              \
        text, sizeof(text) - 1                                                                     \
    }

static const struct url_piece url_first[URL_FIRSTS] = {
    PIECE("https://www."),  PIECE("http://www."),   PIECE("https://"),      PIECE("http://"),
    PIECE("https://shop."), PIECE("https://blog."), PIECE("https://docs."), PIECE("https://forum."),
};

/* The first word of a host, with what joins it to the second. */
static const struct url_piece url_left[URL_WORDS] = {
    PIECE("amber-"),  PIECE("bright-"),  PIECE("calm-"),   PIECE("copper-"),   PIECE("dry-"),
    PIECE("early-"),  PIECE("fair-"),    PIECE("golden-"), PIECE("green-"),    PIECE("high-"),
    PIECE("hollow-"), PIECE("iron-"),    PIECE("keen-"),   PIECE("late-"),     PIECE("little-"),
    PIECE("long-"),   PIECE("morning-"), PIECE("north-"),  PIECE("old-"),      PIECE("open-"),
    PIECE("paper-"),  PIECE("plain-"),   PIECE("quiet-"),  PIECE("red-"),      PIECE("round-"),
    PIECE("salt-"),   PIECE("second-"),  PIECE("silver-"), PIECE("southern-"), PIECE("tall-"),
    PIECE("warm-"),   PIECE("winter-"),
};

static const struct url_piece url_right[URL_WORDS] = {
    PIECE("anchor"),  PIECE("barn"),     PIECE("bell"),    PIECE("bridge"), PIECE("cellar"),
    PIECE("clock"),   PIECE("desk"),     PIECE("engine"),  PIECE("ferry"),  PIECE("field"),
    PIECE("forge"),   PIECE("garden"),   PIECE("harbour"), PIECE("house"),  PIECE("kettle"),
    PIECE("ladder"),  PIECE("lamp"),     PIECE("market"),  PIECE("mill"),   PIECE("notebook"),
    PIECE("orchard"), PIECE("press"),    PIECE("quarry"),  PIECE("river"),  PIECE("school"),
    PIECE("stone"),   PIECE("studio"),   PIECE("table"),   PIECE("tower"),  PIECE("valley"),
    PIECE("window"),  PIECE("workshop"),
};

static const struct url_piece url_ending[URL_ENDINGS] = {
    PIECE(".com/"), PIECE(".org/"), PIECE(".net/"),  PIECE(".de/"),
    PIECE(".fr/"),  PIECE(".io/"),  PIECE(".info/"), PIECE(".co.uk/"),
};

static const struct url_piece url_topic[URL_TOPICS] = {
    PIECE("about/"),     PIECE("archive/"), PIECE("art/"),       PIECE("books/"),
    PIECE("catalogue/"), PIECE("city/"),    PIECE("data/"),      PIECE("events/"),
    PIECE("films/"),     PIECE("food/"),    PIECE("gallery/"),   PIECE("guides/"),
    PIECE("health/"),    PIECE("history/"), PIECE("images/"),    PIECE("jobs/"),
    PIECE("letters/"),   PIECE("maps/"),    PIECE("music/"),     PIECE("nature/"),
    PIECE("news/"),      PIECE("people/"),  PIECE("products/"),  PIECE("projects/"),
    PIECE("recipes/"),   PIECE("reviews/"), PIECE("science/"),   PIECE("sport/"),
    PIECE("tools/"),     PIECE("travel/"),  PIECE("tutorials/"), PIECE("weather/"),
};

/* What stands before and behind the page's number. */
static const struct url_piece url_before[URL_PAGES] = {
    PIECE(""),      PIECE(""),           PIECE(""),     PIECE("entry-"),
    PIECE("page-"), PIECE("view?item="), PIECE("?id="), PIECE("index.php?page="),
};

static const struct url_piece url_behind[URL_PAGES] = {
    PIECE(""),  PIECE(".html"), PIECE("/"), PIECE(".html"),
    PIECE("/"), PIECE(""),      PIECE(""),  PIECE(""),
};

static size_t url_longest_of(const struct url_piece *pieces, size_t count)
{
    size_t longest = 0;
    for (size_t i = 0; i < count; i++)
        longest = pieces[i].length > longest ? pieces[i].length : longest;
    return longest;
}

size_t url_longest(void)
{
    return url_longest_of(url_first, URL_FIRSTS) + url_longest_of(url_left, URL_WORDS) +
           url_longest_of(url_right, URL_WORDS) + url_longest_of(url_ending, URL_ENDINGS) +
           URL_SECTIONS * url_longest_of(url_topic, URL_TOPICS) +
           url_longest_of(url_before, URL_PAGES) + URL_NUMBER_DIGITS +
           url_longest_of(url_behind, URL_PAGES);
}

static inline unsigned char *url_put(unsigned char *out, const struct url_piece *piece)
{
    memcpy(out, piece->text, URL_PIECE_BYTES);
    return out + piece->length;
}

/* The low digit of *number in a base that is a power of two. */
static inline unsigned url_take(uint64_t *number, unsigned base)
{
    unsigned digit = (unsigned)(*number & (base - 1));
    *number /= base;
    return digit;
}

size_t url_write(unsigned char *out, uint64_t number)
{
    static const struct url_piece nothing = PIECE("");
    unsigned char *at = out;
    at = url_put(at, &url_first[url_take(&number, URL_FIRSTS)]);
    at = url_put(at, &url_left[url_take(&number, URL_WORDS)]);
    at = url_put(at, &url_right[url_take(&number, URL_WORDS)]);
    at = url_put(at, &url_ending[url_take(&number, URL_ENDINGS)]);
    unsigned sections = url_take(&number, URL_SECTIONS + 1);
    unsigned page = url_take(&number, URL_PAGES);
    for (unsigned i = 0; i < URL_SECTIONS; i++)
        at = url_put(at, i < sections ? &url_topic[url_take(&number, URL_TOPICS)] : &nothing);
    at = url_put(at, &url_before[page]);
    at += text_decimal(at, number, 0);
    at = url_put(at, &url_behind[page]);
    return (size_t)(at - out);
}
