// The order of the lessons of a wrong form: the look-up before an action. A lesson that is out of use, or that calls no
// form wrong, lacks the text.

CREATE INDEX hindlore_lesson_by_wrong_form IF NOT EXISTS
FOR (n:Lesson) ON (n.by_wrong_form);
