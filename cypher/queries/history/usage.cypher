// Counts the usage of all bullets, from the records that are not compacted.
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

MATCH (s:ContextScope {hindlore_key: $memory})-[:HAS_RETRIEVAL]->(:Retrieval)-[x:RETURNED]->(b:Bullet)
RETURN CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END AS bullet, count(x) AS retrieved, sum(toInteger(x.injected)) AS injected, sum(toInteger(x.used)) AS used, sum(toInteger(x.helped)) AS helped, sum(toInteger(x.harmed)) AS harmed, sum(toInteger(x.ignored)) AS ignored
