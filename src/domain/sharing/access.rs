//! The check: the strongest relation of a caller to an object.

use super::caller::Caller;
use super::closure::Closure;
use super::object::Object;
use super::relation::Relation;
use super::subject::Subject;
use crate::lesson::lesson::LearnerId;
use crate::playbook::Visibility;

/// A relation tuple, within one learner.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Tuple {
    /// The object.
    pub object: Object,
    /// The relation to it.
    pub relation: Relation,
    /// The subject that has it.
    pub subject: Subject,
}

/// The strongest relation to an object of a learner that tuples give a caller; `None` allows nothing.
///
/// The learner itself owns everything that it keeps. A tuple of the object's parent counts for the object.
pub fn relation_to(
    owner: &LearnerId,
    object: &Object,
    caller: &Caller,
    closure: &Closure,
    tuples: &[Tuple],
) -> Option<Relation> {
    if caller.tenant != owner.tenant() {
        return None;
    }
    if caller.is_learner(owner) {
        return Some(Relation::Owner);
    }
    granted(object, closure, tuples)
}

/// The strongest relation to an object that tuples give to one of the subjects of a closure.
pub fn granted(object: &Object, closure: &Closure, tuples: &[Tuple]) -> Option<Relation> {
    let parent = object.parent();
    let counts = |tuple: &&Tuple| {
        (tuple.object == *object || Some(&tuple.object) == parent.as_ref())
            && closure.holds(&tuple.subject)
    };
    tuples
        .iter()
        .filter(counts)
        .map(|tuple| tuple.relation)
        .max()
}

/// True if one of the owners is a single principal. A set of subjects may be empty, so it is not enough to keep an
/// object owned.
pub fn has_lasting_owner<'s>(owners: impl IntoIterator<Item = &'s Subject>) -> bool {
    owners
        .into_iter()
        .any(|owner| matches!(owner, Subject::Principal(_)))
}

/// The relation that a playbook's visibility gives to a principal of the same tenant; `is_member` is true if the
/// principal belongs to the playbook's scope.
pub fn visible(visibility: Visibility, is_member: bool) -> Option<Relation> {
    match visibility {
        Visibility::Public => Some(Relation::Viewer),
        Visibility::Shared if is_member => Some(Relation::Viewer),
        Visibility::Shared | Visibility::Private => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sharing::subject::Principal;

    fn tuple(object: &str, relation: Relation, subject: &str) -> Tuple {
        Tuple {
            object: Object::parse(object, "default").unwrap(),
            relation,
            subject: subject.parse().unwrap(),
        }
    }

    fn caller(principal: &str) -> Caller {
        Caller::new("t", principal.parse::<Principal>().unwrap())
    }

    #[test]
    fn a_relation_holds_for_its_object_and_what_lies_in_it() {
        let owner = LearnerId::new("t", "ann").unwrap();
        let tuples = [
            tuple("learner", Relation::Viewer, "user:bob"),
            tuple("memory:a", Relation::Editor, "user:bob"),
            tuple("playbook:p", Relation::Owner, "agent:cy"),
            tuple("memory:b", Relation::Viewer, "tenant"),
        ];
        for (who, object, expected) in [
            ("user:bob", "learner", Some(Relation::Viewer)),
            ("user:bob", "memory:a", Some(Relation::Editor)),
            ("user:bob", "memory:b", Some(Relation::Viewer)),
            ("user:bob", "playbook:p", Some(Relation::Viewer)),
            ("agent:bob", "memory:a", None),
            ("agent:cy", "playbook:p", Some(Relation::Owner)),
            ("agent:cy", "playbook:q", None),
            ("agent:cy", "learner", None),
            ("agent:cy", "memory:b", Some(Relation::Viewer)),
            ("agent:ann", "memory:z", Some(Relation::Owner)),
            ("user:ann", "memory:z", None),
        ] {
            let caller = caller(who);
            let object = Object::parse(object, "default").unwrap();
            let closure = Closure::of(&caller);
            let found = relation_to(&owner, &object, &caller, &closure, &tuples);
            assert_eq!(found, expected, "{who} {object}");
        }
    }

    #[test]
    fn nothing_of_another_tenant_can_be_reached() {
        let tuples = [tuple("learner", Relation::Owner, "agent:ann")];
        let owner = LearnerId::new("other", "ann").unwrap();
        let caller = caller("agent:ann");
        let closure = Closure::of(&caller);
        assert_eq!(
            relation_to(&owner, &Object::Learner, &caller, &closure, &tuples),
            None
        );
    }

    #[test]
    fn a_set_of_subjects_is_no_lasting_owner() {
        let one: Subject = "user:bob".parse().unwrap();
        let set: Subject = "group:g".parse().unwrap();
        assert!(has_lasting_owner([&set, &one]));
        assert!(!has_lasting_owner([&set, &Subject::Tenant]));
        assert!(!has_lasting_owner([]));
    }

    #[test]
    fn visibility_gives_viewers_and_no_more() {
        for (visibility, of_scope, others) in [
            (Visibility::Private, None, None),
            (Visibility::Shared, Some(Relation::Viewer), None),
            (
                Visibility::Public,
                Some(Relation::Viewer),
                Some(Relation::Viewer),
            ),
        ] {
            assert_eq!(visible(visibility, true), of_scope);
            assert_eq!(visible(visibility, false), others);
        }
    }
}
