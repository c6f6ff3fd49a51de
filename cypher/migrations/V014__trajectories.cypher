// Trajectories: the orders that list runs by agent, user, type of task, outcome and parent, the queue of those to learn
// from again, and those whose steps are due to go. The body of a step is one node for all steps of a learner that have it.

CREATE CONSTRAINT hindlore_step_body_key_unique IF NOT EXISTS
FOR (n:StepBody) REQUIRE n.key IS UNIQUE;

CREATE INDEX hindlore_run_step_by_id IF NOT EXISTS
FOR (n:RunStep) ON (n.by_id);

CREATE INDEX hindlore_run_by_agent IF NOT EXISTS
FOR (n:Run) ON (n.by_agent);

CREATE INDEX hindlore_run_by_user IF NOT EXISTS
FOR (n:Run) ON (n.by_user);

CREATE INDEX hindlore_run_by_task_type IF NOT EXISTS
FOR (n:Run) ON (n.by_task_type);

CREATE INDEX hindlore_run_by_status IF NOT EXISTS
FOR (n:Run) ON (n.by_status);

CREATE INDEX hindlore_run_by_parent IF NOT EXISTS
FOR (n:Run) ON (n.by_parent);

CREATE INDEX hindlore_run_by_relearning IF NOT EXISTS
FOR (n:Run) ON (n.by_relearning);

CREATE INDEX hindlore_run_by_due IF NOT EXISTS
FOR (n:Run) ON (n.by_due);
