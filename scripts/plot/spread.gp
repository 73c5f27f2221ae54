# spread.gp: median and 5 to 95 % quantiles of single filters' rates over their model, and their standard
# deviation, against m; columns as in curves.gp.
array box_label[2] = ['rate / model, 5–50–95 %', 'sd / model']
array box_lines[2] = ['set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb theory_colour lw 0.8 back', '']
box_cm[1] = 3.6
box_cm[2] = 3.4
line_name = 'exact (classic)'
guide_name = 'slope −1/2'
load scripts.'/curves.gp'
