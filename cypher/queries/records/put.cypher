// Makes records with their labels, each held by its learner where its kind says so, and puts others in place of what is
// there.
//
// Parameters:
//   $owner: key of the learner
//   $new: of each record that is not there its label `kind`, the relationship `held_as` or none, and its `properties`
//   $changed: all properties of each record that is there
// Columns:
//   made: number of records that were made
//   changed: number of records that were put in place
// Locks: the learner and the records

MATCH (o:Learner {hindlore_key: $owner})
CALL (o) {
  UNWIND $new AS row
  CREATE (n:Record)
  SET n = row.properties
  SET n:$(row.kind)
  WITH o, n, row
  CALL (o, n, row) {
    WITH o, n, row
    WHERE row.held_as IS NOT NULL
    CREATE (o)-[:$(row.held_as)]->(n)
  }
  RETURN count(n) AS made
}
CALL () {
  UNWIND $changed AS row
  MATCH (n:Record {hindlore_key: row.hindlore_key})
  SET n = row
  RETURN count(n) AS changed
}
RETURN made, changed
