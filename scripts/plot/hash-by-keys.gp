# hash-by-keys.gp: maps of hashes (rows) and key sets (columns). Set p - 1 of $DATA is map p: x, y,
# log10(measured / model) inside [-1, 1], number of the text in cell_text[], colour of that text.
# panel_title[], hash_name[hashes], keys_name[key_sets].
boxes = 1
box_cm[1] = 0.44 * hashes
left_cm = 2.9
between_cm = 0.35
right_cm = 1.35
names_cm = 1.35       # names of key sets, slanted
head_cm = names_cm + (strlen(panel_title[1]) ? 0.4 : 0)
foot_cm = 0.2

# The palette in grey: what is above the model gets dark, what is below only pale.
if (draw) {
    set palette defined (-1 '#56A4DC', -0.5 '#A9D0EE', 0 '#FFFFFF', 0.3 '#F6C9A4', 0.6 '#E07B2A', 1 '#7A2E00')
    set cbrange [-1:1]
    set style fill solid border lc rgb '#E4E4E4'
    set xrange [0.5:key_sets + 0.5]
    set x2range [0.5:key_sets + 0.5]
    set yrange [hashes + 0.5:0.5]
    unset xtics
    unset ytics
    set x2tics (keys_name[1] 1)
    set for [i = 1:key_sets] x2tics add (keys_name[i] i)
    set x2tics rotate by 40 left noenhanced font ',6' scale 0 offset 0,-0.2
    do for [p = 1:panels] {
        eval place(p, 1)
        if (strlen(panel_title[p])) { set label 20 panel_title[p] at screen 0.5 * (left(p) + right(p)), screen top(p, 1) + (names_cm + 0.1) / height_cm center }
        if (p == 1) { set ytics (hash_name[1] 1); set for [i = 1:hashes] ytics add (hash_name[i] i); set ytics noenhanced font ',6.5' scale 0 }
        if (p > 1) { set ytics (''  1) }
        if (p < panels) { unset colorbox } else { set colorbox user origin screen right(p) + 0.25 / width_cm, screen bottom(p, 1) size screen 0.28 / width_cm, screen top(p, 1) - bottom(p, 1); set cbtics ('≤1/10' -1, '1/3' -0.477, '1' 0, '3' 0.477, '≥10' 1) scale 0.3 font ',6' offset -0.6,0 }
        plot $DATA index p - 1 using 1:2:(0.5):(0.5):3 with boxxyerror fc palette, \
             '' index p - 1 using 1:2:(cell_text[int($4)]):5 with labels tc rgb variable font ',6' noenhanced
        unset label
    }
}
