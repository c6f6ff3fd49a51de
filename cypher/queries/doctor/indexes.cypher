// Lists the indexes with their labels and properties and their state; those of constraints too.
//
// Parameters:
//   none
// Columns:
//   name: name of an index
//   sort: what it finds, such as `RANGE`
//   entity: `NODE` or `RELATIONSHIP`
//   labels: its labels or types
//   properties: its properties
//   state: `ONLINE`, `POPULATING` or `FAILED`
//   share: how much of it is made, in percent
//   owner: the constraint that it belongs to, if any
// Locks: none

SHOW INDEXES YIELD name, type, entityType, labelsOrTypes, properties, state, populationPercent, owningConstraint
RETURN name, type AS sort, entityType AS entity, coalesce(labelsOrTypes, []) AS labels,
  coalesce(properties, []) AS properties, state, populationPercent AS share, owningConstraint AS owner
