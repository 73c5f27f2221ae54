# formula-error.gp: |formula / exact - 1| against m; columns as in curves.gp.
array box_label[1] = ['relative error']
array box_lines[1] = ['set arrow 1 from graph 0, first 0.01 to graph 1, first 0.01 nohead lc rgb extra_colour lw 0.6 dt 13 back']
box_cm[1] = rows > 1 ? 3.8 : 5
load scripts.'/curves.gp'
