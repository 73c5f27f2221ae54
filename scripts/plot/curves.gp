# curves.gp: any number of boxes a panel, with points, bars, upper limits, lines and guides.
#
# For panel p, box b and series s (all from 1) set ((p - 1) boxes + b - 1)(series + extras) + s - 1 of $DATA
# is: 1 x, 2 y, 3 lo, 4 hi, 5 upper limit, 6 line, 7 guide, 8 x moved aside, 9 to 11 bounds. The
# extras follow: x, y of further lines, the same for all series.
#
# A family's script sets box_label[], box_cm[] and box_lines[]: statements drawn before a box, such as a
# line at 1. panel_title[], panel_x[], box_y[(p - 1) boxes + b]: ranges, scales and tics. series_name[],
# series_points[] ("0": the legend shows a line), legend_longest, x_label.

boxes = boxes_given
head_cm = strlen(panel_title[1]) ? 0.42 : 0.1
if (!exists('line_name')) { line_name = '' }
if (!exists('guide_name')) { guide_name = '' }
legend_entries = series + line_entries + (strlen(line_name) ? 1 : 0) + (strlen(guide_name) ? 1 : 0)
legend_cm = legend_rows(legend_entries, legend_longest) * 0.28 + 0.4
set_of(p, b, s) = ((p - 1) * boxes + b - 1) * (series + extras) + s - 1
bounds = |bound_name|

if (draw) {
    do for [p = 1:panels] {
        do for [b = 1:boxes] {
            eval place(p, b)
            eval panel_x[p]
            eval box_y[(p - 1) * boxes + b]
            if (b == 1) { set title panel_title[p] offset 0,-0.6 } else { unset title }
            if (b < boxes) { set format x ''; unset xlabel }
            if (b == boxes && last_in_column(p)) { set xlabel x_label offset 0,0.4 } else { unset xlabel }
            y_name = box_label[b]
            if (column_of(p) == 0) { eval label_y(p, b, 6.5) }
            set grid ytics lt 1 lc rgb faint lw 0.3 dt 1
            eval box_lines[b]
            plot for [s = 1:series] $DATA index set_of(p, b, s) using 1:7 with lines lc rgb '#777777' lw 0.5 dt 11, \
                 for [i = 1:bounds] for [s = 1:series] '' index set_of(p, b, s) using 1:(column(8 + i)) with lines lc s lw 0.6 dt bound_dash(i), \
                 for [e = 1:extras] '' index set_of(p, b, series + e) using 1:2 with lines lc rgb extra_rgb(e) lw 0.9 dt extra_dash(e), \
                 for [s = 1:series] '' index set_of(p, b, s) using 1:6 with lines lt s lw 0.9, \
                 for [s = 1:series] '' index set_of(p, b, s) using 8:3:(0):($4 - $3) with vectors nohead lc s dt 1 lw 0.8, \
                 for [s = 1:series] '' index set_of(p, b, s) using 8:2 with points lt s, \
                 for [s = 1:series] '' index set_of(p, b, s) using 8:5 with points lt s, \
                 for [s = 1:series] '' index set_of(p, b, s) using 8:5:(0):(-$5 * 0.6) with vectors head size screen 0.006,20,60 filled lc s dt 1 lw 0.8
            unset label
            unset arrow
        }
    }
    eval legend_place(0)
    unset border
    unset tics
    unset grid
    unset xlabel
    unset logscale
    unset title
    set xrange [0:1]
    set yrange [0:1]
    set key center center horizontal Left reverse maxcols legend_columns(legend_longest) samplen 2.6 spacing 1 width 1 font ',6.5'
    plot for [s = 1:series] NaN with linespoints lt s lw 0.9 ps (series_points[s] eq '1' ? 0.5 : 0) title series_name[s], \
         for [e = 1:extras] NaN with lines lc rgb extra_rgb(e) lw 0.9 dt extra_dash(e) title extra_name[e], \
         for [i = 1:bounds] NaN with lines lc rgb '#555555' lw 0.6 dt bound_dash(i) title bound_name[i], \
         NaN with lines lc rgb '#555555' lw 0.9 dt 1 title line_name, \
         NaN with lines lc rgb '#777777' lw 0.5 dt 11 title guide_name
}
