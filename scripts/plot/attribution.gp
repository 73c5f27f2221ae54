# attribution.gp: waterfalls from the standard formula to the measured rate.
#
# Set t - 1 of $DATA is term t: 1 x, 2 ratio to the standard formula before the step, 3 after it, 4 lo and
# 5 hi of its interval. cell_name[cells], term_name[4]; ratio_lo, ratio_hi; name_longest.

columns = 1
rows = 1
panels = 1
box_cm[1] = 6
slanted = name_longest * cells > 110
foot_cm = slanted ? 0.5 + 0.055 * name_longest : 0.7
left_cm = slanted ? 1.9 : 1.6
legend_cm = 0.45

if (draw) {
    eval place(1, 1)
    set xrange [0.4:cells + 0.6]
    set yrange [ratio_lo:ratio_hi]
    set logscale y
    set format y '%g'
    decades = log10(ratio_hi / ratio_lo)
    if (decades < 0.3) {
        unset logscale y
    } else {
        if (decades < 2) { set ytics (0.02, 0.05, 0.1, 0.2, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 20, 30, 50, 100) }
    }
    unset xtics
    do for [i = 1:cells] {
        if (slanted) {
            set label 100 + i cell_name[i] at first i, graph 0 right rotate by 30 font ',6' offset 0.3,-0.7
        } else {
            set label 100 + i cell_name[i] at first i, graph 0 center font ',6.5' offset 0,-0.8
        }
    }
    set ylabel 'rate / standard formula' offset 0.5,0
    set grid ytics lt 1 lc rgb faint lw 0.3 dt 1
    set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb theory_colour lw 0.8 back
    set style fill solid noborder
    plot for [t = 1:4] $DATA index t - 1 using 1:(($2 + $3) / 2):($1 - 0.09):($1 + 0.09):2:3 with boxxyerror lc t, \
         for [t = 1:3] '' index t - 1 using ($1 - 0.09):3:(0.38):(0) with vectors nohead lc rgb '#555555' lw 0.5 dt 1, \
         for [t = 1:4] '' index t - 1 using 1:4:(0):($5 - $4) with vectors heads size screen 0.004,90 lc rgb theory_colour lw 0.8 dt 1
    unset arrow 1
    unset label
    eval legend_place(0)
    unset logscale
    unset border
    unset tics
    unset grid
    unset ylabel
    set xrange [0:1]
    set yrange [0:1]
    set key center center horizontal Left reverse samplen 1.5 spacing 1 width 1 font ',6.5'
    plot for [t = 1:4] NaN with boxes lc t title term_name[t]
}
