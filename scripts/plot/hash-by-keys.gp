# hash-by-keys.gp: a map of hashes (rows) and key sets (columns). $DATA: x, y, log10(measured / model) inside
# [-1, 1], number of the text in cell_text[]. hash_name[hashes], keys_name[key_sets].
boxes = 1
box_cm[1] = 0.44 * hashes
left_cm = 3.6
right_cm = 1.5
head_cm = 1.2         # names of key sets, slanted
foot_cm = 0.2

if (draw) {
    eval place(1, 1)
    set xrange [0.5:key_sets + 0.5]
    set yrange [hashes + 0.5:0.5]
    set cbrange [-1:1]
    set palette defined (-1 '#0072B2', -0.5 '#8CC3E0', 0 '#FFFFFF', 0.5 '#F2B48C', 1 '#D55E00')
    set colorbox user origin screen right(1) + 0.3 / width_cm, screen bottom(1, 1) size screen 0.3 / width_cm, screen top(1, 1) - bottom(1, 1)
    set cbtics ('1/10' -1, '1' 0, '10' 1) scale 0 font ',6'
    set xtics () scale 0
    set ytics () scale 0
    unset xtics
    set for [i = 1:key_sets] x2tics add (keys_name[i] i)
    set x2range [0.5:key_sets + 0.5]
    set x2tics rotate by 25 left noenhanced font ',6.5' scale 0 offset 0,-0.2
    set for [i = 1:hashes] ytics add (hash_name[i] i)
    set ytics noenhanced font ',6.5'
    set style fill solid border lc rgb '#EEEEEE'
    plot $DATA using 1:2:(0.49):(0.47):3 with boxxyerror fc palette, \
         '' using 1:2:(cell_text[int($4)]) with labels font ',6' noenhanced
}
