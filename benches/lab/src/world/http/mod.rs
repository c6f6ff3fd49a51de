//! Interfaces over HTTP, without a network: routes, authorisation, pages, limits and faults from data.
//!
//! A request is one line: `[after Ns] METHOD PATH[?query] [Name: value] {body}`. Time is counted in ticks,
//! one for each request and as many as a request waits; a limit on calls and passing faults are part of
//! the world, the latter by the seed alone, so that every arm meets the same ones.

mod api;
mod request;

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::World;
use crate::chance::Chance;
use crate::feedback::{Feedback, Intent, Verdict};
use crate::tool::Setting;
pub use api::Api;
use api::{Endpoint, Refusal};
use request::Request;

/// Every way in which a request can be refused, `error` being the frame of the text.
pub(super) const ERRORS: &[&str] = &[
    "error",
    "malformed",
    "unknown_query",
    "missing_query",
    "bad_body",
    "no_auth",
    "wrong_auth",
    "no_route",
    "no_record",
    "wrong_method",
    "missing_field",
    "unknown_field",
    "wrong_type",
    "too_many",
    "unavailable",
];

/// A task of an interface.
#[derive(Debug)]
pub(super) struct HttpWorld {
    api: Arc<Api>,
    setting: Setting,
    records: Vec<Map<String, Value>>,
    seen: Vec<Value>,
    calls: VecDeque<u64>,
    tick: u64,
    faults: Chance,
    done: usize,
}

impl HttpWorld {
    /// An interface with the records that its folder holds.
    pub(super) fn new(api: Arc<Api>, setting: Setting) -> Self {
        Self {
            records: api.records.clone(),
            seen: Vec::new(),
            calls: VecDeque::new(),
            tick: 0,
            faults: Chance::of(setting.seed, "faults"),
            done: 0,
            api,
            setting,
        }
    }

    fn message(&self, refusal: &Refusal) -> String {
        let status = refusal.status.to_string();
        self.setting
            .said(refusal.kind, &refusal.values, ("status", &status))
    }

    /// Counts the call against the limit; passing faults strike before anything is looked at.
    fn admitted(&mut self, waits: u64) -> Result<(), Refusal> {
        self.tick += 1 + waits;
        let is_faulty = self.faults.share() < self.api.faults;
        while self
            .calls
            .front()
            .is_some_and(|call| call + self.api.window <= self.tick)
        {
            self.calls.pop_front();
        }
        if self.calls.len() as u64 >= self.api.calls {
            let wait = self
                .calls
                .front()
                .map_or(1, |call| call + self.api.window - self.tick);
            return Err(Refusal::new(
                429,
                "too_many",
                &[("seconds", &wait.to_string())],
            ));
        }
        self.calls.push_back(self.tick);
        if is_faulty {
            Err(Refusal::new(503, "unavailable", &[]))
        } else {
            Ok(())
        }
    }

    fn answer(&mut self, action: &str) -> Result<String, Refusal> {
        let request = Request::read(action);
        self.admitted(request.as_ref().map_or(0, |request| request.waits))?;
        let request = request.ok_or_else(|| Refusal::new(400, "malformed", &[]))?;
        let api = self.api.clone();
        let (endpoint, id) = api.admits(&request)?;
        self.carried_out(endpoint, id.as_deref(), &request)
    }

    fn carried_out(
        &mut self,
        endpoint: &Endpoint,
        id: Option<&str>,
        request: &Request,
    ) -> Result<String, Refusal> {
        let place = id.map(|id| {
            let found = self
                .records
                .iter()
                .position(|record| text(record.get("id")) == id);
            found.ok_or_else(|| Refusal::new(404, "no_record", &[("id", id)]))
        });
        let place = place.transpose()?;
        let answer = match (endpoint.does.as_str(), place) {
            ("list", _) => {
                let page = request.number(&self.api.page_name).unwrap_or(1).max(1) as usize;
                let size = self.api.page_size;
                let page: Vec<Value> = self
                    .records
                    .iter()
                    .skip((page - 1) * size)
                    .take(size)
                    .cloned()
                    .map(Value::Object)
                    .collect();
                self.seen
                    .extend(page.iter().filter_map(|record| record.get("id").cloned()));
                Value::Array(page)
            }
            ("create", _) => {
                let mut record = request.body.clone();
                record.insert("id".to_owned(), Value::from(self.next_id()));
                self.records.push(record.clone());
                Value::Object(record)
            }
            ("change", Some(at)) => {
                self.records[at].extend(request.body.clone());
                Value::Object(self.records[at].clone())
            }
            ("remove", Some(at)) => Value::Object(self.records.remove(at)),
            (_, Some(at)) => {
                self.seen.extend(self.records[at].get("id").cloned());
                Value::Object(self.records[at].clone())
            }
            (_, None) => return Err(Refusal::new(404, "no_route", &[("path", &request.path)])),
        };
        Ok(format!("200 {answer}"))
    }

    fn next_id(&self) -> u64 {
        let ids = self
            .records
            .iter()
            .filter_map(|record| record.get("id").and_then(Value::as_u64));
        ids.max().unwrap_or(0) + 1
    }

    /// Whether the answered request is the one of the plan: the same as the reference's.
    fn is_meant(&self, action: &str) -> bool {
        let step = self.setting.task.plan.get(self.done);
        let right = step.and_then(|step| self.api.request(step).ok());
        let (right, made) = (
            right.and_then(|line| Request::read(&line)),
            Request::read(action),
        );
        right
            .zip(made)
            .is_some_and(|(right, made)| right.means_the_same(&made))
    }
}

impl World for HttpWorld {
    fn next(&self) -> Option<Intent> {
        let step = self.setting.task.plan.get(self.done)?;
        let mut data = step.data.clone();
        data.insert("token".to_owned(), Value::from(self.api.token.as_str()));
        Some(Intent {
            name: step.intent.clone(),
            data,
        })
    }

    fn state(&self) -> String {
        format!("step {} of {}", self.done + 1, self.setting.task.plan.len())
    }

    /// A request that is answered but differs from the plan has an effect of its own, which is undone before the
    /// constraint is reported: the client asked for something else than it got.
    fn act(&mut self, action: &str) -> Feedback {
        let (records, seen) = (self.records.clone(), self.seen.clone());
        let is_meant = self.is_meant(action);
        match self.answer(action) {
            Err(refusal) => Feedback::refused(self.message(&refusal)),
            Ok(_) if !is_meant => {
                (self.records, self.seen) = (records, seen);
                Feedback::broken("constraint_failed", 0.0)
            }
            Ok(answer) => {
                self.done += 1;
                Feedback::done(1.0 / self.setting.task.plan.len() as f64, answer)
            }
        }
    }

    fn verdict(&self) -> Verdict {
        let expected = &self.setting.task.expected;
        let wanted = |key: &str| expected.get(key).and_then(Value::as_array);
        let records: Vec<Value> = self.records.iter().cloned().map(Value::Object).collect();
        let has_records = wanted("records").is_none_or(|wanted| *wanted == records);
        let has_seen = wanted("seen").is_none_or(|wanted| *wanted == self.seen);
        let plan = self.setting.task.plan.len();
        Verdict {
            passed: self.done == plan && has_records && has_seen,
            score: self.done as f64 / plan.max(1) as f64,
        }
    }
}

fn text(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => String::new(),
    }
}
