// Deletes a piece of a memory: of its events and of its bullets, where there is a whole piece or more.
//
// Parameters:
//   $memory: key of the memory
//   $piece: number of nodes of one kind
// Columns:
//   deltas: number of deltas
//   retrievals: number of retrievals
//   bullets: number of bullets
// Locks: everything that it deletes

CALL () {
  MATCH (e:Event)
  WHERE e.hindlore_memory = $memory AND e.tick IS NOT NULL
  WITH e LIMIT $piece
  WITH collect(e) AS found
  UNWIND CASE size(found) WHEN $piece THEN found ELSE [] END AS e
  WITH e, e:Delta AS is_delta
  DETACH DELETE e
  RETURN sum(toInteger(is_delta)) AS deltas, sum(toInteger(NOT is_delta)) AS retrievals
}
CALL () {
  MATCH (b:Bullet)
  WHERE b.hindlore_memory = $memory AND b.changed_tick IS NOT NULL
  WITH b LIMIT $piece
  WITH collect(b) AS found
  UNWIND CASE size(found) WHEN $piece THEN found ELSE [] END AS b
  DETACH DELETE b
  RETURN count(*) AS bullets
}
RETURN deltas, retrievals, bullets
