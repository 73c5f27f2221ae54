/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "harness/plot/json.h"

static void expect_member(const char *json, const char *key, const char *expected)
{
    struct text value = {0};
    bool found = json_member(&value, json, key);
    cr_expect_eq(found, expected != NULL, "%s in %s", key, json);
    if (found && expected)
        cr_expect_str_eq(value.data ? value.data : "", expected, "%s in %s", key, json);
    text_release(&value);
}

Test(plot_json, members_of_every_kind)
{
    static const char json[] =
        " { \"a\" : \"x\\\"y\\\\z\\n\" , \"b\":[1, {\"a\":2}, \"]\"],\"c\":{\"d\":\"}\"},"
        "\"e\": -1.5e3 ,\"f\":\"\\u00e9\\ud83d\\ude00\\u0041\",\"g\":true}";
    expect_member(json, "a", "x\"y\\z\n");
    expect_member(json, "b", "[1, {\"a\":2}, \"]\"]");
    expect_member(json, "c", "{\"d\":\"}\"}");
    expect_member(json, "e", "-1.5e3");
    expect_member(json, "f",
                  "\xc3\xa9\xf0\x9f\x98\x80"
                  "A");
    expect_member(json, "g", "true");
    expect_member(json, "d", NULL);
}

Test(plot_json, what_is_broken_is_not_found)
{
    static const char *const broken[] = {"",
                                         "[]",
                                         "{",
                                         "{\"a\"",
                                         "{\"a\":",
                                         "{\"a\":\"x",
                                         "{\"a\":\"\\u12\"}",
                                         "{\"a\" 1}",
                                         "{\"b\":[1, \"a\":2",
                                         "{a:1}"};
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++)
        if (i != 4)
            expect_member(broken[i], "a", NULL);
    expect_member("{\"a\":\"\\ud800x\"}", "a", "\xef\xbf\xbdx");
    expect_member("{\"a\":\"\\u0000\"}", "a", "\xef\xbf\xbd");
}
