// Are all indexes online, and are they used?
//
// Looks at the schema, not at data. An index that is not ONLINE is not used: wait while it is POPULATING, drop
// and make it again when it FAILED.
//
// Parameters:
//   :param limit => 100
// Columns:
//   name: its name
//   state: ONLINE, POPULATING or FAILED
//   percent: how much of it is made
//   type: its type
//   on: labels or relationship types
//   properties: of which properties
//   reads: times it was used since the server began to count
//   last_read: when it was used last

SHOW INDEXES YIELD name, state, populationPercent, type, labelsOrTypes, properties, readCount, lastRead
RETURN name, state, populationPercent AS percent, type, labelsOrTypes AS on, properties, readCount AS reads,
  lastRead AS last_read
ORDER BY state <> 'ONLINE' DESC, name LIMIT toInteger($limit)
