# hyphenation.gp: disk reads against bits, and measured over theory; columns as in curves.gp.
array box_label[2] = ['disk reads, thousands', 'ratio']
array box_lines[2] = ['set ytics add ("60" 60, "80" 80, "150" 150, "300" 300)', 'set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb theory_colour lw 0.8 back']
box_cm[1] = 6.0
box_cm[2] = 1.9
line_name = 'theory'
load scripts.'/curves.gp'
