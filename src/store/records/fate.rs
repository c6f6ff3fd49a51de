//! The effect of erasing a learner on records of other owners.

use super::learners::Names;
use super::record::{Fields, Record};
use hindlore_domain::sharing::subject::Principal;

/// Replaces the name of an erased author.
pub const ERASED_AUTHOR: &str = "erased";

/// The effect of erasing a learner on a record.
#[derive(Clone, PartialEq, Debug)]
pub enum Fate {
    /// It names the learner nowhere, and stays.
    Stays,
    /// It is about the learner, and goes.
    Goes,
    /// It is about others, and stays without the name.
    Becomes(Box<Record>),
}

impl Fate {
    /// The fate of a record, from the places where its kind names learners; `Err` names the unreadable part.
    pub fn of(record: &Record, learner: &str) -> Result<Self, String> {
        let principal = Principal::of_learner(learner).to_string();
        let says = |fields: &Fields, value: &str, name: &str| -> Result<bool, String> {
            Ok(fields.read_optional::<&str>(value)? == Some(name))
        };
        let mut after = record.clone();
        for place in record.key.kind.learners.names {
            match *place {
                Names::Owner => {}
                Names::Learner(value) | Names::Confined(value) => {
                    if says(&record.fields, value, learner)? {
                        return Ok(Self::Goes);
                    }
                }
                Names::Principal(value) => {
                    if says(&record.fields, value, &principal)? {
                        return Ok(Self::Goes);
                    }
                }
                // An edge whose name cannot be read stays: nothing proves that it names the learner.
                Names::EdgePrincipal(value) => after
                    .edges
                    .retain(|_, fields| says(fields, value, &principal) != Ok(true)),
                Names::EdgeAuthor(value) => {
                    for fields in after.edges.values_mut() {
                        if says(fields, value, &principal)? {
                            *fields = fields.clone().with(value, ERASED_AUTHOR);
                        }
                    }
                }
            }
        }
        Ok(if after == *record {
            Self::Stays
        } else {
            Self::Becomes(Box::new(after))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::records::sharing::{Granted, GroupRow, PrincipalRow, ShareNoteRow};
    use hindlore_domain::sharing::subject::{Group, Subject};
    use hindlore_primitives::timestamp::Timestamp;

    fn subject(text: &str) -> Subject {
        text.parse().unwrap()
    }

    fn granted(by: &str) -> Granted {
        Granted {
            since: Timestamp::from_millis(1),
            granted_by: Some(by.to_owned()),
        }
    }

    #[test]
    fn a_note_goes_from_both_ends_and_another_stays() {
        let note = |to: &str, of: &str| {
            let row = ShareNoteRow {
                subject: subject(to),
                learner: of.to_owned(),
            };
            Fate::of(&row.to_record(), "ann").unwrap()
        };
        assert_eq!(note("user:zoe", "ann"), Fate::Goes);
        assert_eq!(note("agent:ann", "bob"), Fate::Goes);
        assert_eq!(note("user:ann", "bob"), Fate::Stays);
    }

    #[test]
    fn a_group_stays_without_its_leader_and_a_membership_without_its_grantor() {
        let group = GroupRow {
            group: Group::new("crew").unwrap(),
            created_at: Timestamp::from_millis(1),
            leaders: BTreeMap::from([
                (subject("agent:ann"), granted("user:zoe")),
                (subject("user:zoe"), granted("agent:ann")),
            ]),
        };
        let Fate::Becomes(after) = Fate::of(&group.to_record(), "ann").unwrap() else {
            panic!("the leader stays");
        };
        let after = GroupRow::from_record(&after).unwrap();
        let leaders = BTreeMap::from([(subject("user:zoe"), granted(ERASED_AUTHOR))]);
        assert_eq!(after.leaders, leaders);
        let mut member = PrincipalRow::new(subject("agent:ann"));
        member.groups.insert(group.group, granted("user:zoe"));
        assert_eq!(Fate::of(&member.to_record(), "ann").unwrap(), Fate::Goes);
        assert_eq!(Fate::of(&member.to_record(), "bob").unwrap(), Fate::Stays);
    }
}
