// Identities and orders under property names that begin with our own name: what other programs keep under our labels has
// none of these properties, so it is not in these constraints and indexes, and nothing of it stands in their way.
//
// This file stands for all constraints and indexes of the ones before it, except those of records, which have such names
// already. A new database gets these alone. In a database of an older engine they are made beside the older ones, and are
// empty until V019. No text of a bullet, a query, a delta or an error is in any index.

CREATE CONSTRAINT mnemograph_learner_identity IF NOT EXISTS
FOR (n:Learner) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_scope_identity IF NOT EXISTS
FOR (n:ContextScope) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_bullet_identity IF NOT EXISTS
FOR (n:Bullet) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_delta_identity IF NOT EXISTS
FOR (n:Delta) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_retrieval_identity IF NOT EXISTS
FOR (n:Retrieval) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_checkpoint_identity IF NOT EXISTS
FOR (n:Checkpoint) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_tag_identity IF NOT EXISTS
FOR (n:Tag) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_topic_identity IF NOT EXISTS
FOR (n:Topic) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_concept_identity IF NOT EXISTS
FOR (n:Concept) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_delta_revision_identity IF NOT EXISTS
FOR (n:Delta) REQUIRE (n.mnemograph_memory, n.revision) IS UNIQUE;

CREATE CONSTRAINT mnemograph_event_tick_identity IF NOT EXISTS
FOR (n:Event) REQUIRE (n.mnemograph_memory, n.tick) IS UNIQUE;

CREATE INDEX mnemograph_index_bullet_changed IF NOT EXISTS
FOR (n:Bullet) ON (n.mnemograph_memory, n.changed_tick);

CREATE INDEX mnemograph_index_learner_tenant IF NOT EXISTS
FOR (n:Learner) ON (n.tenant);

CREATE INDEX mnemograph_index_tag_owner IF NOT EXISTS
FOR (n:Tag) ON (n.mnemograph_owner);

CREATE INDEX mnemograph_index_topic_owner IF NOT EXISTS
FOR (n:Topic) ON (n.mnemograph_owner);

CREATE INDEX mnemograph_index_concept_owner IF NOT EXISTS
FOR (n:Concept) ON (n.mnemograph_owner);

CREATE INDEX mnemograph_index_follows_changed IF NOT EXISTS
FOR ()-[r:FOLLOWS]-() ON (r.mnemograph_memory, r.changed_tick);

CREATE INDEX mnemograph_index_similar_to_changed IF NOT EXISTS
FOR ()-[r:SIMILAR_TO]-() ON (r.mnemograph_memory, r.changed_tick);

CREATE INDEX mnemograph_index_conflicts_with_changed IF NOT EXISTS
FOR ()-[r:CONFLICTS_WITH]-() ON (r.mnemograph_memory, r.changed_tick);

CREATE INDEX mnemograph_index_merged_into_changed IF NOT EXISTS
FOR ()-[r:MERGED_INTO]-() ON (r.mnemograph_memory, r.changed_tick);

CREATE INDEX mnemograph_index_unlinked_changed IF NOT EXISTS
FOR ()-[r:UNLINKED]-() ON (r.mnemograph_memory, r.changed_tick);

CREATE CONSTRAINT mnemograph_lesson_identity IF NOT EXISTS
FOR (n:Lesson) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_run_identity IF NOT EXISTS
FOR (n:Run) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_run_step_identity IF NOT EXISTS
FOR (n:RunStep) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_error_event_identity IF NOT EXISTS
FOR (n:ErrorEvent) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_fingerprint_identity IF NOT EXISTS
FOR (n:Fingerprint) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_task_identity IF NOT EXISTS
FOR (n:Task) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_domain_identity IF NOT EXISTS
FOR (n:Domain) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_tool_identity IF NOT EXISTS
FOR (n:Tool) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_lesson_source_identity IF NOT EXISTS
FOR (n:LessonSource) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_decision_identity IF NOT EXISTS
FOR (n:Decision) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_review_identity IF NOT EXISTS
FOR (n:Review) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_operation_identity IF NOT EXISTS
FOR (n:Operation) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_activated_identity IF NOT EXISTS
FOR ()-[r:ACTIVATED]-() REQUIRE r.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_met_identity IF NOT EXISTS
FOR ()-[r:MET]-() REQUIRE r.mnemograph_key IS UNIQUE;

CREATE CONSTRAINT mnemograph_conflicts_with_pair_identity IF NOT EXISTS
FOR ()-[r:CONFLICTS_WITH]-() REQUIRE r.mnemograph_pair IS UNIQUE;

CREATE INDEX mnemograph_index_learner_name IF NOT EXISTS
FOR (n:Learner) ON (n.tenant, n.id);

CREATE INDEX mnemograph_index_run_by_start IF NOT EXISTS
FOR (n:Run) ON (n.mnemograph_by_start);

CREATE INDEX mnemograph_index_run_by_idleness IF NOT EXISTS
FOR (n:Run) ON (n.mnemograph_by_idleness);

CREATE INDEX mnemograph_index_run_by_task IF NOT EXISTS
FOR (n:Run) ON (n.mnemograph_by_task);

CREATE INDEX mnemograph_index_run_by_domain IF NOT EXISTS
FOR (n:Run) ON (n.mnemograph_by_domain);

CREATE INDEX mnemograph_index_run_by_ending IF NOT EXISTS
FOR (n:Run) ON (n.mnemograph_by_ending);

CREATE INDEX mnemograph_index_error_event_by_time IF NOT EXISTS
FOR (n:ErrorEvent) ON (n.mnemograph_by_time);

CREATE INDEX mnemograph_index_error_event_by_run IF NOT EXISTS
FOR (n:ErrorEvent) ON (n.mnemograph_by_run);

CREATE INDEX mnemograph_index_error_event_by_task IF NOT EXISTS
FOR (n:ErrorEvent) ON (n.mnemograph_by_task);

CREATE INDEX mnemograph_index_error_event_by_domain IF NOT EXISTS
FOR (n:ErrorEvent) ON (n.mnemograph_by_domain);

CREATE INDEX mnemograph_index_error_event_by_step IF NOT EXISTS
FOR (n:ErrorEvent) ON (n.mnemograph_by_step);

CREATE INDEX mnemograph_index_lesson_by_birth IF NOT EXISTS
FOR (n:Lesson) ON (n.mnemograph_by_birth);

CREATE INDEX mnemograph_index_lesson_source_by_lesson IF NOT EXISTS
FOR (n:LessonSource) ON (n.mnemograph_by_lesson);

CREATE INDEX mnemograph_index_decision_by_lesson IF NOT EXISTS
FOR (n:Decision) ON (n.mnemograph_by_lesson);

CREATE INDEX mnemograph_index_review_by_lesson IF NOT EXISTS
FOR (n:Review) ON (n.mnemograph_by_lesson);

CREATE INDEX mnemograph_index_triggered_by_posting IF NOT EXISTS
FOR ()-[r:TRIGGERED_BY]-() ON (r.mnemograph_posting);

CREATE INDEX mnemograph_index_tagged_posting IF NOT EXISTS
FOR ()-[r:TAGGED]-() ON (r.mnemograph_posting);

CREATE INDEX mnemograph_index_applies_to_posting IF NOT EXISTS
FOR ()-[r:APPLIES_TO]-() ON (r.mnemograph_posting);

CREATE INDEX mnemograph_index_matches_by_time IF NOT EXISTS
FOR ()-[r:MATCHES]-() ON (r.mnemograph_by_time);

CREATE INDEX mnemograph_index_met_by_end IF NOT EXISTS
FOR ()-[r:MET]-() ON (r.mnemograph_by_end);

CREATE INDEX mnemograph_index_activated_by_time IF NOT EXISTS
FOR ()-[r:ACTIVATED]-() ON (r.mnemograph_by_time);

CREATE INDEX mnemograph_index_activated_by_age IF NOT EXISTS
FOR ()-[r:ACTIVATED]-() ON (r.mnemograph_by_age);

CREATE INDEX mnemograph_index_activated_by_step IF NOT EXISTS
FOR ()-[r:ACTIVATED]-() ON (r.mnemograph_by_step);

CREATE INDEX mnemograph_index_activated_by_verdict IF NOT EXISTS
FOR ()-[r:ACTIVATED]-() ON (r.mnemograph_by_verdict);

CREATE INDEX mnemograph_index_lesson_of_status IF NOT EXISTS
FOR (n:Lesson) ON (n.status, n.mnemograph_by_birth);

CREATE CONSTRAINT mnemograph_erasure_identity IF NOT EXISTS
FOR (n:Erasure) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE INDEX mnemograph_index_erasure_by_tenant IF NOT EXISTS
FOR (n:Erasure) ON (n.mnemograph_by_tenant);

CREATE INDEX mnemograph_index_erasure_by_learner IF NOT EXISTS
FOR (n:Erasure) ON (n.mnemograph_by_learner);

CREATE INDEX mnemograph_index_lesson_by_wrong_form IF NOT EXISTS
FOR (n:Lesson) ON (n.mnemograph_by_wrong_form);

CREATE INDEX mnemograph_index_supersedes_changed IF NOT EXISTS
FOR ()-[r:SUPERSEDES]-() ON (r.mnemograph_memory, r.changed_tick);

CREATE INDEX mnemograph_index_reconciled_with_changed IF NOT EXISTS
FOR ()-[r:RECONCILED_WITH]-() ON (r.mnemograph_memory, r.changed_tick);

CREATE INDEX mnemograph_index_decision_by_time IF NOT EXISTS
FOR (n:Decision) ON (n.mnemograph_by_time);

CREATE CONSTRAINT mnemograph_step_body_identity IF NOT EXISTS
FOR (n:StepBody) REQUIRE n.mnemograph_key IS UNIQUE;

CREATE INDEX mnemograph_index_run_step_by_id IF NOT EXISTS
FOR (n:RunStep) ON (n.mnemograph_by_id);

CREATE INDEX mnemograph_index_run_by_agent IF NOT EXISTS
FOR (n:Run) ON (n.mnemograph_by_agent);

CREATE INDEX mnemograph_index_run_by_user IF NOT EXISTS
FOR (n:Run) ON (n.mnemograph_by_user);

CREATE INDEX mnemograph_index_run_by_task_type IF NOT EXISTS
FOR (n:Run) ON (n.mnemograph_by_task_type);

CREATE INDEX mnemograph_index_run_by_status IF NOT EXISTS
FOR (n:Run) ON (n.mnemograph_by_status);

CREATE INDEX mnemograph_index_run_by_parent IF NOT EXISTS
FOR (n:Run) ON (n.mnemograph_by_parent);

CREATE INDEX mnemograph_index_run_by_relearning IF NOT EXISTS
FOR (n:Run) ON (n.mnemograph_by_relearning);

CREATE INDEX mnemograph_index_run_by_due IF NOT EXISTS
FOR (n:Run) ON (n.mnemograph_by_due);

CREATE INDEX mnemograph_index_consolidated_from_changed IF NOT EXISTS
FOR ()-[r:CONSOLIDATED_FROM]-() ON (r.mnemograph_memory, r.changed_tick);
