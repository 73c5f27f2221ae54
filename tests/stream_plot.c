/* SPDX-License-Identifier: MIT
 *
 * The family click-stream, drawn from a small made-up run.
 */
#include <criterion/criterion.h>

#include "tests/plot_support.h"

TestSuite(stream_plot, .timeout = 120);

static void add_ids(struct made_run *run, double m, double k, unsigned digest_bits, double n,
                    double rate)
{
    made_add(run, (struct made_cell){.filter = "classic",
                                     .hash = digest_bits == 64 ? "xxh3_64" : "murmur2",
                                     .digest_bits = digest_bits,
                                     .m = m,
                                     .n = n,
                                     .k = k,
                                     .queries = 1000,
                                     .hits = 10000 * rate});
    for (int trial = 0; trial < 10; trial++)
        made_measure(run, "lost_keys", n * rate / 2 + trial - 4.5);
    made_estimate(run, "lost_share", rate / 2);
    made_estimate(run, "lost_share_end", rate);
}

Test(stream_plot, shares_lost)
{
    struct made_run run;
    made_open(&run);
    for (double n = 1000; n <= 4000; n += 1000) {
        add_ids(&run, 16384, 1, 14, n, n / 16384);
        add_ids(&run, 38340, 7, 64, n, n * n / 1.6e9);
    }
    struct text svg = made_drawn(&run, "click-stream"), answer = made_answer(&run, "click-stream");
    cr_expect(xml_balanced(svg.data));
    cr_expect_eq(occurrences(svg.data, "<title>7 digests of 64 bits<"), 1);
    expect_part(&answer, "Lost of the next new id and of all so far, at the end: a bare map of "
                         "2^14 bits 24.4 % and 12.2 % (theory 24.4 and 12.2); 7 digests of 64 "
                         "bits 1 % and 0.5 % (theory 1 and 0.5).");
    text_release(&svg);
    text_release(&answer);
    made_remove(&run);
}
