#!/bin/sh
# check-stats.sh RESULTS: what `make check-stats` found; fails when more than 3 of 10^5 sound cells are FAIL.
set -eu
results=$1

for run in calibration power; do
    printf '%s: ' "$run"
    sed -n '/class="answer"/,/<\/div>/s/<[^>]*>//gp' "$results/$run/index.html" |
        sed "s/&#39;/'/g" | grep .
done

awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) if ($i == "verdict") column = i; next }
    { cells++; failed += $column == "FAIL" }
    END {
        if (!cells) { print "calibration: no cells"; exit 1 }
        printf "calibration: %d FAIL of %d cells; at most 3 of 100000 may be\n", failed, cells
        exit failed * 100000 > 3 * cells && failed > 1
    }' "$results/calibration/cells.csv"
