//! Verbs: create, update, curate, restore, archive and use a playbook.

use super::change::{Decided, NewVersion};
use super::read::{PlaybookView, Which};
use super::requests::{About, Curation, NewPlaybook, PlaybookChanged, PlaybookUpdate, UpdateMode};
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::playbook::{
    Change, Curated, CurationRules, Playbook, Proposal, Usage, UsageReport, content_digest, curate,
    parse_playbook_name, playbook_id, replace,
};
use hindlore_primitives::timestamp::Timestamp;

/// Most proposals at once.
const PROPOSALS_MAX: usize = 2_000;

impl Engine {
    /// Makes a playbook.
    ///
    /// # Errors
    /// `PlaybookExists`; `Invalid` for a name or a proposal that cannot be.
    pub async fn create_playbook(
        &self,
        owner: &LearnerId,
        new: NewPlaybook,
    ) -> EngineResult<PlaybookChanged> {
        let name = checked_name(&new.name)?;
        let proposals = checked(new.proposals)?;
        let changed = self.change_playbook(owner, &name, |before, now| {
            let mut playbook = match before {
                None => Playbook::new(name.clone(), now),
                Some(view) if view.playbook.archived && new.revive => view.playbook.clone(),
                Some(_) => return Err(EngineError::PlaybookExists(name.clone())),
            };
            playbook.archived = false;
            describe(&mut playbook, &new.about);
            let curated = self.joined(
                (&playbook.name, before),
                proposals.clone(),
                UpdateMode::Merge,
                now,
            );
            Ok(decided(playbook, curated, |_| {
                version("created".to_owned(), new.author.clone(), false)
            }))
        });
        Ok(changed_from(changed.await?))
    }

    /// Changes the description of a playbook, and its strategies; a missing playbook is created. A change without effect
    /// makes no version.
    ///
    /// # Errors
    /// `NoPlaybook` for an archived playbook; `Invalid` for a name or a proposal that cannot be.
    pub async fn update_playbook(
        &self,
        owner: &LearnerId,
        name: &str,
        update: PlaybookUpdate,
    ) -> EngineResult<PlaybookChanged> {
        let name = checked_name(name)?;
        let proposals = update.proposals.map(checked).transpose()?;
        let changed = self.change_playbook(owner, &name, |before, now| {
            let mut playbook = active_or_new(before, &name, now)?;
            describe(&mut playbook, &update.about);
            let curated = match (&proposals, before) {
                (Some(proposals), _) => self.joined(
                    (&playbook.name, before),
                    proposals.clone(),
                    update.mode,
                    now,
                ),
                (None, Some(view)) => as_it_is(view),
                (None, None) => Curated::default(),
            };
            let reason = update.reason.clone();
            let said = |curated: &Curated| {
                reason
                    .clone()
                    .unwrap_or_else(|| summary(curated, update.mode))
            };
            Ok(decided(playbook, curated, |curated| {
                version(said(curated), update.author.clone(), update.major)
            }))
        });
        Ok(changed_from(changed.await?))
    }

    /// Adds the insights of trajectories to a playbook, which is created if it is missing.
    ///
    /// # Errors
    /// `Invalid` for a name or a proposal that cannot be.
    pub async fn curate_playbook(
        &self,
        owner: &LearnerId,
        name: &str,
        curation: Curation,
    ) -> EngineResult<PlaybookChanged> {
        let name = checked_name(name)?;
        let proposals = checked(curation.proposals)?;
        let changed = self.change_playbook(owner, &name, |before, now| {
            let mut playbook = active_or_new(before, &name, now)?;
            let curated = self.joined(
                (&playbook.name, before),
                proposals.clone(),
                UpdateMode::Merge,
                now,
            );
            if curated.is_change() || before.is_none() {
                playbook.analysed = playbook.analysed.saturating_add(curation.analysed);
                playbook.curations = playbook.curations.saturating_add(1);
                playbook.curated_at = Some(now);
            }
            let said = |curated: &Curated| {
                format!(
                    "{}: {}",
                    curation.source,
                    summary(curated, UpdateMode::Merge)
                )
            };
            Ok(decided(playbook, curated, |curated| {
                version(said(curated), curation.author.clone(), false)
            }))
        });
        Ok(changed_from(changed.await?))
    }

    /// Gives a playbook the strategies of an earlier version again, as a new version; none if they are those it has.
    ///
    /// # Errors
    /// `NoPlaybook`; `NoVersion` for a version that is not there, or whose strategies are gone.
    pub async fn restore_playbook(
        &self,
        owner: &LearnerId,
        name: &str,
        number: u32,
        author: Option<String>,
    ) -> EngineResult<PlaybookChanged> {
        let earlier = self.playbook(owner, name, Which::Number(number)).await?;
        let changed = self.change_playbook(owner, name, |before, _| {
            let view = active(before, name)?;
            let is_same = content_digest(&view.strategies) == content_digest(&earlier.strategies);
            let version = NewVersion {
                strategies: earlier.strategies.clone(),
                reason: format!("restored version {number}"),
                author: author.clone(),
                major: false,
                restores: Some(number),
            };
            Ok(Decided {
                playbook: view.playbook.clone(),
                version: (!is_same).then_some(version),
                answer: (Vec::new(), earlier.strategies.len(), !is_same),
            })
        });
        Ok(changed_from(changed.await?))
    }

    /// Archives a playbook: it is listed no more, and changes no more, until it is made again.
    ///
    /// # Errors
    /// `NoPlaybook` when there is none, or it is archived already.
    pub async fn archive_playbook(&self, owner: &LearnerId, name: &str) -> EngineResult<Playbook> {
        let changed = self.change_playbook(owner, name, |before, _| {
            let mut playbook = active(before, name)?.playbook.clone();
            playbook.archived = true;
            Ok(Decided {
                playbook,
                version: None,
                answer: (),
            })
        });
        Ok(changed.await?.0.playbook)
    }

    /// Counts a use of a playbook.
    ///
    /// # Errors
    /// `NoPlaybook`; `Invalid` for numbers out of range.
    pub async fn use_playbook(
        &self,
        owner: &LearnerId,
        name: &str,
        report: UsageReport,
    ) -> EngineResult<Usage> {
        let changed = self.change_playbook(owner, name, |before, now| {
            let mut playbook = active(before, name)?.playbook.clone();
            playbook.used_at = Some(now);
            playbook.usage = playbook.usage.after(report).map_err(EngineError::Invalid)?;
            Ok(Decided {
                playbook,
                version: None,
                answer: (),
            })
        });
        Ok(changed.await?.0.playbook.usage)
    }

    /// The strategies of a playbook with proposals among them, or in their place.
    fn joined(
        &self,
        (name, before): (&str, Option<&PlaybookView>),
        proposals: Vec<Proposal>,
        mode: UpdateMode,
        now: Timestamp,
    ) -> Curated {
        let id = playbook_id(name);
        let rules = &CurationRules::default();
        let known = before
            .map(|view| view.strategies.as_slice())
            .unwrap_or_default();
        let with = (&self.options().lessons.guard, rules);
        match mode {
            UpdateMode::Merge => curate(&id, known, proposals, with, now),
            UpdateMode::Replace => replace(&id, known, proposals, with, now),
        }
    }
}

/// The answer of a decision: the changes, the number of unchanged strategies, and whether there is a new version.
type Told = (Vec<Change>, usize, bool);

fn changed_from(
    (view, (changes, unchanged, is_new_version)): (PlaybookView, Told),
) -> PlaybookChanged {
    PlaybookChanged {
        view,
        is_new_version,
        changes,
        unchanged,
    }
}

/// The decision for a curated list; a list that is as it was makes no version.
fn decided(
    playbook: Playbook,
    curated: Curated,
    version: impl Fn(&Curated) -> NewVersion,
) -> Decided<Told> {
    let is_change = curated.is_change();
    let version = is_change.then(|| NewVersion {
        strategies: curated.strategies.clone(),
        ..version(&curated)
    });
    Decided {
        playbook,
        version,
        answer: (curated.changes, curated.unchanged, is_change),
    }
}

fn version(reason: String, author: Option<String>, major: bool) -> NewVersion {
    NewVersion {
        strategies: Vec::new(),
        reason,
        author,
        major,
        restores: None,
    }
}

fn as_it_is(view: &PlaybookView) -> Curated {
    Curated {
        strategies: view.strategies.clone(),
        changes: Vec::new(),
        unchanged: view.strategies.len(),
    }
}

fn active<'v>(before: Option<&'v PlaybookView>, name: &str) -> EngineResult<&'v PlaybookView> {
    let found = before.filter(|view| !view.playbook.archived);
    found.ok_or_else(|| EngineError::NoPlaybook(name.to_owned()))
}

fn active_or_new(
    before: Option<&PlaybookView>,
    name: &str,
    now: Timestamp,
) -> EngineResult<Playbook> {
    match before {
        Some(_) => Ok(active(before, name)?.playbook.clone()),
        None => Ok(Playbook::new(name.to_owned(), now)),
    }
}

fn describe(playbook: &mut Playbook, about: &About) {
    if let Some(description) = &about.description {
        playbook.description.clone_from(description);
    }
    playbook.scope = about.scope.unwrap_or(playbook.scope);
    playbook.visibility = about.visibility.unwrap_or(playbook.visibility);
}

fn checked_name(name: &str) -> EngineResult<String> {
    parse_playbook_name(name).map_err(|error| EngineError::Invalid(error.to_string()))
}

fn checked(proposals: Vec<Proposal>) -> EngineResult<Vec<Proposal>> {
    if proposals.len() > PROPOSALS_MAX {
        let count = proposals.len();
        return Err(EngineError::Invalid(format!(
            "{count} strategies at once; give at most {PROPOSALS_MAX}"
        )));
    }
    let one = |(number, proposal): (usize, Proposal)| {
        proposal
            .checked()
            .map_err(|fault| EngineError::Invalid(format!("strategy {number}: {fault}")))
    };
    (1..).zip(proposals).map(one).collect()
}

fn summary(curated: &Curated, mode: UpdateMode) -> String {
    use hindlore_domain::playbook::ChangeKind;
    let parts = [
        (ChangeKind::Added, "added"),
        (ChangeKind::Updated, "updated"),
        (ChangeKind::Moved, "now to avoid"),
        (ChangeKind::Removed, "removed"),
    ];
    let counts = parts
        .iter()
        .map(|(kind, word)| (curated.count(*kind), word));
    let said: Vec<String> = counts
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    let lead = match mode {
        UpdateMode::Merge => "",
        UpdateMode::Replace => "replaced: ",
    };
    format!("{lead}{}", said.join(", "))
}
