# bit-count-estimate.gp: the share of filters whose bit count is the better estimate, against fill and k.
#
# Set (p - 1) series + s - 1 of $DATA is series s of panel p (1: against the fill, 2: against k):
# 1 x, 2 share, 3 lo, 4 hi. series_name[]; k_most, share_bottom.

columns = 2
rows = 1
panels = 2
between_cm = 1.0
box_cm[1] = 6
legend_cm = legend_rows(series, 8) * 0.36 + 0.1

if (draw) {
    do for [p = 1:2] {
        eval place(p, 1)
        set yrange [share_bottom:1.02]
        set format y '%g'
        if (p == 1) { set xrange [0:1.02]; set xtics 0.2; set xlabel 'fill, X / m' offset 0,0.4 }
        if (p == 2) { set xrange [0.4:k_most + 0.6]; set xtics 1, k_most > 20 ? 5 : 2; set xlabel 'probes per key k' offset 0,0.4 }
        if (p == 1) { set ylabel 'share in which the bit count is closer' offset 0.5,0 } else { unset ylabel }
        set grid ytics lt 1 lc rgb faint lw 0.3 dt 1
        set arrow 99 from graph 0, first 0.5 to graph 1, first 0.5 nohead lc rgb theory_colour lw 0.6 dt (2,3)
        plot for [s = 1:series] $DATA index (p - 1) * series + s - 1 using 1:3:(0):($4 - $3) with vectors nohead lc s dt 1 lw 0.5, \
             for [s = 1:series] '' index (p - 1) * series + s - 1 using 1:2 with linespoints lt s dt 1 lw 0.8
        unset arrow
        unset label
    }
    eval legend_place(0)
    unset border
    unset tics
    unset grid
    unset xlabel
    set xrange [0:1]
    set yrange [0:1]
    set key center center horizontal Left reverse maxcols legend_columns(8) samplen 2.2 spacing 1 width 1 font ',6.5'
    plot for [s = 1:series] NaN with linespoints lt s dt 1 lw 0.8 title series_name[s]
}
