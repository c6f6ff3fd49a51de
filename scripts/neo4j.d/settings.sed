# Turns lines `NEO4J_a_b__c=v` into lines of neo4j.conf, `a.b_c=v`: one underscore is a dot, two are one underscore.
s/^NEO4J_//
:two
s/^\([^=]*\)__\([^=]*=\)/\1\n\2/
ttwo
:one
s/^\([^=]*\)_\([^=]*=\)/\1.\2/
tone
:mark
s/^\([^=]*\)\n\([^=]*=\)/\1_\2/
tmark
