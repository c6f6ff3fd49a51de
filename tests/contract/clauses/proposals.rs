//! Proposals: corrections by a person wait by scope, and are gone once they are released or rejected.

use hindlore_store::records::Scan;
use hindlore_store::records::proposal::{
    BY_SCOPE, PROPOSAL, ProposalRow, proposal_key, proposals_of,
};

use crate::subject::{Subject, moment};

pub(crate) async fn proposals_wait_by_scope_the_newest_first(subject: &Subject) {
    let owner = subject.owner("l");
    let proposal = |scope: &str, text: &str, minute| ProposalRow {
        scope: scope.to_owned(),
        text: text.to_owned(),
        normalised: text.to_lowercase(),
        sessions: vec!["s1".to_owned()],
        turn: (minute > 1).then_some(minute),
        first_at: moment(0),
        last_at: moment(minute.into()),
    };
    let old = proposal("shop", "Use pnpm", 1);
    let new = proposal("shop", "Never touch the lock file", 2);
    // Longer, so that its keys begin like those of the other scope.
    let elsewhere = proposal("shop-2", "Use yarn", 3);
    let all = [&old, &new, &elsewhere].map(ProposalRow::to_record);
    subject.put(&owner, &all).await.unwrap();
    let waiting = async |scope: &str| {
        let scan = Scan {
            kind: &PROPOSAL,
            order: BY_SCOPE,
            range: proposals_of(scope),
            limit: 9,
        };
        let page = subject.store.scan_records(&owner, scan).await.unwrap();
        let rows = page
            .iter()
            .map(|record| ProposalRow::from_record(record).unwrap());
        rows.collect::<Vec<_>>()
    };
    assert_eq!(waiting("shop").await, [new.clone(), old.clone()]);
    // A second session states the older one, which is then the newest.
    let again = ProposalRow {
        sessions: vec!["s1".to_owned(), "s2".to_owned()],
        last_at: moment(4),
        ..old
    };
    subject.put(&owner, &[again.to_record()]).await.unwrap();
    assert_eq!(waiting("shop").await, [again.clone(), new.clone()]);
    // A release or a rejection takes it away.
    let released = proposal_key(&again.id());
    subject.delete(&owner, &[released]).await.unwrap();
    assert_eq!(waiting("shop").await, [new]);
    assert_eq!(waiting("shop-2").await, [elsewhere]);
}
