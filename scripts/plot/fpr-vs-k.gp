# fpr-vs-k.gp: the rate against the number of probes; columns as in rate.gp.
load scripts.'/rate.gp'
