# bench-best.gp: fields of (keys, cost of a miss), coloured by the variant that costs least there.
#
# Set s - 1 of $DATA are the fields of variant s: 1 log2 n, 2 log10 of the cost in ns, 4 the same where a
# point shall tell it from others in grey; set `series` those that
# are labelled: 3 the bits per key. series_name[], legend_longest; n_first, n_last, cost_last.

columns = 1
rows = 1
panels = 1
head_cm = 0.1
box_cm[1] = 7.5
legend_cm = legend_rows(series, legend_longest) * 0.34 + 0.3
array shade[7] = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#999999']

if (draw) {
    eval place(1, 1)
    set xrange [n_first - 0.5:n_last + 0.5]
    set yrange [-0.125:cost_last + 0.125]
    set xtics 2
    set ytics 1
    set format x '2^{%g}'
    set format y '10^{%g}'
    set xlabel 'keys in the filter' offset 0,0.4
    y_name = 'cost of a miss, ns'
    eval label_y(1, 1, 7)
    plot for [s = 1:series] $DATA index s - 1 using 1:2:($1 - 0.5):($1 + 0.5):($2 - 0.125):($2 + 0.125) with boxxyerror fs solid 0.55 noborder lc rgb shade[s], \
         for [s = 1:series] '' index s - 1 using 1:4 with points pt (s == 1 ? 7 : s == 2 ? 9 : s == 3 ? 5 : s == 4 ? 13 : s == 5 ? 11 : s == 6 ? 6 : 8) ps 0.18 lc rgb '#333333', \
         '' index series using 1:2:(sprintf('%g', $3)) with labels font ',5.5' tc rgb '#000000'
    unset label
    eval legend_place(0)
    unset border
    unset tics
    unset xlabel
    set xrange [0:1]
    set yrange [0:1]
    set key center center horizontal Left reverse maxcols legend_columns(legend_longest) samplen 1.6 spacing 1.1 width 1 font ',6.5'
    plot for [s = 1:series] NaN with boxes fs solid 0.55 border lc rgb shade[s] title series_name[s]
}
