/* Every hash, in report order, one line each. Included wherever the whole list is needed. */
HASH(murmur2)
HASH(murmur3_x64_128)
HASH(fnv1a_32)
HASH(djb2_mix)
