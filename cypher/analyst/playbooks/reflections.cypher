// What did reflections find, and upon what?
//
// The newest reflections, with the trajectories that they are about.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   reflection: its id
//   at: when it was made
//   about: the trajectories, at most five of them
//   trajectories: how many there are
//   do: what it found to be helpful
//   avoid: what it found to be harmful
//   seen: mere observations

MATCH (o:Learner {tenant: $tenant, id: $learner})-[:HAS_REFLECTION]->(f:Reflection)
RETURN f.id AS reflection, f.at AS at, COLLECT {
    MATCH (f)-[:REFLECTS_ON]->(r:Trajectory)
    RETURN r.id ORDER BY r.id LIMIT 5
  } AS about, size(f.trajectories) AS trajectories, f.helpful AS do, f.harmful AS avoid, f.neutral AS seen
ORDER BY at DESC, reflection LIMIT toInteger($limit)
