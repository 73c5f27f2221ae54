# lines.gp: panels of lines with points and bars, and one black line each.
#
# For panel p set (p - 1)(series + 1) + s - 1 of $DATA is series s: 1 x, 2 y, 3 and 4 the ends of its bar; the last
# set of a panel is the black line. panel_title[], panel_x[], panel_y[]: ranges, scales and tics. series_name[],
# legend_longest. A family's script sets x_label, y_label and black_name.

# Two variants of one filter stand beside the others: an eighth line.
set linetype 8 lc rgb '#8C510A' lw 1.1 pt 4 ps 0.45 dt (4,2)
set linetype cycle 8
box_cm[1] = 4.6
legend_cm = legend_rows(series + 1, legend_longest > strlen(black_name) ? legend_longest : strlen(black_name)) * 0.28 + 0.4
longest = legend_longest > strlen(black_name) ? legend_longest : strlen(black_name)
set_of(p, s) = (p - 1) * (series + 1) + s - 1
if (!exists('black_dash')) { black_dash = 1 }

if (draw) {
    do for [p = 1:panels] {
        eval place(p, 1)
        eval panel_x[p]
        eval panel_y[p]
        set title panel_title[p] offset 0,-0.6
        y_name = y_label
        if (column_of(p) == 0) { eval label_y(p, 1, 7) }
        if (last_in_column(p)) { set xlabel x_label offset 0,0.4 } else { unset xlabel }
        set grid ytics lt 1 lc rgb faint lw 0.3 dt 1
        plot $DATA index set_of(p, series + 1) using 1:2 with lines lc rgb theory_colour lw 1.2 dt black_dash, \
             for [s = 1:series] '' index set_of(p, s) using 1:2 with lines lc s lw 0.7, \
             for [s = 1:series] '' index set_of(p, s) using 1:3:(0):($4 - $3) with vectors nohead lc s dt 1 lw 0.8, \
             for [s = 1:series] '' index set_of(p, s) using 1:2 with points lt s
        unset title
        unset label
    }
    eval legend_place(0)
    unset border
    unset tics
    unset grid
    unset xlabel
    unset logscale
    set xrange [0:1]
    set yrange [0:1]
    set key center center horizontal Left reverse maxcols legend_columns(longest) samplen 2.4 spacing 1 width 1 font ',6.5'
    plot for [s = 1:series] NaN with linespoints lt s lw 0.8 title series_name[s], \
         NaN with lines lc rgb theory_colour lw 1.2 dt black_dash title black_name
}
