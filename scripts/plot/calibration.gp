# calibration.gp: p-values of sound cells against uniform ones; coverage against the number of trials.
#
# Set 0: share, lo, hi of the band. 1 to 4: share, p, one set a test. 5 to 7: trials, coverage, lo, hi,
# one set an interval. test_name[], interval_name[]; p_bottom, coverage_bottom, trials_lo, trials_hi.

columns = 2
between_cm = 1.6
rows = 1
panels = 2
box_cm[1] = 6.4

if (draw) {
    eval place(1, 1)
    set title 'p-values of the four tests' offset 0,-0.6
    set logscale xy 10
    set format xy '10^{%L}'
    set xrange [p_bottom * 5:1]
    set yrange [p_bottom:1]
    set xlabel 'share of the cells' offset 0,0.4
    set ylabel 'p-value below which it lies' offset 0.5,0
    set grid xtics ytics lt 1 lc rgb faint lw 0.3 dt 1
    set key top left Left reverse samplen 1.5 font ',6.5'
    plot $DATA index 0 using 1:2:3 with filledcurves lc rgb '#DDDDDD' notitle, \
         x with lines lc rgb theory_colour lw 0.8 dt 1 notitle, \
         for [t = 1:4] '' index t using 1:2 with points lt t title test_name[t]

    unset label
    eval place(2, 1)
    unset logscale
    set logscale x 10
    set format x '%g'
    set format y '%g'
    set title 'coverage of intervals of 95 %' offset 0,-0.6
    set xrange [trials_lo / 1.4:trials_hi * 1.4]
    set yrange [coverage_bottom:1]
    set xtics (1, 2, 3, 5, 10, 20, 30, 50, 100)
    set xlabel 'trials of a cell' offset 0,0.4
    set ylabel 'share of the cells' offset 0.5,0
    set key bottom right Left reverse
    plot 0.95 with lines lc rgb theory_colour lw 0.8 dt 1 notitle, \
         for [i = 1:3] $DATA index 4 + i using 1:2:3:4 with yerrorbars lt i dt 1 lw 0.8 title interval_name[i], \
         for [i = 1:3] '' index 4 + i using 1:2 with lines lt i lw 0.6 notitle
}
