// Reads activations by key, and the last ones of lessons that were not withheld.
//
// Parameters:
//   $activations: keys of activations
//   $lessons: keys of lessons
//   $limit: most activations of one lesson
// Columns:
//   activation: the properties of an activation
// Locks: none; the caller holds the learner

UNWIND $activations AS activation
MATCH ()-[a:ACTIVATED {key: activation}]->()
RETURN properties(a) AS activation
UNION
UNWIND $lessons AS lesson
CALL (lesson) {
  MATCH ()-[a:ACTIVATED]->()
  WHERE a.by_age STARTS WITH lesson AND NOT a.withheld
  WITH a
  ORDER BY a.by_age DESC LIMIT $limit
  RETURN a
}
RETURN properties(a) AS activation
