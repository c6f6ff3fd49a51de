// All constraints and indexes. The identities and orders of our nodes are properties that begin with `hindlore_`: nodes of
// other programs under our labels lack them, so no constraint of ours refuses such a node, and no index contains one. No
// text of a bullet, a query, a delta, an error or a record is in any index.

// Memories: learners, bullets, events and links.

CREATE CONSTRAINT hindlore_learner_identity IF NOT EXISTS
FOR (n:Learner) REQUIRE n.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_scope_identity IF NOT EXISTS
FOR (n:ContextScope) REQUIRE n.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_bullet_identity IF NOT EXISTS
FOR (n:Bullet) REQUIRE n.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_delta_identity IF NOT EXISTS
FOR (n:Delta) REQUIRE n.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_retrieval_identity IF NOT EXISTS
FOR (n:Retrieval) REQUIRE n.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_checkpoint_identity IF NOT EXISTS
FOR (n:Checkpoint) REQUIRE n.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_tag_identity IF NOT EXISTS
FOR (n:Tag) REQUIRE n.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_topic_identity IF NOT EXISTS
FOR (n:Topic) REQUIRE n.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_concept_identity IF NOT EXISTS
FOR (n:Concept) REQUIRE n.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_delta_revision_identity IF NOT EXISTS
FOR (n:Delta) REQUIRE (n.hindlore_memory, n.revision) IS UNIQUE;

CREATE CONSTRAINT hindlore_event_tick_identity IF NOT EXISTS
FOR (n:Event) REQUIRE (n.hindlore_memory, n.tick) IS UNIQUE;

CREATE CONSTRAINT ace_bullet_hash_unique IF NOT EXISTS
FOR (n:Bullet) REQUIRE n.hindlore_hash_key IS UNIQUE;

CREATE CONSTRAINT hindlore_policy_identity IF NOT EXISTS
FOR (n:Policy) REQUIRE n.hindlore_key IS UNIQUE;

CREATE INDEX hindlore_index_bullet_changed IF NOT EXISTS
FOR (n:Bullet) ON (n.hindlore_memory, n.changed_tick);

CREATE INDEX hindlore_index_learner_tenant IF NOT EXISTS
FOR (n:Learner) ON (n.tenant);

CREATE INDEX hindlore_index_tag_owner IF NOT EXISTS
FOR (n:Tag) ON (n.hindlore_owner);

CREATE INDEX hindlore_index_topic_owner IF NOT EXISTS
FOR (n:Topic) ON (n.hindlore_owner);

CREATE INDEX hindlore_index_concept_owner IF NOT EXISTS
FOR (n:Concept) ON (n.hindlore_owner);

CREATE INDEX hindlore_index_follows_changed IF NOT EXISTS
FOR ()-[r:FOLLOWS]-() ON (r.hindlore_memory, r.changed_tick);

CREATE INDEX hindlore_index_similar_to_changed IF NOT EXISTS
FOR ()-[r:SIMILAR_TO]-() ON (r.hindlore_memory, r.changed_tick);

CREATE INDEX hindlore_index_conflicts_with_changed IF NOT EXISTS
FOR ()-[r:CONFLICTS_WITH]-() ON (r.hindlore_memory, r.changed_tick);

CREATE INDEX hindlore_index_merged_into_changed IF NOT EXISTS
FOR ()-[r:MERGED_INTO]-() ON (r.hindlore_memory, r.changed_tick);

CREATE INDEX hindlore_index_unlinked_changed IF NOT EXISTS
FOR ()-[r:UNLINKED]-() ON (r.hindlore_memory, r.changed_tick);

CREATE INDEX hindlore_index_supersedes_changed IF NOT EXISTS
FOR ()-[r:SUPERSEDES]-() ON (r.hindlore_memory, r.changed_tick);

CREATE INDEX hindlore_index_reconciled_with_changed IF NOT EXISTS
FOR ()-[r:RECONCILED_WITH]-() ON (r.hindlore_memory, r.changed_tick);

CREATE INDEX hindlore_index_consolidated_from_changed IF NOT EXISTS
FOR ()-[r:CONSOLIDATED_FROM]-() ON (r.hindlore_memory, r.changed_tick);

// Lessons, runs and errors. An order key begins with the owner and ends with the id, so that each list is one range of an
// index. A node that is not in a list lacks the property.

CREATE CONSTRAINT hindlore_lesson_identity IF NOT EXISTS
FOR (n:Lesson) REQUIRE n.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_run_identity IF NOT EXISTS
FOR (n:Run) REQUIRE n.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_run_step_identity IF NOT EXISTS
FOR (n:RunStep) REQUIRE n.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_error_event_identity IF NOT EXISTS
FOR (n:ErrorEvent) REQUIRE n.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_fingerprint_identity IF NOT EXISTS
FOR (n:Fingerprint) REQUIRE n.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_task_identity IF NOT EXISTS
FOR (n:Task) REQUIRE n.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_domain_identity IF NOT EXISTS
FOR (n:Domain) REQUIRE n.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_tool_identity IF NOT EXISTS
FOR (n:Tool) REQUIRE n.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_lesson_source_identity IF NOT EXISTS
FOR (n:LessonSource) REQUIRE n.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_decision_identity IF NOT EXISTS
FOR (n:Decision) REQUIRE n.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_review_identity IF NOT EXISTS
FOR (n:Review) REQUIRE n.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_operation_identity IF NOT EXISTS
FOR (n:Operation) REQUIRE n.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_activated_identity IF NOT EXISTS
FOR ()-[r:ACTIVATED]-() REQUIRE r.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_met_identity IF NOT EXISTS
FOR ()-[r:MET]-() REQUIRE r.hindlore_key IS UNIQUE;

CREATE CONSTRAINT hindlore_conflicts_with_pair_identity IF NOT EXISTS
FOR ()-[r:CONFLICTS_WITH]-() REQUIRE r.hindlore_pair IS UNIQUE;

CREATE CONSTRAINT hindlore_step_body_identity IF NOT EXISTS
FOR (n:StepBody) REQUIRE n.hindlore_key IS UNIQUE;

CREATE INDEX hindlore_index_learner_name IF NOT EXISTS
FOR (n:Learner) ON (n.tenant, n.id);

CREATE INDEX hindlore_index_run_by_start IF NOT EXISTS
FOR (n:Run) ON (n.hindlore_by_start);

CREATE INDEX hindlore_index_run_by_idleness IF NOT EXISTS
FOR (n:Run) ON (n.hindlore_by_idleness);

CREATE INDEX hindlore_index_run_by_task IF NOT EXISTS
FOR (n:Run) ON (n.hindlore_by_task);

CREATE INDEX hindlore_index_run_by_domain IF NOT EXISTS
FOR (n:Run) ON (n.hindlore_by_domain);

CREATE INDEX hindlore_index_run_by_ending IF NOT EXISTS
FOR (n:Run) ON (n.hindlore_by_ending);

CREATE INDEX hindlore_index_error_event_by_time IF NOT EXISTS
FOR (n:ErrorEvent) ON (n.hindlore_by_time);

CREATE INDEX hindlore_index_error_event_by_run IF NOT EXISTS
FOR (n:ErrorEvent) ON (n.hindlore_by_run);

CREATE INDEX hindlore_index_error_event_by_task IF NOT EXISTS
FOR (n:ErrorEvent) ON (n.hindlore_by_task);

CREATE INDEX hindlore_index_error_event_by_domain IF NOT EXISTS
FOR (n:ErrorEvent) ON (n.hindlore_by_domain);

CREATE INDEX hindlore_index_error_event_by_step IF NOT EXISTS
FOR (n:ErrorEvent) ON (n.hindlore_by_step);

CREATE INDEX hindlore_index_lesson_by_birth IF NOT EXISTS
FOR (n:Lesson) ON (n.hindlore_by_birth);

CREATE INDEX hindlore_index_lesson_source_by_lesson IF NOT EXISTS
FOR (n:LessonSource) ON (n.hindlore_by_lesson);

CREATE INDEX hindlore_index_decision_by_lesson IF NOT EXISTS
FOR (n:Decision) ON (n.hindlore_by_lesson);

CREATE INDEX hindlore_index_review_by_lesson IF NOT EXISTS
FOR (n:Review) ON (n.hindlore_by_lesson);

CREATE INDEX hindlore_index_triggered_by_posting IF NOT EXISTS
FOR ()-[r:TRIGGERED_BY]-() ON (r.hindlore_posting);

CREATE INDEX hindlore_index_tagged_posting IF NOT EXISTS
FOR ()-[r:TAGGED]-() ON (r.hindlore_posting);

CREATE INDEX hindlore_index_applies_to_posting IF NOT EXISTS
FOR ()-[r:APPLIES_TO]-() ON (r.hindlore_posting);

CREATE INDEX hindlore_index_matches_by_time IF NOT EXISTS
FOR ()-[r:MATCHES]-() ON (r.hindlore_by_time);

CREATE INDEX hindlore_index_met_by_end IF NOT EXISTS
FOR ()-[r:MET]-() ON (r.hindlore_by_end);

CREATE INDEX hindlore_index_activated_by_time IF NOT EXISTS
FOR ()-[r:ACTIVATED]-() ON (r.hindlore_by_time);

CREATE INDEX hindlore_index_activated_by_age IF NOT EXISTS
FOR ()-[r:ACTIVATED]-() ON (r.hindlore_by_age);

CREATE INDEX hindlore_index_activated_by_step IF NOT EXISTS
FOR ()-[r:ACTIVATED]-() ON (r.hindlore_by_step);

CREATE INDEX hindlore_index_activated_by_verdict IF NOT EXISTS
FOR ()-[r:ACTIVATED]-() ON (r.hindlore_by_verdict);

CREATE INDEX hindlore_index_lesson_of_status IF NOT EXISTS
FOR (n:Lesson) ON (n.status, n.hindlore_by_birth);

CREATE INDEX hindlore_index_lesson_by_wrong_form IF NOT EXISTS
FOR (n:Lesson) ON (n.hindlore_by_wrong_form);

CREATE INDEX hindlore_index_decision_by_time IF NOT EXISTS
FOR (n:Decision) ON (n.hindlore_by_time);

CREATE INDEX hindlore_index_run_step_by_id IF NOT EXISTS
FOR (n:RunStep) ON (n.hindlore_by_id);

CREATE INDEX hindlore_index_run_by_agent IF NOT EXISTS
FOR (n:Run) ON (n.hindlore_by_agent);

CREATE INDEX hindlore_index_run_by_user IF NOT EXISTS
FOR (n:Run) ON (n.hindlore_by_user);

CREATE INDEX hindlore_index_run_by_task_type IF NOT EXISTS
FOR (n:Run) ON (n.hindlore_by_task_type);

CREATE INDEX hindlore_index_run_by_status IF NOT EXISTS
FOR (n:Run) ON (n.hindlore_by_status);

CREATE INDEX hindlore_index_run_by_parent IF NOT EXISTS
FOR (n:Run) ON (n.hindlore_by_parent);

CREATE INDEX hindlore_index_run_by_relearning IF NOT EXISTS
FOR (n:Run) ON (n.hindlore_by_relearning);

CREATE INDEX hindlore_index_run_by_due IF NOT EXISTS
FOR (n:Run) ON (n.hindlore_by_due);

// Records of erasures.

CREATE CONSTRAINT hindlore_erasure_identity IF NOT EXISTS
FOR (n:Erasure) REQUIRE n.hindlore_key IS UNIQUE;

CREATE INDEX hindlore_index_erasure_by_tenant IF NOT EXISTS
FOR (n:Erasure) ON (n.hindlore_by_tenant);

CREATE INDEX hindlore_index_erasure_by_learner IF NOT EXISTS
FOR (n:Erasure) ON (n.hindlore_by_learner);

// Records: each has its own label and the label `Record`. A kind numbers its orders.

CREATE CONSTRAINT hindlore_record_key_unique IF NOT EXISTS
FOR (n:Record) REQUIRE n.hindlore_key IS UNIQUE;

CREATE INDEX hindlore_record_order_1 IF NOT EXISTS
FOR (n:Record) ON (n.hindlore_order_1);

CREATE INDEX hindlore_record_order_2 IF NOT EXISTS
FOR (n:Record) ON (n.hindlore_order_2);

CREATE INDEX hindlore_record_order_3 IF NOT EXISTS
FOR (n:Record) ON (n.hindlore_order_3);

CREATE INDEX hindlore_record_order_4 IF NOT EXISTS
FOR (n:Record) ON (n.hindlore_order_4);

CREATE INDEX hindlore_record_order_5 IF NOT EXISTS
FOR (n:Record) ON (n.hindlore_order_5);

CREATE INDEX hindlore_record_order_6 IF NOT EXISTS
FOR (n:Record) ON (n.hindlore_order_6);

CREATE INDEX hindlore_record_order_7 IF NOT EXISTS
FOR (n:Record) ON (n.hindlore_order_7);

CREATE INDEX hindlore_record_order_8 IF NOT EXISTS
FOR (n:Record) ON (n.hindlore_order_8);
