// Which rules does each memory of a learner follow?
//
// The policy is stored with the memory and is changed by a delta only, so two memories may differ whatever the
// settings of an instance say. Its node repeats it for reading: to change it, use `hindlore policy set`.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   scope: the memory
//   mode: engine, or classic for the behaviour of earlier programs
//   profile: how retrievals are ranked unless they say otherwise
//   semantic_rate: share of strength that a fact loses with each event
//   episodic_rate: the same for an experience
//   procedural_rate: the same for a procedure
//   base_strength: strength of a bullet without votes
//   merge_threshold: similarity from which a new text is merged
//   floor: relevance below which nothing is returned
//   max_bullets: active bullets above which the weakest are archived
//   guard: whether opposites are kept apart
//   expiry: whether a time to live is obeyed

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope)-[:HAS_POLICY]->(p:Policy)
RETURN s.scope AS scope, p.mode AS mode, p.profile AS profile, p.rates_semantic AS semantic_rate,
  p.rates_episodic AS episodic_rate, p.rates_procedural AS procedural_rate, p.base_strength AS base_strength,
  p.merge_threshold AS merge_threshold, p.floor AS floor, p.max_bullets AS max_bullets, p.guard AS guard,
  p.expiry AS expiry
ORDER BY scope LIMIT toInteger($limit)
