// Which trajectories are parts of others, and how did they turn out?
//
// Each part with the trajectory right above it, and how deep it is nested.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   whole: the trajectory right above
//   part: the part
//   depth: how many trajectories stand above it
//   task: the task of the part, in words
//   agent: the agent of the part
//   status: its outcome
//   steps: how many steps it took

MATCH (o:Learner {tenant: $tenant, id: $learner})-[:HAS_RUN]->(r:Trajectory)-[:CHILD_OF]->(p:Trajectory)
RETURN p.id AS whole, r.id AS part, COUNT { (r)-[:CHILD_OF]->{1,64}() } AS depth, r.intent AS task, r.agent AS agent,
  r.status AS status, r.steps AS steps
ORDER BY whole, depth, part LIMIT toInteger($limit)
