# rate.gp: false-positive rate, and below it the ratio to the exact theory of the classic filter.
#
# For panel p (from 1) set (p - 1)(1 + series + extras) of $DATA is theory: x, standard, exact. One more for
# each series: 1 x, 2 rate, 3 lo, 4 hi, 5 upper limit where nothing was hit, 6 ratio, 7 lo, 8 hi, 9 top of the
# strip where the ratio is above it, 10 its bottom where below, 11 model, 12 model / exact, 13 bit-count
# estimate, 14 x moved aside, so that series do not hide one another. One more for each of the family's own
# curves: x, rate, strip.
#
# panel_title[], panel_x[], panel_rate[], panel_strip[]: statements for ranges, scales and tics.
# series_name[], legend_longest: its longest; x_label. A family may set rate_label, strip_label,
# strip_line (the strip's line, 1) and rate_lines (statements before each panel).

if (!exists('rate_label')) { rate_label = 'false-positive rate' }
if (!exists('strip_label')) { strip_label = 'measured/exact' }
if (!exists('strip_line')) { strip_line = 1 }
if (!exists('rate_lines')) { rate_lines = '' }
boxes = 2
head_cm = strlen(panel_title[1]) ? 0.42 : 0.1
box_cm[1] = rows > 1 ? 3.7 : 4.4
box_cm[2] = rows > 1 ? 1.6 : 1.9
legend_entries = series + extra_entries + 4
legend_cm = legend_rows(legend_entries, legend_longest) * 0.28 + 0.4
set_of(p, s) = (p - 1) * (1 + series + extras) + s

if (draw) {
    do for [p = 1:panels] {
        eval place(p, 1)
        eval panel_x[p]
        eval panel_rate[p]
        set format x ''
        unset xlabel
        set title panel_title[p] offset 0,-0.6
        y_name = rate_label
        if (column_of(p) == 0) { eval label_y(p, 1, 7) }
        set grid ytics lt 1 lc rgb faint lw 0.3 dt 1
        eval rate_lines
        plot $DATA index set_of(p, 0) using 1:2 with lines lc rgb theory_colour lw 0.8 dt (6,4), \
             '' index set_of(p, 0) using 1:3 with lines lc rgb theory_colour lw 0.8 dt 1, \
             for [e = 1:extras] '' index set_of(p, series + e) using 1:(int(extra_points[e]) ? NaN : $2) with lines lc rgb extra_rgb(e) lw 1.1 dt extra_dash(e), \
             for [e = 1:extras] '' index set_of(p, series + e) using 1:(int(extra_points[e]) ? $2 : NaN) with points lc rgb theory_colour pt 6 ps 1.1 lw 0.9, \
             for [s = 1:series] '' index set_of(p, s) using 1:13 with lines lc s lw 0.6 dt (1,3), \
             for [s = 1:series] '' index set_of(p, s) using 14:3:(0):($4 - $3) with vectors nohead lc s dt 1 lw 0.8, \
             for [s = 1:series] '' index set_of(p, s) using 14:2 with points lt s, \
             for [s = 1:series] '' index set_of(p, s) using 14:5 with points lt s, \
             for [s = 1:series] '' index set_of(p, s) using 14:5:(0):(-$5 * 0.6) with vectors head size screen 0.006,20,60 filled lc s dt 1 lw 0.8
        unset title
        unset label
        eval place(p, 2)
        eval panel_x[p]
        eval panel_strip[p]
        if (last_in_column(p)) { set xlabel x_label offset 0,0.4 } else { unset xlabel }
        y_name = strip_label
        if (column_of(p) == 0) { eval label_y(p, 2, 6) }
        set arrow 1 from graph 0, first strip_line to graph 1, first strip_line nohead lc rgb theory_colour lw 0.8 back
        plot for [s = 1:series] $DATA index set_of(p, s) using 1:12 with lines lc s lw 0.9 dt 1, \
             for [e = 1:extras] '' index set_of(p, series + e) using 1:(int(extra_points[e]) ? NaN : $3) with lines lc rgb extra_rgb(e) lw 1.1 dt extra_dash(e), \
             for [e = 1:extras] '' index set_of(p, series + e) using 1:(int(extra_points[e]) ? $3 : NaN) with points lc rgb theory_colour pt 6 ps 1.1 lw 0.9, \
             for [s = 1:series] '' index set_of(p, s) using 14:7:(0):($8 - $7) with vectors nohead lc s dt 1 lw 0.8, \
             for [s = 1:series] '' index set_of(p, s) using 14:6 with points lt s, \
             for [s = 1:series] '' index set_of(p, s) using 14:9 with points lc s pt 8 ps 0.5, \
             for [s = 1:series] '' index set_of(p, s) using 14:10 with points lc s pt 10 ps 0.5
        unset arrow
        unset label
        unset logscale
        set xtics autofreq
        set ytics autofreq
        set format '%g'
    }
    eval legend_place(0)
    unset border
    unset tics
    unset grid
    unset xlabel
    set xrange [0:1]
    set yrange [0:1]
    set key center center horizontal Left reverse maxcols legend_columns(legend_longest) samplen 2.2 spacing 1 width 1 font ',6.5'
    plot for [s = 1:series] NaN with linespoints lt s dt 1 lw 0.8 title series_name[s], \
         for [e = 1:extras] NaN with lines lc rgb extra_rgb(e) lw 1.1 dt extra_dash(e) title (int(extra_points[e]) ? '' : extra_name[e]), \
         for [e = 1:extras] NaN with points lc rgb theory_colour pt 6 ps 1.1 lw 0.9 title (int(extra_points[e]) ? extra_name[e] : ''), \
         NaN with lines lc rgb theory_colour lw 0.8 dt 1 title 'exact (classic)', \
         NaN with lines lc rgb theory_colour lw 0.8 dt (6,4) title 'standard formula', \
         NaN with lines lc rgb '#555555' lw 0.6 dt (1,3) title 'bit-count estimate', \
         NaN with lines lc rgb '#555555' lw 0.9 dt 1 title 'variant''s own model'
}
