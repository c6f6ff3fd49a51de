// Writes further changes of a delta that has too many for one request.
//
// Parameters:
//   $delta: key of the delta
//   $changes: key `bullet`, relationship `type`, properties `change` of each
// Columns:
//   changed: number of changes whose bullet exists
// Locks: the delta, the bullets

MATCH (d:Delta {hindlore_key: $delta})
UNWIND $changes AS one
MATCH (b:Bullet {hindlore_key: one.bullet})
CREATE (d)-[c:$(one.type)]->(b)
SET c = one.change
RETURN count(c) AS changed
