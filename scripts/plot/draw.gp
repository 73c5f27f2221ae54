# draw.gp: one figure in its three forms. Needs a figure's variables, `scripts`, `family`, `output_file`.
# A family's script is loaded twice: first for its sizes, with draw = 0.

load scripts.'/style.gp'
draw = 0
load scripts.'/'.family.'.gp'
draw = 1
panel_cm = head_cm + (sum [b = 1:boxes] box_cm[b]) + (boxes - 1) * gap_cm + foot_cm
height_cm = title_cm + rows * panel_cm + legend_cm + caption_lines * caption_line_cm + 0.25
box_width_cm = (width_cm - left_cm - right_cm - (columns - 1) * between_cm) / columns

do for [form in 'svg png pdf'] {
    reset
    set encoding utf8
    set minussign
    if (form eq 'svg') {
        set terminal svg size width_cm / 2.54 * 96, height_cm / 2.54 * 96 font sprintf('%s,%g', font, text_pt) fontscale 96.0 / 72 linewidth 0.8 background 'white' name identifier
    }
    if (form eq 'png') {
        set terminal pngcairo size int(width_cm / 2.54 * 220), int(height_cm / 2.54 * 220) font sprintf('%s,%g', font, text_pt) fontscale 220.0 / 96 linewidth 220.0 / 110 pointscale 220.0 / 96
    }
    if (form eq 'pdf') {
        set terminal pdfcairo size width_cm cm, height_cm cm font sprintf('%s,%g', font, text_pt) linewidth 0.6
    }
    set output output_file.'.'.form
    set multiplot
    set border lw 0.7
    set tics nomirror scale 0.6
    set key off
    set clip one
    set clip two
    eval label_title(0)
    do for [i = 1:caption_lines] { eval label_caption(i) }
    load scripts.'/'.family.'.gp'
    unset multiplot
    set output
}
