// Reads activations by key, and the last ones of lessons that were not withheld.
// While a copy goes into the lessons of the learner, nothing is found.
//
// Parameters:
//   $owner: key of the learner
//   $activations: keys of activations
//   $lessons: keys of lessons
//   $limit: most activations of one lesson
// Columns:
//   activation: the properties of an activation
// Locks: none; the caller holds the learner

MATCH (o:Learner {key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  UNWIND $activations AS activation
  MATCH ()-[a:ACTIVATED {key: activation}]->()
  RETURN a
  UNION
  UNWIND $lessons AS lesson
  CALL (lesson) {
    MATCH ()-[a:ACTIVATED]->()
    WHERE a.by_age STARTS WITH lesson AND NOT a.withheld
    WITH a
    ORDER BY a.by_age DESC LIMIT $limit
    RETURN a
  }
  RETURN a
}
RETURN properties(a) AS activation
