/* SPDX-License-Identifier: MIT
 *
 * keys_url.c: numbers spelled as URLs: none is spelled like another.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "harness/keys/text.h"
#include "harness/keys/url.h"
#include "hashes/mix.h"

/* Numbers that differ in one bit, the ends of the range among them. */
Test(keys, urls_tell_close_numbers_apart)
{
    unsigned char a[256], b[256];
    cr_assert_leq(url_longest() + TEXT_SLACK, sizeof a);
    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t number = i == 0 ? 0 : i == 1 ? UINT64_MAX : mix64(i);
        size_t length = url_write(a, number);
        cr_assert_leq(length, url_longest());
        for (unsigned bit = 0; bit < 64; bit++) {
            size_t other = url_write(b, number ^ UINT64_C(1) << bit);
            cr_assert(length != other || memcmp(a, b, length), "%.*s", (int)length, a);
        }
    }
}

/* Any two values of one choice, all else equal: three bits for the first piece, then the words, and
 * so on as in url_write; where there are fewer sections the bits belong to the page's number. */
Test(keys, urls_tell_all_values_of_a_choice_apart)
{
    static const unsigned bits[] = {3, 5, 5, 3, 2, 3, 5, 5, 5};
    unsigned char urls[32][256];
    size_t length[32];
    unsigned shift = 0;
    for (unsigned choice = 0; choice < sizeof bits / sizeof *bits; shift += bits[choice++])
        for (uint64_t i = 0; i < 200; i++) {
            uint64_t values = UINT64_C(1) << bits[choice];
            uint64_t rest = mix64(i) & ~((values - 1) << shift);
            for (uint64_t a = 0; a < values; a++) {
                length[a] = url_write(urls[a], rest | a << shift);
                for (uint64_t b = 0; b < a; b++)
                    cr_assert(length[a] != length[b] || memcmp(urls[a], urls[b], length[a]),
                              "choice %u: %.*s", choice, (int)length[a], urls[a]);
            }
        }
}
