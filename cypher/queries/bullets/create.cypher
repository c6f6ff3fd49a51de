// Creates new bullets.
//
// Parameters:
//   $memory: key of the memory
//   $bullets: all properties of each new bullet
// Columns:
//   none
// Locks: the memory and the new bullets

MATCH (s:ContextScope {hindlore_key: $memory})
UNWIND $bullets AS row
CREATE (s)-[:HOLDS]->(b:Bullet)
SET b = row
