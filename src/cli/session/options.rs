//! The options of engines, from the settings.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::Session;
use crate::{lesson_rules, models, policy, redaction, trajectory_policy};
use hindlore::lessons::LessonRules;
use hindlore::{Durability, EngineOptions};
use hindlore_api::problem::Problem;
use hindlore_config::Settings;
use hindlore_domain::memory::apply::Tables;
use hindlore_domain::playbook::RetentionRules;

impl Session {
    /// Options of engines made by this session.
    pub(crate) fn engine_options(&self) -> Result<EngineOptions, Problem> {
        let settings = &self.settings;
        if !self.faults().is_empty() {
            return Ok(self.options_without_faults());
        }
        let tables = policy::tables(settings)?;
        Ok(EngineOptions {
            instance: settings.text_or_empty("instance").to_owned(),
            author: settings.text("author").map(str::to_owned),
            policy: policy::local(settings, &tables)?,
            seeds: settings.switch("seeds"),
            tables: Arc::new(tables),
            log_contents: settings.switch("log_contents"),
            lessons: Arc::new(LessonRules {
                trajectories: trajectory_policy::read(settings)?,
                proposer: settings
                    .switch("lessons.use_model")
                    .then(|| models::proposer(settings)),
                reflector: settings
                    .switch("reflection.use_model")
                    .then(|| models::proposer(settings)),
                ..lesson_rules::read(settings)?
            }),
            durability: durability(settings)?,
            reread_after: settings
                .whole("reread_after_minutes")
                .filter(|it| *it > 0)
                .map(|minutes| Duration::from_secs(minutes * 60)),
            consolidate_above: self.consolidate_above(),
            playbooks: retention(settings)?,
            redactor: Arc::new(redaction::read(settings)?),
            embeddings: models::embeddings(settings, self.model_use())?,
        })
    }

    /// The line above which a memory is consolidated in the background. A command that ends with its answer would wait
    /// for it, so only one whose user set the line consolidates.
    fn consolidate_above(&self) -> Option<u64> {
        let name = "consolidate_above";
        let is_wanted = self.stays() || self.settings.is_given(name);
        self.settings.whole(name).filter(|it| *it > 0 && is_wanted)
    }

    /// The valid part of the settings; for reading only.
    fn options_without_faults(&self) -> EngineOptions {
        let settings = &self.settings;
        let tables = policy::tables(settings).unwrap_or_else(|_| Tables::standard());
        EngineOptions {
            instance: settings.text_or_empty("instance").to_owned(),
            policy: policy::local_with_faults(settings, &tables).0,
            seeds: settings.switch("seeds"),
            tables: Arc::new(tables),
            lessons: Arc::new(lesson_rules::read(settings).unwrap_or_default()),
            ..EngineOptions::default()
        }
    }
}

/// Which versions of playbooks keep their strategies, from the settings.
fn retention(settings: &Settings) -> Result<RetentionRules, Problem> {
    let default = RetentionRules::default();
    let given = settings.value("playbook.version_retention");
    let number = |name: &str, default: u32| match given {
        Some(Value::Object(fields)) => fields.get(name).map_or(Ok(default), whole),
        Some(value) if name == "keep_latest" => whole(value),
        _ => Ok(default),
    };
    Ok(RetentionRules {
        latest: number("keep_latest", default.latest)?,
        days: number("keep_days", default.days)?,
    })
}

fn whole(value: &Value) -> Result<u32, Problem> {
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| {
        let message = "`playbook.version_retention` is too large";
        Problem::new("invalid_config", message)
            .with_hint("give the number of newest versions that keep their strategies")
    })
}

/// When retrievals are answered, from the settings.
pub(super) fn durability(settings: &Settings) -> Result<Durability, Problem> {
    let window = Duration::from_millis(settings.whole("grouped_window_ms").unwrap_or_default());
    match settings.text_or_empty("durability") {
        "durable" => Ok(Durability::Durable),
        "grouped" => Ok(Durability::Grouped { window }),
        other => {
            let message = format!("durability is `{other}`");
            Err(Problem::new("invalid_config", message).with_hint(
                "`durable` answers when the record is on disk, `grouped` at once, with \
                 `grouped_window_ms` until it is sent to the store",
            ))
        }
    }
}
