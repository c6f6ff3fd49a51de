//! Contents that no delta could write: the store was changed by hand.

use hindlore::MemoryView;
use hindlore_api::responses::doctor::Looked;
use hindlore_domain::memory::record::BulletRecord;

/// Maximum bullets named; the rest is counted.
const NAMED_MAX: usize = 20;

/// Faults that the history explains but no rule permits, each with its remedy.
pub(super) fn taken_unchecked(name: &str, view: &MemoryView) -> Vec<Looked> {
    let mut looked = Vec::new();
    if let Some(fault) = view.policy.fault() {
        let said = format!(
            "{fault}; the store was changed by hand: `policy set FIELD=VALUE ...` with a value for each \
             field that is out of range, all in one call"
        );
        looked.push(Looked::error(name, said));
    }
    let faulty = view.bullets.iter().filter_map(|bullet| {
        let faults = BulletRecord::from_bullet(bullet).faults(view.clock);
        (!faults.is_empty()).then(|| (bullet.id, faults.join("; ")))
    });
    let faulty: Vec<_> = faulty.collect();
    for (id, faults) in faulty.iter().take(NAMED_MAX) {
        let said = format!(
            "`{id}`: {faults}; the store was changed by hand: UPDATE the field, or REMOVE the bullet and ADD its text"
        );
        looked.push(Looked::error(name, said));
    }
    let more = faulty.len().saturating_sub(NAMED_MAX);
    if more > 0 {
        looked.push(Looked::error(
            name,
            format!("and {more} more bullets like these"),
        ));
    }
    looked
}
