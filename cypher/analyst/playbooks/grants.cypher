// Who may do what with the things of a learner?
//
// Each grant with who gave it. The learner itself owns all it keeps.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   object: what is shared: learner, a memory, or a playbook
//   relation: viewer, editor, or owner
//   subject: to whom
//   since: since when
//   granted_by: who granted it, null for whoever runs the store
//   changes: how often the grants of the object have changed

MATCH (o:Learner {tenant: $tenant, id: $learner})-[:SHARES]->(s:SharedObject)<-[g:VIEWER|EDITOR|OWNER]-(p:Principal)
RETURN s.object AS object, toLower(type(g)) AS relation, p.subject AS subject, g.since AS since, g.granted_by AS granted_by,
  s.epoch AS changes
ORDER BY object, relation, subject LIMIT toInteger($limit)
