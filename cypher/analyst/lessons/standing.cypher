// Which lessons are there, and how well do they stand?
//
// Promoted ones first, then by reliability. A lesson that was suppressed or archived stays, and is given to nobody.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   lesson: its id
//   rule: what it says
//   status: candidate, promoted, suppressed or archived
//   reliability: how far it may be relied on, from 0 to 1
//   retrieved: how often it was given
//   helpful: outcomes in which it helped
//   harmful: outcomes in which it did not
//   triggers: number of errors that call for it
//   since: when it was learned

MATCH (o:Learner {tenant: $tenant, id: $learner})-[:HAS_LESSON]->(l:Lesson)
RETURN l.id AS lesson, l.rule AS rule, l.status AS status, l.reliability AS reliability,
  l.retrieved AS retrieved, l.helpful AS helpful, l.harmful AS harmful,
  size(l.triggers) AS triggers, l.created_at AS since
ORDER BY status = 'promoted' DESC, reliability DESC, lesson LIMIT toInteger($limit)
