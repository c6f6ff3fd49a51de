// Orders: the listings of lessons, runs and errors, and the ways from an error to a lesson.
//
// Each order is one text: whose it is, what it is sorted by with a fixed number of digits, and an id. A
// reader goes to the front of its part, takes as many as it wants and stops, so that the work does not
// grow with how common a tag is, and ties are cut where every store cuts them. A thing that is not in a
// list lacks the text: an open run is in no list of ended ones. No text of an error, a rule or a state is
// in any index: it may be longer than an index takes.

CREATE INDEX learner_name IF NOT EXISTS
FOR (n:Learner) ON (n.tenant, n.id);

CREATE INDEX run_by_start IF NOT EXISTS
FOR (n:Run) ON (n.by_start);

CREATE INDEX run_by_idleness IF NOT EXISTS
FOR (n:Run) ON (n.by_idleness);

CREATE INDEX run_by_task IF NOT EXISTS
FOR (n:Run) ON (n.by_task);

CREATE INDEX run_by_domain IF NOT EXISTS
FOR (n:Run) ON (n.by_domain);

CREATE INDEX run_by_ending IF NOT EXISTS
FOR (n:Run) ON (n.by_ending);

CREATE INDEX error_event_by_time IF NOT EXISTS
FOR (n:ErrorEvent) ON (n.by_time);

CREATE INDEX error_event_by_run IF NOT EXISTS
FOR (n:ErrorEvent) ON (n.by_run);

CREATE INDEX error_event_by_task IF NOT EXISTS
FOR (n:ErrorEvent) ON (n.by_task);

CREATE INDEX error_event_by_domain IF NOT EXISTS
FOR (n:ErrorEvent) ON (n.by_domain);

CREATE INDEX error_event_by_step IF NOT EXISTS
FOR (n:ErrorEvent) ON (n.by_step);

CREATE INDEX lesson_by_birth IF NOT EXISTS
FOR (n:Lesson) ON (n.by_birth);

CREATE INDEX lesson_by_status IF NOT EXISTS
FOR (n:Lesson) ON (n.by_status);

CREATE INDEX lesson_source_by_lesson IF NOT EXISTS
FOR (n:LessonSource) ON (n.by_lesson);

CREATE INDEX decision_by_lesson IF NOT EXISTS
FOR (n:Decision) ON (n.by_lesson);

CREATE INDEX review_by_lesson IF NOT EXISTS
FOR (n:Review) ON (n.by_lesson);

CREATE INDEX triggered_by_posting IF NOT EXISTS
FOR ()-[r:TRIGGERED_BY]-() ON (r.posting);

CREATE INDEX tagged_posting IF NOT EXISTS
FOR ()-[r:TAGGED]-() ON (r.posting);

CREATE INDEX applies_to_posting IF NOT EXISTS
FOR ()-[r:APPLIES_TO]-() ON (r.posting);

CREATE INDEX matches_by_time IF NOT EXISTS
FOR ()-[r:MATCHES]-() ON (r.by_time);

CREATE INDEX met_by_end IF NOT EXISTS
FOR ()-[r:MET]-() ON (r.by_end);

CREATE INDEX activated_by_time IF NOT EXISTS
FOR ()-[r:ACTIVATED]-() ON (r.by_time);

CREATE INDEX activated_by_age IF NOT EXISTS
FOR ()-[r:ACTIVATED]-() ON (r.by_age);

CREATE INDEX activated_by_step IF NOT EXISTS
FOR ()-[r:ACTIVATED]-() ON (r.by_step);

CREATE INDEX activated_by_verdict IF NOT EXISTS
FOR ()-[r:ACTIVATED]-() ON (r.by_verdict);
