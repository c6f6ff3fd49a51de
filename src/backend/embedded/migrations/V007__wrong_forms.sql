-- Wrong forms: the key by which a lesson is found before an action. A lesson that is out of use, or that calls no form
-- wrong, has none. The engine notes the keys of the lessons that are there, since only it can read their rules.

ALTER TABLE lessons ADD COLUMN wrong_form TEXT;

CREATE INDEX lessons_of_wrong_form
    ON lessons (learner, wrong_form, status DESC, evidence_at DESC, id)
    WHERE wrong_form IS NOT NULL;
