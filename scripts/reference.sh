#!/bin/sh
# Keeps tables and plots of the default sweep and of the claims in results/reference/, and writes each experiment's question,
# plot and answer into results/README.md. usage: reference.sh RESULTS
set -eu
results=${1:-results}
reference=results/reference

rm -rf "$reference"
for folder in "$results"/*/; do
    name=$(basename "$folder")
    [ "$name" = reference ] && continue
    [ -f "$folder/provenance.json" ] || continue
    mkdir -p "$reference/$name"
    for table in cells skipped claims readings; do
        if [ -f "$folder/$table.csv" ]; then cp "$folder/$table.csv" "$reference/$name/"; fi
    done
    cp "$folder/provenance.json" "$folder"/*.png "$reference/$name/"
    # Times are no two runs' alike.
    (cd "$folder" && LC_ALL=C sha256sum ./*.csv | sed 's|\./||' | grep -v ' timings\.csv$') > "$reference/$name/SHA256SUMS"
done

# The table between the two marks is the one the run wrote, its links turned to reference/.
table=$(mktemp)
trap 'rm -f "$table"' EXIT
sed -n '/<!-- experiments: /,/<!-- end of experiments -->/p' "$results/README.md" | grep '^|' |
    sed -E 's#\]\(claims/index\.html\)#](reference/claims/claims.csv)#g; s#\]\(([a-z0-9._-]+)/index\.html\)#](reference/\1/cells.csv)#g; s#\]\(([^)]*)\.svg\)#](reference/\1.png)#g' \
        > "$table"
awk -v table="$table" '
    /<!-- answers: end -->/ { skip = 0 }
    !skip { print }
    /<!-- answers: begin -->/ {
        while ((getline line < table) > 0) print line
        skip = 1
    }
' results/README.md > results/README.md.new
mv results/README.md.new results/README.md
du -sh "$reference"
