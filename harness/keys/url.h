/* SPDX-License-Identifier: MIT
 *
 * url.h: a 64-bit number spelled as a URL.
 *
 *     https://www.amber-kettle.org/archive/maps/index.php?page=204817263
 *
 * Bits of the number choose from small lists: scheme and first label, two words of the host, its
 * ending, how many sections (0 to 3) and which, how the page is written. What is left is the page's
 * number, in decimal. Different numbers give different URLs, because the choices can be read back:
 * no list has an entry twice, words are letters only, and the only digits are the page's.
 */
#ifndef BLOOMLAB_KEYS_URL_H
#define BLOOMLAB_KEYS_URL_H

#include <stddef.h>
#include <stdint.h>

#include "harness/keys/text.h"

size_t url_longest(void); /* bytes, without the slack */

/* Writes the URL, returns its length. out has room for url_longest() + TEXT_SLACK bytes. */
size_t url_write(unsigned char *out, uint64_t number);

#endif
