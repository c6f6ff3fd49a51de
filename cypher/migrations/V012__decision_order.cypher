// The order of the decisions about all lessons of a learner, newest first: what has changed of late.

CREATE INDEX hindlore_decision_by_time IF NOT EXISTS
FOR (n:Decision) ON (n.by_time);
