// Reads activations by key, and the last ones of lessons that were not withheld.
// Finds nothing while a copy into the learner's lessons is unfinished.
//
// Parameters:
//   $owner: key of the learner
//   $activations: keys of activations
//   $lessons: keys of lessons
//   $limit: largest number of activations of one lesson
// Columns:
//   activation: the properties of an activation
// Locks: none; the caller holds the learner's lock

MATCH (o:Learner {hindlore_key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  UNWIND $activations AS activation
  MATCH ()-[a:ACTIVATED {hindlore_key: activation}]->()
  RETURN a
  UNION
  UNWIND $lessons AS lesson
  CALL (lesson) {
    MATCH ()-[a:ACTIVATED]->()
    WHERE a.hindlore_by_age STARTS WITH lesson AND NOT a.withheld
    WITH a
    ORDER BY a.hindlore_by_age DESC LIMIT $limit
    RETURN a
  }
  RETURN a
}
RETURN properties(a) AS activation
