// Reads one retrieval with its returned bullets.
//
// Parameters:
//   $retrieval: key of the retrieval
// Columns:
//   event: the properties of the retrieval
//   returned: bullet id and properties of its returned bullets, unordered
// Locks: none; the caller holds the memory's lock

MATCH (e:Retrieval {hindlore_key: $retrieval})
RETURN properties(e) AS event,
  COLLECT {
    MATCH (e)-[x:RETURNED]->(b:Bullet)
    RETURN {bullet: CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END, mark: properties(x)}
  } AS returned
