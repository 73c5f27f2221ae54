# claims.gp: claimed against found, a row a claim.
#
# Sets 0 to 4 of $DATA are points of each verdict: 1 place on the axis, 2 row, 3 and 4 its bar. Sets 5 to
# 9 are the rows of each verdict: 2 row. near, far: the least and greatest place; claim_rows, row_claim[], row_found[], verdict_name[].

left_cm = 6.2
right_cm = 6.6
head_cm = 0.15
foot_cm = 1.0
legend_cm = 0.5
box_cm[1] = claim_rows * 0.33 + 0.2
verdict_rgb(v) = word('#0072B2 #009E73 #E69F00 #D55E00 #777777', v)
verdict_point(v) = int(word('7 5 9 13 2', v))
verdict_size(v) = 0.01 * int(word('45 42 55 62 45', v))
# A deviation of d stands at sgn(d) log10(1 + |d| / 0.0001).
place_of(d) = (d < 0 ? -1 : 1) * log10(1 + abs(d) / 0.0001)

if (draw) {
    eval place(1, 1)
    set xrange [(near < -2.2 ? -4.3 : -2.3):(far > 4.1 ? 5.6 : far > 2.2 ? 4.3 : 2.3)]
    set yrange [0.4:claim_rows + 0.6]
    unset ytics
    set xtics ('' 0) font ',5.5' offset 0,0.35
    do for [d in '-1 -0.1 -0.01 -0.001 0 0.001 0.01 0.1 1 10'] {
        set xtics add (sprintf('%s%g', d + 0 < 0 ? '−' : '', abs(100 * d)) place_of(d + 0))
    }
    set xlabel 'found / claimed − 1, in %' offset 0,0.7
    set grid xtics lt 1 lc rgb faint lw 0.3 dt 1
    set arrow 1 from first 0, graph 0 to first 0, graph 1 nohead lc rgb theory_colour lw 0.6 back
    do for [i = 1:claim_rows] {
        set label 100 + i row_claim[i] noenhanced at graph 0, first claim_rows + 1 - i right offset -2.9,0 font ',5.5'
        set label 300 + i row_found[i] noenhanced at graph 1, first claim_rows + 1 - i left offset 0.7,0 font ',5.5'
    }
    set border 1 lw 0.7
    plot for [v = 1:5] $DATA index v - 1 using 3:2:($4 - $3):(0) with vectors nohead lc rgb verdict_rgb(v) dt 1 lw 1.0, \
         for [v = 1:5] $DATA index v - 1 using 1:2 with points pt verdict_point(v) ps verdict_size(v) lc rgb verdict_rgb(v)
    unset label
    unset arrow
    set lmargin at screen left(1) - 0.4 / width_cm
    set rmargin at screen left(1) - 0.1 / width_cm
    set xrange [-1:1]
    unset border
    unset xtics
    unset xlabel
    unset grid
    plot for [v = 1:5] $DATA index 4 + v using 1:2 with points pt verdict_point(v) ps verdict_size(v) lc rgb verdict_rgb(v)
    eval legend_place(0)
    set xrange [0:1]
    set yrange [0:1]
    set key center center horizontal Left reverse maxcols 5 samplen 1 spacing 1 width 1 font ',6.5'
    plot for [v = 1:5] NaN with points pt verdict_point(v) ps verdict_size(v) lc rgb verdict_rgb(v) title verdict_name[v]
}
