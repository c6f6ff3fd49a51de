// Ties lessons to what triggers them, to their tags, and to where they apply, in place of what they were
// tied to.
//
// Parameters:
//   $lessons: of each lesson its key `lesson`; of each of its `triggers` the `key` and the `posting`; of each of its `tags`, `tasks`, `domains` and `tools` the properties `node` and the `posting`
// Columns:
//   triggered: number of triggers that were tied
// Locks: the lessons, and what they are tied to

UNWIND $lessons AS row
MATCH (l:Lesson {key: row.lesson})
CALL (l) {
  MATCH (l)-[old:TRIGGERED_BY|TAGGED|APPLIES_TO]->()
  DELETE old
}
CALL (l, row) {
  UNWIND row.triggers AS trigger
  MATCH (f:Fingerprint {key: trigger.key})
  CREATE (l)-[t:TRIGGERED_BY {posting: trigger.posting}]->(f)
  RETURN count(t) AS ties
}
CALL (l, row) {
  UNWIND row.tags AS tag
  MERGE (n:Tag {key: tag.node.key})
  ON CREATE SET n = tag.node
  CREATE (l)-[:TAGGED {posting: tag.posting}]->(n)
}
CALL (l, row) {
  UNWIND row.tasks AS task
  MERGE (n:Task {key: task.node.key})
  ON CREATE SET n = task.node
  CREATE (l)-[:APPLIES_TO {posting: task.posting}]->(n)
}
CALL (l, row) {
  UNWIND row.domains AS domain
  MERGE (n:Domain {key: domain.node.key})
  ON CREATE SET n = domain.node
  CREATE (l)-[:APPLIES_TO {posting: domain.posting}]->(n)
}
CALL (l, row) {
  UNWIND row.tools AS tool
  MERGE (n:Tool {key: tool.node.key})
  ON CREATE SET n = tool.node
  CREATE (l)-[:APPLIES_TO {posting: tool.posting}]->(n)
}
RETURN sum(ties) AS triggered
