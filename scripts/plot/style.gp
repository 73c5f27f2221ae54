# style.gp: what all figures share: sizes in cm at print size, fonts, palette, where panels go.
#
# A figure's variables come first (harness/plot/figure.c): figure_title, width_cm, caption_lines,
# caption[]; columns and rows of panels. The family's script sets the heights below and draws with
# left(), right(), top(), bottom().

# Okabe & Ito's palette (2008): told apart by the colour-blind; the point types and dashes tell the
# series apart in grey.
set linetype 1 lc rgb '#0072B2' lw 1.1 pt 7  ps 0.45 dt 1
set linetype 2 lc rgb '#D55E00' lw 1.1 pt 9  ps 0.55 dt (8,3)
set linetype 3 lc rgb '#009E73' lw 1.1 pt 5  ps 0.42 dt (3,2)
set linetype 4 lc rgb '#CC79A7' lw 1.1 pt 13 ps 0.58 dt (10,3,2,3)
set linetype 5 lc rgb '#E69F00' lw 1.1 pt 11 ps 0.55 dt (6,2,2,2,2,2)
set linetype 6 lc rgb '#56B4E9' lw 1.1 pt 6  ps 0.50 dt (1,2)
set linetype 7 lc rgb '#555555' lw 1.1 pt 8  ps 0.58 dt (12,3)
set linetype cycle 7
theory_colour = '#000000'
faint = '#BBBBBB'
extra_colour = '#444444'
# Further lines a family draws: limits and other structures.
set dashtype 11 (14,3)
set dashtype 12 (2,2)
set dashtype 13 (8,3)
set dashtype 14 (8,2,1,2,1,2)
set dashtype 15 (1,3)
extra_rgb(e) = word('#999999 #8C510A #762A83 #1B7837 #444444', e)
# Bounds, in the colour of what they bound.
set dashtype 17 (12,4)
set dashtype 18 (4,4)
set dashtype 19 (14,4,2,4)
bound_dash(i) = 16 + i
extra_dash(e) = e == 1 ? 1 : 10 + e

font = 'DejaVu Sans'
text_pt = 7
small_pt = 5.5

# Heights, in cm. A panel is a stack of boxes: stack[1] on top.
title_cm = strlen(figure_title) ? 0.55 : 0.1
caption_line_cm = 0.27
head_cm = 0.42        # a panel's title
gap_cm = 0.22         # between the boxes of a panel
foot_cm = 0.85        # tick labels and name of the x axis
left_cm = 1.45        # of the first column of panels
between_cm = 1.2      # left of the others
right_cm = 0.25
legend_cm = 0.0
boxes = 1
array box_cm[4] = [4.2, 1.7, 0, 0]

# The legend's table: as many columns as the longest entry allows.
legend_columns(longest) = int((width_cm - 0.6) / (0.122 * longest + 1.25)) < 1 ? 1 : int((width_cm - 0.6) / (0.122 * longest + 1.25))
legend_rows(entries, longest) = int(ceil(entries / (1.0 * legend_columns(longest))))

row_of(p) = int((p - 1) / columns)
column_of(p) = (p - 1) % columns
left(p) = (left_cm + column_of(p) * (box_width_cm + between_cm)) / width_cm
right(p) = left(p) + box_width_cm / width_cm
above_cm(b) = b > 1 ? sum [i = 1:b - 1] (box_cm[i] + gap_cm) : 0
top(p, b) = 1 - (title_cm + row_of(p) * panel_cm + head_cm + above_cm(b)) / height_cm
bottom(p, b) = top(p, b) - box_cm[b] / height_cm
place(p, b) = sprintf('set lmargin at screen %.6f; set rmargin at screen %.6f; set tmargin at screen %.6f; set bmargin at screen %.6f', left(p), right(p), top(p, b), bottom(p, b))

# The last row of a column of panels: the one that names the x axis.
last_in_column(p) = p + columns > panels

# Title above, caption below: plain labels of the whole page, seen in the first plot only.
label_title(unused) = sprintf('set label 1 figure_title at screen 0.5, screen %.6f center font "%s,8"', 1 - 0.3 / height_cm, font)
label_caption(i) = sprintf('set label %d caption[%d] noenhanced at screen %.6f, screen %.6f left font "%s,%g" tc rgb "#444444"', i + 1, i, 0.15 / width_cm, (0.15 + (caption_lines - i + 0.4) * caption_line_cm) / height_cm, font, small_pt)

# The name of a y axis, at a fixed distance: terminals differ in how wide they take tick labels to be.
label_y(p, b, points) = sprintf('set label 90 y_name at screen %.6f, screen %.6f center rotate by 90 font ",%g"', left(p) - 1.22 / width_cm, (top(p, b) + bottom(p, b)) / 2, points)

# An empty plot over the legend's place, for its key.
legend_place(unused) = sprintf('set lmargin at screen 0.01; set rmargin at screen 0.99; set bmargin at screen %.6f; set tmargin at screen %.6f', (caption_lines * caption_line_cm + 0.2) / height_cm, (caption_lines * caption_line_cm + 0.15 + legend_cm) / height_cm)
