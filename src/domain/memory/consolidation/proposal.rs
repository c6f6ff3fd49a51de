//! Texts from outside: a text that a model wrote for a group is checked like any other merge, and for inventions.
//!
//! An empty or unfaithful text changes nothing. Faithful means: no detail lost, little else lost, no detail that no
//! source has, few words that no source has, and no contradiction of a source.

use std::collections::BTreeSet;

use super::super::bullet::BulletId;
use super::super::content::Content;
use super::details::{DetailKind, details};
use super::loss::loss;
use super::merging::Text;
use super::planner::Planner;
use super::{Group, LOSS_MAX, RefusedGroup, SOURCES_MAX};
use hindlore_text::similarity::jaccard;
use hindlore_text::words::Tokens;

/// A proposed text for some bullets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    /// The bullets that it shall replace.
    pub sources: Vec<BulletId>,
    /// Its text.
    pub content: String,
}

impl Planner {
    /// Checks a proposal; `Err` names the fault.
    pub fn propose(&mut self, proposal: &Proposal) -> Result<Group, RefusedGroup> {
        let refused = |reason: String| RefusedGroup {
            sources: proposal.sources.clone(),
            reason,
            loss: None,
        };
        let members = self.members(&proposal.sources).map_err(refused)?;
        let content = Content::parse(&proposal.content, self.candidates.max_content_chars)
            .map_err(|error| refused(error.to_string()))?;
        let content = content.as_str().trim();
        let originals: Vec<String> = members
            .iter()
            .flat_map(|it| self.at(*it).originals.clone())
            .collect();
        let lost = loss(originals.iter().map(String::as_str), content);
        self.check(&members, content, &lost)
            .and_then(|()| invents_nothing(&originals, content))
            .and_then(|()| self.contradicts_nothing(&originals, content))
            .map_err(|reason| RefusedGroup {
                loss: Some(lost.clone()),
                ..refused(reason)
            })?;
        Ok(self.taken(&members, content.to_owned(), lost))
    }

    /// Returns the numbers of the bullets, if they may become one.
    fn members(&self, sources: &[BulletId]) -> Result<Vec<u32>, String> {
        let distinct: BTreeSet<&BulletId> = sources.iter().collect();
        if !(2..=SOURCES_MAX).contains(&distinct.len()) || distinct.len() != sources.len() {
            return Err(format!(
                "a text replaces 2 to {SOURCES_MAX} bullets, each named once"
            ));
        }
        let number = |id: &BulletId| {
            let number = self.open_number(*id);
            number.ok_or_else(|| format!("`{id}` is no candidate; see why with dry_run"))
        };
        let members = sources.iter().map(number).collect::<Result<Vec<_>, _>>()?;
        let first = self.at(members[0]);
        let words = |at: u32| Tokens::Standard.set(&self.at(at).content);
        for member in &members[1..] {
            let other = self.at(*member);
            if !first.has_same_fields(other) {
                return Err(format!(
                    "`{}` and `{}` differ in kind, type, topic or section",
                    first.id, other.id
                ));
            }
            let similarity = jaccard(&words(members[0]), &words(*member));
            if similarity < self.choice.similarity {
                return Err(format!(
                    "`{}` and `{}` have a similarity of {similarity:.2}, below {}",
                    first.id, other.id, self.choice.similarity
                ));
            }
        }
        Ok(members)
    }

    fn contradicts_nothing(&self, originals: &[String], content: &str) -> Result<(), String> {
        let text = Text::read(content, &self.guard);
        let texts: Vec<Text> = originals
            .iter()
            .map(|original| Text::read(original, &self.guard))
            .collect();
        let among = (0..texts.len()).find_map(|at| {
            let mut later = texts[at + 1..].iter();
            later.find_map(|other| texts[at].contradicts(other, &self.guard))
        });
        let found = among.or_else(|| {
            let mut sources = texts.iter();
            sources.find_map(|source| source.contradicts(&text, &self.guard))
        });
        found.map_or(Ok(()), Err)
    }
}

/// Checks that a text has only details of its sources, and few other words.
fn invents_nothing(originals: &[String], content: &str) -> Result<(), String> {
    let lost = loss([content], &originals.join("\n"));
    if let Some(detail) = lost.details().find(|it| it.kind != DetailKind::Entity) {
        return Err(format!(
            "no source has the {} `{}`",
            detail.kind, detail.value
        ));
    }
    let words = |text: &str| {
        let details = details(text).into_iter();
        let words = details.filter(|it| it.kind == DetailKind::Word);
        words.map(|it| it.value).collect::<BTreeSet<String>>()
    };
    let known: BTreeSet<String> = originals.iter().flat_map(|text| words(text)).collect();
    let own = words(content);
    let invented: Vec<&str> = own.difference(&known).map(String::as_str).collect();
    #[allow(clippy::cast_precision_loss)]
    let share = invented.len() as f64 / own.len().max(1) as f64;
    if share > LOSS_MAX {
        return Err(format!("no source has the words {}", invented.join(", ")));
    }
    Ok(())
}
