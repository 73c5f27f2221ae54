# hash-matrix.gp: verdicts of hashes (rows) on key sets (columns), in each square a tile for every probing
# and reduction. Sets 0 to 3 of $DATA: x, y of the tiles that are PASS, WEAK, WARN, FAIL. hash_name[hashes],
# keys_name[key_sets]; tile_width, tile_height: half of a tile's.

columns = 1
rows = 1
panels = 1
box_cm[1] = 0.62 * hashes
left_cm = 2.9
right_cm = 2.0
head_cm = 2.5         # names of key sets, slanted
foot_cm = 0.2
legend_cm = 0.45
array verdict_name[4] = ['PASS', 'WEAK', 'WARN', 'FAIL']
array verdict_colour[4] = ['#D3E5F0', '#F4F4F4', '#E69F00', '#B03A00']

if (draw) {
    eval place(1, 1)
    set xrange [0.5:key_sets + 0.5]
    set yrange [hashes + 0.5:0.5]
    set x2range [0.5:key_sets + 0.5]
    set x2tics () scale 0
    set ytics () scale 0
    unset xtics
    set for [i = 1:key_sets] x2tics add (keys_name[i] i)
    set x2tics rotate by 40 left noenhanced font ',6.5' scale 0 offset 0,-0.2
    set for [i = 1:hashes] ytics add (hash_name[i] i)
    set ytics noenhanced font ',6.5'
    set style fill solid noborder
    plot for [v = 1:4] $DATA index v - 1 using 1:2:(tile_width * 0.94):(tile_height * 0.94) with boxxyerror fc rgb verdict_colour[v]
    unset label
    eval legend_place(0)
    unset border
    unset x2tics
    unset ytics
    set xrange [0:1]
    set yrange [0:1]
    set style fill solid border lc rgb '#888888'
    set key center center horizontal Left reverse samplen 1.5 spacing 1 width 1 font ',6.5'
    plot for [v = 1:4] NaN with boxes fc rgb verdict_colour[v] title verdict_name[v]
}
