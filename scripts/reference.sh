#!/bin/sh
# Keeps tables and plots of the default sweep in results/reference/, and writes each experiment's question,
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
    cp "$folder/cells.csv" "$folder/skipped.csv" "$folder/provenance.json" "$reference/$name/"
    cp "$folder"/*.png "$reference/$name/"
    (cd "$folder" && LC_ALL=C sha256sum ./*.csv | sed 's|\./||') > "$reference/$name/SHA256SUMS"
done

# The block between the two marks is generated: answers.md, its plots found in reference/.
awk -v answers="$results/answers.md" '
    /<!-- answers: begin -->/ {
        print
        while ((getline line < answers) > 0) { gsub(/\]\(/, "](reference/", line); print line }
        skip = 1
    }
    /<!-- answers: end -->/ { skip = 0 }
    !skip && !/<!-- answers: begin -->/ { print }
' results/README.md > results/README.md.new
mv results/README.md.new results/README.md
du -sh "$reference"
