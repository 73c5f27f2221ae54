# fill-up.gp: the rate as keys come in; columns as in rate.gp. The vertical line is the capacity, at which half
# of the bits are set.
rate_lines = 'set arrow 2 from first 1, graph 0 to first 1, graph 1 nohead lc rgb extra_colour lw 0.6 dt 15 back'
load scripts.'/rate.gp'
