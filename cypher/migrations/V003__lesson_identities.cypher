// Identities of what learners learn from failures.
//
// Every key begins with the key of the learner, then says what is named: an id, or a hash of a name that
// somebody chose. Equal ids of two learners are thereby two nodes, and all that a learner owns stands
// side by side. A pair of conflicting lessons has one key, whichever of the two came first.

CREATE CONSTRAINT lesson_key_unique IF NOT EXISTS
FOR (n:Lesson) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT run_key_unique IF NOT EXISTS
FOR (n:Run) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT run_step_key_unique IF NOT EXISTS
FOR (n:RunStep) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT error_event_key_unique IF NOT EXISTS
FOR (n:ErrorEvent) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT fingerprint_key_unique IF NOT EXISTS
FOR (n:Fingerprint) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT task_key_unique IF NOT EXISTS
FOR (n:Task) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT domain_key_unique IF NOT EXISTS
FOR (n:Domain) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT tool_key_unique IF NOT EXISTS
FOR (n:Tool) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT lesson_source_key_unique IF NOT EXISTS
FOR (n:LessonSource) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT decision_key_unique IF NOT EXISTS
FOR (n:Decision) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT review_key_unique IF NOT EXISTS
FOR (n:Review) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT operation_key_unique IF NOT EXISTS
FOR (n:Operation) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT activated_key_unique IF NOT EXISTS
FOR ()-[r:ACTIVATED]-() REQUIRE r.key IS UNIQUE;

CREATE CONSTRAINT met_key_unique IF NOT EXISTS
FOR ()-[r:MET]-() REQUIRE r.key IS UNIQUE;

CREATE CONSTRAINT conflicts_with_pair_unique IF NOT EXISTS
FOR ()-[r:CONFLICTS_WITH]-() REQUIRE r.pair IS UNIQUE;
