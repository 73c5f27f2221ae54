# source-001.gp: the published worked example; columns as in rate.gp.
load scripts.'/rate.gp'
