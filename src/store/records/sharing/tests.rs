//! Each row of sharing comes back from its record, with the longest names as well.

use hindlore_domain::sharing::evidence::{Testimony, ViewerVerdict};

use super::*;
use crate::records::testimony::TestimonyRow;

#[test]
fn rows_come_back_from_their_records() {
    let granted = || Granted {
        since: Timestamp::from_millis(5),
        granted_by: Some("agent:ann".to_owned()),
    };
    let long = "x".repeat(256);
    for name in ["bob", long.as_str()] {
        let mut row = PrincipalRow::new(format!("user:{name}").parse().unwrap());
        for object in [
            Object::Learner,
            Object::Memory(long.clone()),
            Object::Playbook("p".to_owned()),
        ] {
            row.tuples.insert((object, Relation::Editor), granted());
        }
        row.tuples
            .insert((Object::Learner, Relation::Viewer), granted());
        row.groups.insert(Group::new("g").unwrap(), granted());
        row.groups.insert(Group::new(&long).unwrap(), granted());
        let record = row.to_record();
        record.check().unwrap();
        assert_eq!(PrincipalRow::from_record(&record).unwrap(), row);
    }
    let group = GroupRow {
        group: Group::new(&long).unwrap(),
        created_at: Timestamp::from_millis(1),
        leaders: [(Subject::Tenant, granted())].into(),
    };
    group.to_record().check().unwrap();
    assert_eq!(GroupRow::from_record(&group.to_record()).unwrap(), group);
    let object = SharedObjectRow {
        object: Object::Memory(long.clone()),
        epoch: 3,
        changed_at: Timestamp::from_millis(7),
    };
    object.to_record().check().unwrap();
    assert_eq!(
        SharedObjectRow::from_record(&object.to_record()).unwrap(),
        object
    );
    let note = ShareNoteRow {
        subject: Subject::Tenant,
        learner: long,
    };
    note.to_record().check().unwrap();
    assert_eq!(ShareNoteRow::from_record(&note.to_record()).unwrap(), note);
    let testimony = TestimonyRow {
        scope: "default".to_owned(),
        bullet: "b_1".to_owned(),
        said: Testimony {
            principal: "user:bob".to_owned(),
            run: "r".to_owned(),
            verdict: ViewerVerdict::Helped,
        },
        at: Timestamp::from_millis(9),
    };
    testimony.to_record().check().unwrap();
    assert_eq!(
        TestimonyRow::from_record(&testimony.to_record()).unwrap(),
        testimony
    );
}
