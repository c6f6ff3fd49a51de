// Writes deltas with the bullets that they made and what they changed, each after the one before it, and
// moves the memory to where it then stands: an everyday commit is this one request. The first delta stands
// right after the memory.
//
// Parameters:
//   $memory: key of the memory
//   $head: the properties of the memory that change
//   $bullets: all properties of each new bullet
//   $deltas: of each delta its properties `delta`, the revision `previous` (none for the creation), and its `changes`: key `bullet`, relationship `type`, properties `change`
// Columns:
//   changed: number of changes whose bullet is there
// Locks: the memory, the deltas, the bullets

MATCH (s:ContextScope {key: $memory})
SET s += $head
WITH s
CALL (s) {
  UNWIND $bullets AS row
  CREATE (s)-[:HOLDS]->(b:Bullet)
  SET b = row
}
UNWIND $deltas AS row
CREATE (d:Delta:Event)
SET d = row.delta
WITH s, row, d
CALL (s, row, d) {
  WITH s, row, d
  WHERE row.previous IS NULL
  CREATE (s)-[:HISTORY]->(d)
}
CALL (row, d) {
  MATCH (p:Delta)
  WHERE p.memory = $memory AND p.revision = row.previous
  CREATE (p)-[:NEXT]->(d)
}
CALL (row, d) {
  UNWIND row.changes AS one
  MATCH (b:Bullet {key: one.bullet})
  CREATE (d)-[c:$(one.type)]->(b)
  SET c = one.change
  RETURN count(c) AS written
}
RETURN sum(written) AS changed
