/* SPDX-License-Identifier: MIT
 *
 * node.c: libyaml events become a tree.
 *
 * Events are pulled one by one and every bound is checked before the next is asked for, so that no
 * document costs more than its bounds allow. The recursion is as deep as NODE_DEPTH_MAX.
 */
#include "harness/experiment/node.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "harness/experiment/values.h"

struct node_reader {
    yaml_parser_t parser;
    const char *name;
    const char *text, *end; /* without a byte order mark */
    size_t nodes;
    struct error *err;
};

enum status node_fail(struct error *err, const char *name, unsigned line, unsigned column,
                      const char *format, ...)
{
    char sentence[sizeof err->text];
    size_t length = strlen(name), most = 160;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    bool cut = length > most;
    return fail(err, E_INPUT, "%s%s:%u:%u: %s", cut ? "..." : "", cut ? name + length - most : name,
                line, column, sentence);
}

#define NODE_FAIL_AT(reader, mark, ...)                                                            \
    node_fail((reader)->err, (reader)->name, (unsigned)(mark).line + 1,                            \
              (unsigned)(mark).column + 1, __VA_ARGS__)

/* ---- what libyaml refuses ------------------------------------------------------------------ */

static bool node_continues(const char *byte)
{
    return ((unsigned char)*byte & 0xc0) == 0x80;
}

/* Line and column of a byte, for the two cases in which libyaml has no mark or a useless one. */
static yaml_mark_t node_place(const struct node_reader *reader, const char *byte)
{
    yaml_mark_t mark = {0};
    for (const char *at = reader->text; at < byte && at < reader->end; at++) {
        if (*at == '\n')
            mark.line++, mark.column = 0;
        else
            mark.column += !node_continues(at);
    }
    return mark;
}

/* libyaml tells the byte at which the text is no UTF-8 or no printable character. */
static enum status node_fail_character(struct node_reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    yaml_mark_t mark = node_place(reader, reader->text + parser->problem_offset);
    if (strstr(parser->problem, "control"))
        return NODE_FAIL_AT(reader, mark,
                            "a control character (0x%02x) stands here; an experiment "
                            "is text",
                            (unsigned)parser->problem_value);
    return NODE_FAIL_AT(reader, mark, "this is not UTF-8: %s", parser->problem);
}

/* The byte at a mark. */
static const char *node_at(const struct node_reader *reader, yaml_mark_t mark)
{
    const char *byte = reader->text;
    for (size_t i = 0; i < mark.index && byte < reader->end; i++)
        do
            byte++;
        while (byte < reader->end && node_continues(byte));
    return byte;
}

/* The text ended too early: what was left open tells more than the end, which libyaml moreover puts
 * on a line of its own. */
static enum status node_fail_end(struct node_reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    const char *open = parser->context ? node_at(reader, parser->context_mark) : reader->end;
    if (open < reader->end)
        return NODE_FAIL_AT(reader, parser->context_mark,
                            "this is not YAML: %s %s that begins here", parser->problem,
                            parser->context);
    return NODE_FAIL_AT(reader, node_place(reader, reader->end),
                        "this is not YAML: the file ends where more is expected");
}

static enum status node_fail_syntax(struct node_reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    yaml_mark_t mark = parser->problem_mark;
    const char *bad = node_at(reader, mark);
    if (bad == reader->end)
        return node_fail_end(reader);
    bool start = strstr(parser->problem, "cannot start any token") != NULL;
    if (start && *bad == '\t')
        return NODE_FAIL_AT(reader, mark, "a tab indents here; YAML is indented with spaces");
    if (start)
        return NODE_FAIL_AT(reader, mark, "a value cannot start with '%c'; put it in quotes", *bad);
    if (!parser->context)
        return NODE_FAIL_AT(reader, mark, "this is not YAML: %s", parser->problem);
    return NODE_FAIL_AT(reader, mark, "this is not YAML: %s %s that began at %zu:%zu",
                        parser->problem, parser->context, parser->context_mark.line + 1,
                        parser->context_mark.column + 1);
}

static enum status node_event(struct node_reader *reader, yaml_event_t *event)
{
    if (yaml_parser_parse(&reader->parser, event))
        return OK;
    memset(event, 0, sizeof *event);
    switch (reader->parser.error) {
    case YAML_MEMORY_ERROR:
        return fail(reader->err, E_RUN, "no memory to read %s", reader->name);
    case YAML_READER_ERROR:
        return node_fail_character(reader);
    default:
        return node_fail_syntax(reader);
    }
}

/* ---- the tree ------------------------------------------------------------------------------ */

void node_free(struct node *node)
{
    while (node) {
        struct node *next = node->next;
        node_free(node->child);
        node_free(node->value);
        free(node->text);
        free(node);
        node = next;
    }
}

const struct node *node_find(const struct node *mapping, const char *key)
{
    for (const struct node *k = mapping->child; k; k = k->next)
        if (strcmp(k->text, key) == 0)
            return k;
    return NULL;
}

/* Anchors, aliases and tags. */
static enum status node_check_properties(struct node_reader *reader, const yaml_event_t *event)
{
    const yaml_char_t *anchor = NULL, *tag = NULL;
    char shown[VALUE_SHOW_SIZE];
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return NODE_FAIL_AT(reader, event->start_mark,
                            "the alias '*%s' is not read here; write the value out",
                            value_show(shown, (const char *)event->data.alias.anchor));
    case YAML_SCALAR_EVENT:
        anchor = event->data.scalar.anchor, tag = event->data.scalar.tag;
        break;
    case YAML_SEQUENCE_START_EVENT:
        anchor = event->data.sequence_start.anchor, tag = event->data.sequence_start.tag;
        break;
    case YAML_MAPPING_START_EVENT:
        anchor = event->data.mapping_start.anchor, tag = event->data.mapping_start.tag;
        break;
    default:
        break;
    }
    if (anchor)
        return NODE_FAIL_AT(reader, event->start_mark,
                            "the anchor '&%s' is not read here; write values out",
                            value_show(shown, (const char *)anchor));
    if (tag)
        return NODE_FAIL_AT(reader, event->start_mark,
                            "the tag '%s' is not read here; leave it out",
                            value_show(shown, (const char *)tag));
    return OK;
}

/* A node of the event's kind and place, without its children. */
static enum status node_new(struct node **out, struct node_reader *reader,
                            const yaml_event_t *event, unsigned depth)
{
    enum status status = node_check_properties(reader, event);
    if (status)
        return status;
    bool scalar = event->type == YAML_SCALAR_EVENT;
    if (!scalar && depth > NODE_DEPTH_MAX)
        return NODE_FAIL_AT(reader, event->start_mark,
                            "lists and mappings are nested more than %d deep", NODE_DEPTH_MAX);
    if (++reader->nodes > NODE_COUNT_MAX)
        return NODE_FAIL_AT(reader, event->start_mark, "the file has more than %d values",
                            NODE_COUNT_MAX);
    const char *text = scalar ? (const char *)event->data.scalar.value : "";
    size_t bytes = scalar ? event->data.scalar.length : 0;
    if (memchr(text, '\0', bytes))
        return NODE_FAIL_AT(reader, event->start_mark,
                            "this text holds a NUL character; keys with one are written in hex");
    struct node *node = *out = calloc(1, sizeof *node);
    if (!node || (scalar && !(node->text = calloc(bytes + 1, 1))))
        return fail(reader->err, E_RUN, "no memory to read %s", reader->name);
    if (scalar)
        memcpy(node->text, text, bytes);
    node->kind = scalar                                     ? NODE_SCALAR
                 : event->type == YAML_SEQUENCE_START_EVENT ? NODE_LIST
                                                            : NODE_MAPPING;
    node->plain = scalar && event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    node->line = (unsigned)event->start_mark.line + 1;
    node->column = (unsigned)event->start_mark.column + 1;
    return OK;
}

static enum status node_check_key(struct node_reader *reader, const struct node *mapping,
                                  const struct node *key)
{
    char shown[VALUE_SHOW_SIZE];
    const struct node *first = node_find(mapping, key->text);
    value_show(shown, key->text);
    if (strcmp(key->text, "<<") == 0)
        return node_fail(reader->err, reader->name, key->line, key->column,
                         "the merge key '<<' is not read here; write the keys out");
    if (first != key)
        return node_fail(reader->err, reader->name, key->line, key->column,
                         "the key '%s' is given twice; the first is in line %u", shown,
                         first->line);
    if (mapping->count > NODE_MAPPING_KEYS_MAX)
        return node_fail(reader->err, reader->name, key->line, key->column,
                         "this mapping has more than %d keys", NODE_MAPPING_KEYS_MAX);
    return OK;
}

static enum status node_build(struct node **out, struct node_reader *reader,
                              const yaml_event_t *event, unsigned depth);

/* The items of a list or the keys and values of a mapping, until its end. */
static enum status node_build_children(struct node *parent, struct node_reader *reader,
                                       unsigned depth)
{
    bool mapping = parent->kind == NODE_MAPPING;
    struct node **slot = &parent->child, *key = NULL;
    for (;;) {
        yaml_event_t event;
        enum status status = node_event(reader, &event);
        bool end = event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT;
        bool is_key = mapping && !key;
        if (!status && !end && is_key && event.type != YAML_SCALAR_EVENT &&
            event.type != YAML_ALIAS_EVENT)
            status = NODE_FAIL_AT(reader, event.start_mark, "a key must be a plain name");
        if (!status && !end)
            status = node_build(mapping && key ? &key->value : slot, reader, &event, depth + 1);
        yaml_event_delete(&event);
        if (status || end)
            return status;
        if (mapping && key) {
            key = NULL;
            continue;
        }
        parent->count++;
        if (mapping && (status = node_check_key(reader, parent, key = *slot)))
            return status;
        slot = &(*slot)->next;
    }
}

static enum status node_build(struct node **out, struct node_reader *reader,
                              const yaml_event_t *event, unsigned depth)
{
    enum status status = node_new(out, reader, event, depth);
    if (status || (*out)->kind == NODE_SCALAR)
        return status;
    return node_build_children(*out, reader, depth);
}

/* Stream start, document start, the root, document end, stream end. */
static enum status node_document(struct node **root, struct node_reader *reader)
{
    enum status status = OK;
    for (bool done = false; !status && !done;) {
        yaml_event_t event;
        if ((status = node_event(reader, &event)))
            return status;
        switch (event.type) {
        case YAML_STREAM_END_EVENT:
            done = true;
            break;
        case YAML_STREAM_START_EVENT:
        case YAML_DOCUMENT_END_EVENT:
            break;
        case YAML_DOCUMENT_START_EVENT:
            if (*root)
                status = NODE_FAIL_AT(reader, event.start_mark,
                                      "a second document starts here; a file holds one experiment");
            break;
        default:
            status = node_build(root, reader, &event, 0);
            break;
        }
        yaml_event_delete(&event);
    }
    bool nothing =
        !*root || ((*root)->plain && !*(*root)->text); /* "---" alone is an empty scalar */
    if (!status && nothing)
        status = node_fail(reader->err, reader->name, 1, 1, "the file is empty");
    return status;
}

enum status node_read(struct node **root, const char *text, size_t bytes, const char *name,
                      struct error *err)
{
    *root = NULL;
    size_t mark = bytes >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
    struct node_reader reader = {
        .name = name, .text = text + mark, .end = text + bytes, .err = err};
    if (bytes > NODE_FILE_BYTES_MAX)
        return node_fail(err, name, 1, 1, "the file has more than %u bytes", NODE_FILE_BYTES_MAX);
    if (!yaml_parser_initialize(&reader.parser))
        return fail(err, E_RUN, "no memory to read %s", name);
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)reader.text, bytes - mark);
    enum status status = node_document(root, &reader);
    yaml_parser_delete(&reader.parser);
    if (status) {
        node_free(*root);
        *root = NULL;
    }
    return status;
}
