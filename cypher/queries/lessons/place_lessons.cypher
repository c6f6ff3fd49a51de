// Ties lessons to what triggers them, to their tags, and to where they apply, in place of what they were
// tied to.
//
// Parameters:
//   $lessons: of each lesson its key `lesson`; of each of its `triggers` the `key` and the `posting`; of each of its `tags`, `tasks`, `domains` and `tools` the properties `node` and the `posting`
// Columns:
//   triggered: number of triggers that were tied
// Locks: the lessons, and what they are tied to

UNWIND $lessons AS row
MATCH (l:Lesson {hindlore_key: row.lesson})
CALL (l) {
  MATCH (l)-[old:TRIGGERED_BY|TAGGED|APPLIES_TO]->()
  DELETE old
}
CALL (l, row) {
  UNWIND row.triggers AS trigger
  MATCH (f:Fingerprint {hindlore_key: trigger.hindlore_key})
  CREATE (l)-[t:TRIGGERED_BY {hindlore_posting: trigger.hindlore_posting}]->(f)
  RETURN count(t) AS ties
}
CALL (l, row) {
  UNWIND row.tags AS tag
  MERGE (n:Tag {hindlore_key: tag.node.hindlore_key})
  ON CREATE SET n = tag.node
  CREATE (l)-[:TAGGED {hindlore_posting: tag.hindlore_posting}]->(n)
}
CALL (l, row) {
  UNWIND row.tasks AS task
  MERGE (n:Task {hindlore_key: task.node.hindlore_key})
  ON CREATE SET n = task.node
  CREATE (l)-[:APPLIES_TO {hindlore_posting: task.hindlore_posting}]->(n)
}
CALL (l, row) {
  UNWIND row.domains AS domain
  MERGE (n:Domain {hindlore_key: domain.node.hindlore_key})
  ON CREATE SET n = domain.node
  CREATE (l)-[:APPLIES_TO {hindlore_posting: domain.hindlore_posting}]->(n)
}
CALL (l, row) {
  UNWIND row.tools AS tool
  MERGE (n:Tool {hindlore_key: tool.node.hindlore_key})
  ON CREATE SET n = tool.node
  CREATE (l)-[:APPLIES_TO {hindlore_posting: tool.hindlore_posting}]->(n)
}
RETURN sum(ties) AS triggered
