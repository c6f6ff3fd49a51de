// Reads the counts of compacted records.
//
// Parameters:
//   $memory: key of the memory
// Columns:
//   bullet: id of the bullet
//   retrieved: times it was returned
//   injected: times it was marked injected
//   used: times it was marked used
//   helped: times it was marked helped
//   harmed: times it was marked harmed
//   ignored: times it was marked ignored
// Locks: none; the caller holds the memory's lock

MATCH (s:ContextScope {hindlore_key: $memory})-[h:HOLDS]->(b:Bullet)
WHERE h.retrieved IS NOT NULL
RETURN CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END AS bullet, h.retrieved AS retrieved, h.injected AS injected, h.used AS used, h.helped AS helped, h.harmed AS harmed, h.ignored AS ignored
