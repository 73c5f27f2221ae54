/* SPDX-License-Identifier: MIT */
#include "harness/report/html.h"

#include <ctype.h>
#include <limits.h>
#include <openssl/evp.h>
#include <string.h>

static const char html_style[] =
    "*{box-sizing:border-box}\n"
    "body{font:16px/1.5 system-ui,-apple-system,\"Segoe UI\",\"DejaVu "
    "Sans\",sans-serif;color:#1a1a1a;"
    "background:#fff;max-width:1080px;margin:0 auto;padding:1rem}\n"
    "h1{font-size:1.6rem;margin:.2rem 0}h2{font-size:1.15rem;margin:2rem 0 .5rem;border-bottom:1px "
    "solid #ccc}\n"
    "a{color:#00558c}p{margin:.5rem 0}code,pre,.mono{font-family:ui-monospace,\"DejaVu Sans "
    "Mono\",monospace;"
    "font-size:.85em}\n"
    ".question{font-size:1.15rem}.answer{border-left:4px solid #0072b2;padding:.2rem "
    ".8rem;background:#f3f7fa}\n"
    "figure{margin:1rem 0}figure img{display:block;height:auto;margin:0 "
    "auto;width:100%;max-width:500px}"
    "figure img.wide{max-width:1000px;min-width:600px}\n"
    "figcaption,.note{font-size:.85rem;color:#444}\n"
    ".scroll{overflow-x:auto;max-width:100%}\n"
    "table{border-collapse:collapse;font-size:.8rem;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.15rem .5rem;border-bottom:1px solid #ddd;text-align:left;white-space:nowrap;"
    "vertical-align:top}\n"
    "td.number,th.number{text-align:right}td.wide{white-space:normal;min-width:16rem}\n"
    "pre{overflow-x:auto;background:#f6f6f6;padding:.6rem}\n"
    "dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.1rem "
    "1rem;font-size:.85rem;margin:0}\n"
    "dt{color:#444}dd{margin:0;overflow-wrap:anywhere}\n"
    ".FAIL{font-weight:bold;color:#a40000}.WARN{font-weight:bold;color:#8a5000}\n"
    ".runs{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,320px),1fr));gap:1."
    "2rem;"
    "padding:0;list-style:none}\n"
    ".runs li{border:1px solid #ccc;padding:.8rem}.runs h2{margin-top:0}.runs "
    "img{width:100%;height:auto}\n"
    "@media "
    "(max-width:500px){body{padding:.6rem}dl{grid-template-columns:1fr}dt{margin-top:.3rem}}\n"
    "@media print{body{max-width:none;font-size:10pt}a{color:inherit;text-decoration:none}"
    ".scroll{overflow:visible}figure "
    "img.wide{min-width:0}table{font-size:6pt}figure,tr{break-inside:avoid}}\n";

void html_text(struct text *page, const char *text)
{
    static const char special[] = "&<>\"'";
    static const char *const entity[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (; *text; text++) {
        const char *found = strchr(special, *text);
        if (found)
            text_printf(page, "%s", entity[found - special]);
        else if ((unsigned char)*text >= 0x20 || *text == '\n' || *text == '\t')
            text_add(page, text, 1);
    }
}

void html_element(struct text *page, const char *tag, const char *text)
{
    text_printf(page, "<%s>", tag);
    html_text(page, text);
    text_printf(page, "</%.*s>\n", (int)strcspn(tag, " "), tag);
}

void html_path(struct text *page, const char *path)
{
    for (; *path; path++)
        if (isalnum((unsigned char)*path) || strchr("-._~/", *path))
            text_add(page, path, 1);
        else
            text_printf(page, "%%%02X", (unsigned)(unsigned char)*path);
}

void html_data(struct text *page, const char *type, const struct text *bytes)
{
    enum { PIECE = 3 * 4096 };
    unsigned char coded[PIECE / 3 * 4 + 1];
    text_printf(page, "data:%s;base64,", type);
    for (size_t at = 0; at < bytes->size; at += PIECE) {
        size_t size = bytes->size - at < PIECE ? bytes->size - at : PIECE;
        int length = EVP_EncodeBlock(coded, (const unsigned char *)bytes->data + at, (int)size);
        text_add(page, (const char *)coded, (size_t)length);
    }
}

void html_open(struct text *page, const char *title)
{
    text_printf(page, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html_element(page, "title", title);
    text_printf(page, "<style>\n%s</style>\n</head>\n<body>\n", html_style);
}

void html_close(struct text *page)
{
    text_printf(page, "</body>\n</html>\n");
}
