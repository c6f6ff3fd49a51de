// Reads one retrieval with what it returned.
//
// Parameters:
//   $retrieval: key of the retrieval
// Columns:
//   event: the properties of the retrieval
//   returned: bullet id and properties of what it returned, in no order
// Locks: none; the caller holds the memory

MATCH (e:Retrieval {key: $retrieval})
RETURN properties(e) AS event,
  COLLECT {
    MATCH (e)-[x:RETURNED]->(b:Bullet)
    RETURN {bullet: b.id, mark: properties(x)}
  } AS returned
