# power.gp: share of the cells that find a planted fault, against its size in per cent.
#
# Panel 1 is a fault of the probes, 2 of the bits. For panel p set (p - 1) series + s - 1 of $DATA is
# series s: 1 share in per cent, 2 found, 3 lo, 4 hi, 5 failed. mde[s] in per cent; series_name[];
# share_lo, share_hi.

columns = 2
rows = 1
panels = 2
between_cm = 1.6
box_cm[1] = 5.4
legend_cm = legend_rows(series, 12) * 0.36 + 0.1
array panel_title[2] = ['share more hits than the filter has', 'share more keys than said']

if (draw) {
    do for [p = 1:2] {
        eval place(p, 1)
        set title panel_title[p] offset 0,-0.6
        set logscale x 10
        set xrange [share_lo / 1.15:share_hi * 1.15]
        set yrange [0:1.02]
        set xtics ('0.5' 0.5, '1' 1, '2' 2, '5' 5, '10' 10, '20' 20, '50' 50, '100' 100)
        set xlabel 'planted fault, %' offset 0,0.4
        if (p == 1) { set ylabel 'share of the cells' offset 0.5,0 } else { unset ylabel }
        set grid ytics lt 1 lc rgb faint lw 0.3 dt 1
        if (p == 1) {
            do for [s = 1:series] {
                if (mde[s] > share_lo / 1.15 && mde[s] < share_hi * 1.15) {
                    set arrow s from mde[s], graph 0 to mde[s], graph 1 nohead lt s lw 0.6 dt (2,3)
                }
            }
        }
        set arrow 99 from graph 0, first 0.8 to graph 1, first 0.8 nohead lc rgb theory_colour lw 0.5 dt (2,3)
        plot for [s = 1:series] $DATA index (p - 1) * series + s - 1 using 1:2:3:4 with yerrorbars lt s dt 1 lw 0.8, \
             for [s = 1:series] '' index (p - 1) * series + s - 1 using 1:2 with lines lt s dt 1 lw 0.8, \
             for [s = 1:series] '' index (p - 1) * series + s - 1 using 1:5 with lines lt s dt (6,4) lw 0.6
        unset arrow
        unset label
        unset title
    }
    eval legend_place(0)
    unset border
    unset tics
    unset grid
    unset xlabel
    unset logscale
    set xrange [0:1]
    set yrange [0:1]
    set key center center horizontal Left reverse maxcols legend_columns(12) samplen 2.2 spacing 1 width 1 font ',6.5'
    plot for [s = 1:series] NaN with linespoints lt s dt 1 lw 0.8 title series_name[s]
}
