//! Resources: the most used verbs at the addresses where people look for them, such as `GET /v1/bullets/{id}`.
//!
//! They are a table: each row names a verb, and the verb does the work. The other routes are named after verbs and need no
//! table.

mod answering;

pub(super) use answering::called;

/// A method of an address, and its verb.
#[derive(Debug)]
pub(super) struct Resource {
    /// The method.
    pub(super) method: &'static str,
    /// The address; a name in braces is a field of the request.
    pub(super) path: &'static str,
    /// Its name in the document.
    pub(super) operation: &'static str,
    /// The verb.
    pub(super) verb: &'static str,
    /// The verb that shows the changed record; its answer is the answer.
    pub(super) shows: Option<&'static str>,
    /// The field of the body that names the learner.
    pub(super) learner: Option<&'static str>,
}

/// All of them.
#[rustfmt::skip]
pub(super) static RESOURCES: [Resource; 8] = [
    row("GET", "/v1/bullets", "listBullets", "bullets.list"),
    row("POST", "/v1/bullets", "createBullet", "bullets.add").showing("bullets.show"),
    row("GET", "/v1/bullets/{id}", "getBullet", "bullets.show"),
    row("PATCH", "/v1/bullets/{id}", "updateBullet", "bullets.edit").showing("bullets.show"),
    row("DELETE", "/v1/bullets/{id}", "deleteBullet", "bullets.remove"),
    row("GET", "/v1/lessons", "listLessons", "lessons.list"),
    row("GET", "/v1/lessons/{id}", "getLesson", "lessons.show"),
    row("POST", "/v1/memories", "createMemories", "session.keep").of("user_id"),
];

const fn row(
    method: &'static str,
    path: &'static str,
    operation: &'static str,
    verb: &'static str,
) -> Resource {
    Resource {
        method,
        path,
        operation,
        verb,
        shows: None,
        learner: None,
    }
}

impl Resource {
    const fn showing(mut self, verb: &'static str) -> Self {
        self.shows = Some(verb);
        self
    }

    const fn of(mut self, field: &'static str) -> Self {
        self.learner = Some(field);
        self
    }

    /// The field of the request that the address holds.
    pub(super) fn field(&self) -> Option<&'static str> {
        let (_, rest) = self.path.split_once('{')?;
        rest.strip_suffix('}')
    }

    /// True if a request has a body.
    pub(super) fn has_body(&self) -> bool {
        matches!(self.method, "POST" | "PATCH")
    }

    /// True if a request makes a record.
    pub(super) fn creates(&self) -> bool {
        self.method == "POST"
    }
}
