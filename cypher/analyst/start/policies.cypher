// Which rules does each memory of a learner follow?
//
// The policy is stored with the memory as JSON and is changed by a delta only, so two memories may differ
// whatever the settings of an instance say.
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

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope)
WITH s, replace(s.policy, '}', ',') AS policy
RETURN s.scope AS scope,
  replace(split(split(policy, '"mode":')[1], ',')[0], '"', '') AS mode,
  replace(split(split(policy, '"profile":')[1], ',')[0], '"', '') AS profile,
  toFloat(split(split(policy, '"semantic":')[1], ',')[0]) AS semantic_rate,
  toFloat(split(split(policy, '"episodic":')[1], ',')[0]) AS episodic_rate,
  toFloat(split(split(policy, '"procedural":')[1], ',')[0]) AS procedural_rate,
  toFloat(split(split(policy, '"base_strength":')[1], ',')[0]) AS base_strength,
  toFloat(split(split(policy, '"merge_threshold":')[1], ',')[0]) AS merge_threshold,
  toFloat(split(split(policy, '"floor":')[1], ',')[0]) AS floor,
  toInteger(split(split(policy, '"max_bullets":')[1], ',')[0]) AS max_bullets,
  toBoolean(split(split(policy, '"guard":')[1], ',')[0]) AS guard,
  toBoolean(split(split(policy, '"expiry":')[1], ',')[0]) AS expiry
ORDER BY scope LIMIT toInteger($limit)
