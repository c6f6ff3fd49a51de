// Reads the changes of some bullets by deltas above a revision.
//
// Parameters:
//   $bullets: keys of the bullets
//   $revision: revision above which to read changes
// Columns:
//   delta: id of the delta
//   revision: its revision
//   bullet: id of the bullet
//   kind: relationship type
//   change: properties of the change
// Locks: none; the caller holds the memory's lock

UNWIND $bullets AS key
MATCH (b:Bullet {hindlore_key: key})
WITH b
MATCH (b)<-[c:ADDED|CHANGED|MERGED|ARCHIVED|REJECTED]-(d:Delta)
WHERE d.revision > $revision
RETURN d.id AS delta, d.revision AS revision, CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END AS bullet, type(c) AS kind, properties(c) AS change
