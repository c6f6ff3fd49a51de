// Names of our own for every constraint and index: what other programs of the same database call theirs does not
// meet these. Each is made unless one that does the same is there, whatever its name: those of older databases stay.
// This file stands for all that the four before it make, which is not made any more.

CREATE CONSTRAINT hindlore_learner_key_unique IF NOT EXISTS
FOR (n:Learner) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT hindlore_scope_key_unique IF NOT EXISTS
FOR (n:ContextScope) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT hindlore_bullet_key_unique IF NOT EXISTS
FOR (n:Bullet) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT ace_bullet_hash_unique IF NOT EXISTS
FOR (n:Bullet) REQUIRE n.hash_key IS UNIQUE;

CREATE CONSTRAINT hindlore_delta_key_unique IF NOT EXISTS
FOR (n:Delta) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT hindlore_retrieval_key_unique IF NOT EXISTS
FOR (n:Retrieval) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT hindlore_checkpoint_key_unique IF NOT EXISTS
FOR (n:Checkpoint) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT hindlore_tag_key_unique IF NOT EXISTS
FOR (n:Tag) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT hindlore_topic_key_unique IF NOT EXISTS
FOR (n:Topic) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT hindlore_concept_key_unique IF NOT EXISTS
FOR (n:Concept) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT hindlore_delta_revision_unique IF NOT EXISTS
FOR (n:Delta) REQUIRE (n.memory, n.revision) IS UNIQUE;

CREATE CONSTRAINT hindlore_event_tick_unique IF NOT EXISTS
FOR (n:Event) REQUIRE (n.memory, n.tick) IS UNIQUE;

CREATE INDEX hindlore_bullet_changed IF NOT EXISTS
FOR (n:Bullet) ON (n.memory, n.changed_tick);

CREATE INDEX hindlore_learner_tenant IF NOT EXISTS
FOR (n:Learner) ON (n.tenant);

CREATE INDEX hindlore_tag_owner IF NOT EXISTS
FOR (n:Tag) ON (n.owner);

CREATE INDEX hindlore_topic_owner IF NOT EXISTS
FOR (n:Topic) ON (n.owner);

CREATE INDEX hindlore_concept_owner IF NOT EXISTS
FOR (n:Concept) ON (n.owner);

CREATE INDEX hindlore_follows_changed IF NOT EXISTS
FOR ()-[r:FOLLOWS]-() ON (r.memory, r.changed_tick);

CREATE INDEX hindlore_similar_to_changed IF NOT EXISTS
FOR ()-[r:SIMILAR_TO]-() ON (r.memory, r.changed_tick);

CREATE INDEX hindlore_conflicts_with_changed IF NOT EXISTS
FOR ()-[r:CONFLICTS_WITH]-() ON (r.memory, r.changed_tick);

CREATE INDEX hindlore_merged_into_changed IF NOT EXISTS
FOR ()-[r:MERGED_INTO]-() ON (r.memory, r.changed_tick);

CREATE INDEX hindlore_unlinked_changed IF NOT EXISTS
FOR ()-[r:UNLINKED]-() ON (r.memory, r.changed_tick);

CREATE CONSTRAINT hindlore_lesson_key_unique IF NOT EXISTS
FOR (n:Lesson) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT hindlore_run_key_unique IF NOT EXISTS
FOR (n:Run) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT hindlore_run_step_key_unique IF NOT EXISTS
FOR (n:RunStep) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT hindlore_error_event_key_unique IF NOT EXISTS
FOR (n:ErrorEvent) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT hindlore_fingerprint_key_unique IF NOT EXISTS
FOR (n:Fingerprint) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT hindlore_task_key_unique IF NOT EXISTS
FOR (n:Task) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT hindlore_domain_key_unique IF NOT EXISTS
FOR (n:Domain) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT hindlore_tool_key_unique IF NOT EXISTS
FOR (n:Tool) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT hindlore_lesson_source_key_unique IF NOT EXISTS
FOR (n:LessonSource) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT hindlore_decision_key_unique IF NOT EXISTS
FOR (n:Decision) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT hindlore_review_key_unique IF NOT EXISTS
FOR (n:Review) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT hindlore_operation_key_unique IF NOT EXISTS
FOR (n:Operation) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT hindlore_activated_key_unique IF NOT EXISTS
FOR ()-[r:ACTIVATED]-() REQUIRE r.key IS UNIQUE;

CREATE CONSTRAINT hindlore_met_key_unique IF NOT EXISTS
FOR ()-[r:MET]-() REQUIRE r.key IS UNIQUE;

CREATE CONSTRAINT hindlore_conflicts_with_pair_unique IF NOT EXISTS
FOR ()-[r:CONFLICTS_WITH]-() REQUIRE r.pair IS UNIQUE;

CREATE INDEX hindlore_learner_name IF NOT EXISTS
FOR (n:Learner) ON (n.tenant, n.id);

CREATE INDEX hindlore_run_by_start IF NOT EXISTS
FOR (n:Run) ON (n.by_start);

CREATE INDEX hindlore_run_by_idleness IF NOT EXISTS
FOR (n:Run) ON (n.by_idleness);

CREATE INDEX hindlore_run_by_task IF NOT EXISTS
FOR (n:Run) ON (n.by_task);

CREATE INDEX hindlore_run_by_domain IF NOT EXISTS
FOR (n:Run) ON (n.by_domain);

CREATE INDEX hindlore_run_by_ending IF NOT EXISTS
FOR (n:Run) ON (n.by_ending);

CREATE INDEX hindlore_error_event_by_time IF NOT EXISTS
FOR (n:ErrorEvent) ON (n.by_time);

CREATE INDEX hindlore_error_event_by_run IF NOT EXISTS
FOR (n:ErrorEvent) ON (n.by_run);

CREATE INDEX hindlore_error_event_by_task IF NOT EXISTS
FOR (n:ErrorEvent) ON (n.by_task);

CREATE INDEX hindlore_error_event_by_domain IF NOT EXISTS
FOR (n:ErrorEvent) ON (n.by_domain);

CREATE INDEX hindlore_error_event_by_step IF NOT EXISTS
FOR (n:ErrorEvent) ON (n.by_step);

CREATE INDEX hindlore_lesson_by_birth IF NOT EXISTS
FOR (n:Lesson) ON (n.by_birth);

CREATE INDEX hindlore_lesson_source_by_lesson IF NOT EXISTS
FOR (n:LessonSource) ON (n.by_lesson);

CREATE INDEX hindlore_decision_by_lesson IF NOT EXISTS
FOR (n:Decision) ON (n.by_lesson);

CREATE INDEX hindlore_review_by_lesson IF NOT EXISTS
FOR (n:Review) ON (n.by_lesson);

CREATE INDEX hindlore_triggered_by_posting IF NOT EXISTS
FOR ()-[r:TRIGGERED_BY]-() ON (r.posting);

CREATE INDEX hindlore_tagged_posting IF NOT EXISTS
FOR ()-[r:TAGGED]-() ON (r.posting);

CREATE INDEX hindlore_applies_to_posting IF NOT EXISTS
FOR ()-[r:APPLIES_TO]-() ON (r.posting);

CREATE INDEX hindlore_matches_by_time IF NOT EXISTS
FOR ()-[r:MATCHES]-() ON (r.by_time);

CREATE INDEX hindlore_met_by_end IF NOT EXISTS
FOR ()-[r:MET]-() ON (r.by_end);

CREATE INDEX hindlore_activated_by_time IF NOT EXISTS
FOR ()-[r:ACTIVATED]-() ON (r.by_time);

CREATE INDEX hindlore_activated_by_age IF NOT EXISTS
FOR ()-[r:ACTIVATED]-() ON (r.by_age);

CREATE INDEX hindlore_activated_by_step IF NOT EXISTS
FOR ()-[r:ACTIVATED]-() ON (r.by_step);

CREATE INDEX hindlore_activated_by_verdict IF NOT EXISTS
FOR ()-[r:ACTIVATED]-() ON (r.by_verdict);

CREATE INDEX hindlore_lesson_of_status IF NOT EXISTS
FOR (n:Lesson) ON (n.status, n.by_birth);
