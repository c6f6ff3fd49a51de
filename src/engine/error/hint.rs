//! Remedies for failed verbs.

use super::EngineError;
use crate::id_kind::IdKind;
use hindlore_domain::memory::apply::Refusal;

impl EngineError {
    /// Returns the remedy, if known. Surfaces replace `<verb:…>`, `<field:…>` and `<subject:…>` by their own words.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Refused(Refusal::Revision { .. }) => {
                "read the memory again and send the delta again"
            }
            Self::Refused(Refusal::Operations(_)) => {
                "mend the operations named, or send the delta with <field:lenient> to apply the rest"
            }
            Self::Refused(Refusal::Overflow { .. }) => {
                "raise the limit with <verb:policy.set max_bullets=N>, or import into another <subject:scope>"
            }
            Self::Refused(Refusal::Tables) => {
                "use the word tables that the memory was made with (`rules`, `antonyms`); after an upgrade, \
                 `export` the memory and `import` the file into another scope or store"
            }
            Self::DeltaReused(_) => "give the delta another id; nothing was changed",
            Self::NoMemory(_) => {
                "<verb:memory.list> shows the memories of a tenant; check <subject:learner> and <subject:scope>"
            }
            Self::NoConsolidation(_) => {
                "its id begins with c_; <verb:delta.log> names it as the reason of its deltas"
            }
            Self::NoDelta(_) => "<verb:delta.log> shows the deltas of the memory",
            Self::NoRetrieval(_) => {
                "feedback needs the id that <verb:retrieve> printed, from the same learner"
            }
            Self::NoBullet(_) => "<verb:bullets.list> shows the ids",
            Self::Ambiguous { .. } => "type some more of it",
            Self::NotAnId { .. } => "copy it from a listing",
            Self::NoBeginning { kind, .. } => match kind {
                IdKind::Lesson => "<verb:lessons.list> shows the ids",
                IdKind::Use => "<verb:lessons.explain LESSON> shows the ids",
                IdKind::Run => "<verb:runs.list> shows the runs of the learner",
                IdKind::Fingerprint => "<verb:errors.list> shows them",
            },
            Self::NoPlace { .. } => "count from 1, or name a bullet by its id",
            Self::Undo(_) => {
                "undo those first, newest first, or use <field:force> to restore all the same"
            }
            _ => return self.hint_of_learner(),
        };
        Some(hint.to_owned())
    }

    /// Returns the remedy for records of a learner outside its memories.
    fn hint_of_learner(&self) -> Option<String> {
        let hint = match self {
            Self::NoRun(_) => {
                "<verb:runs.list> shows the runs of the learner, trajectories among them; check <subject:learner>"
            }
            Self::NoPlaybook(_) => {
                "<verb:playbook.list> shows the playbooks of the learner, archived ones with <field:archived>"
            }
            Self::PlaybookExists(_) => {
                "<verb:playbook.update> changes it; an archived one comes back with <field:revive>; nothing was changed"
            }
            Self::NoVersion { .. } => {
                "<verb:playbook.versions> shows which versions keep their strategies"
            }
            Self::NoReflection(_) => "<verb:reflection.list> shows the ids",
            Self::NoConversation(_) => {
                "leave the id out to begin one; each answer of <verb:agent.chat> names its own"
            }
            Self::ForeignConversation(_) => {
                "name the learner who began it, or leave the id out to begin one"
            }
            Self::NoProposal(_) => "<verb:bullets.proposed> shows the ids; check <subject:scope>",
            Self::NoEmbedder => {
                "set `embeddings.url` or `embeddings.folder`; docs/embeddings.md has the steps"
            }
            Self::Embedder(_) => {
                "answers are by words until it works; mend it, then <verb:embeddings.build>"
            }
            Self::OtherEmbeddings(_) => {
                "<verb:embeddings.drop> deletes them, and <verb:embeddings.build> computes new ones"
            }
            Self::NoKey(_) => "<verb:key.list> shows all of the tenant; check <subject:tenant>",
            Self::KeyExists(_) => "<verb:key.rotate> replaces it, <verb:key.revoke> ends it",
            Self::NoLesson(_) => "<verb:lessons.list> shows the ids; check <subject:learner>",
            Self::NoError(_) => "<verb:errors.list> shows the ids; check <subject:learner>",
            Self::NoActivation(_) => {
                "an outcome needs the id that <verb:lessons.retrieve --run> printed, from the same learner"
            }
            Self::RunEnded(_) => "report it under another run; earlier reports are kept",
            Self::StepTaken { .. } => {
                "leave `step` out, and the step gets the next number; nothing was written"
            }
            Self::OperationReused(_) => "nothing was changed; the first request holds",
            Self::NotAllowed { .. } => {
                "an owner can grant it with <verb:share.grant SUBJECT RELATION --of OBJECT>; nothing was read or changed"
            }
            Self::LastOwner(_) => "name another owner or leader first; nothing was changed",
            Self::Contended(_) | Self::RunContended(_) | Self::PlaybookContended(_) => "try again",
            _ => return None,
        };
        Some(hint.to_owned())
    }
}
