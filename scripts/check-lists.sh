#!/bin/sh
# Every plug-in file of hashes/ and filters/ has its line in list.h, and every line its file. A file is
# a plug-in when it defines a const struct hash or struct filter_ops.
set -eu
bad=0
check() { # folder, macro, pattern of the definition
    for file in $(grep -lE "$3" "$1"/*.c); do
        for name in $(sed -nE "s/$3.*/\\1/p" "$file"); do
            grep -qxF "$2($name)" "$1/list.h" || { echo "$file: $2($name) is missing from $1/list.h"; bad=1; }
        done
    done
    for name in $(sed -nE "s/^$2\\(([a-z0-9_]+)\\)\$/\\1/p" "$1/list.h"); do
        grep -qE "^const struct [a-z_]+ (hash|filter)_$name = " "$1"/*.c || { echo "$1/list.h: no file defines $name"; bad=1; }
    done
}
check hashes HASH '^const struct hash hash_([a-z0-9_]+) = '
check filters FILTER '^const struct filter_ops filter_([a-z0-9_]+) = '
[ "$bad" -eq 0 ] && echo "lists: complete"
exit "$bad"
