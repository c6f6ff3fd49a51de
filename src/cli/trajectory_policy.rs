//! How long the steps of trajectories are kept, from the settings.

use hindlore_api::problem::Problem;
use hindlore_config::Settings;
use hindlore_domain::trajectory::TrajectoryPolicy;

/// Reads the policy.
pub(crate) fn read(settings: &Settings) -> Result<TrajectoryPolicy, Problem> {
    let name = |field: &str| format!("trajectory.{field}");
    let whole = |field: &str, default: u32| match settings.whole(&name(field)) {
        None => Ok(default),
        Some(given) => u32::try_from(given).map_err(|_| {
            let said = format!(
                "`{}` is {given}; it must be at most {}",
                name(field),
                u32::MAX
            );
            invalid(said)
        }),
    };
    let default = TrajectoryPolicy::default();
    let after = match settings.text(&name("after_retention")) {
        None => default.after_retention,
        Some(word) => word.parse().map_err(|said: String| {
            let place = settings.place_of(&name("after_retention"));
            invalid(format!("`trajectory.after_retention` of {place}: {said}"))
        })?,
    };
    let policy = TrajectoryPolicy {
        sample_rate: settings
            .number(&name("sample_rate"))
            .unwrap_or(default.sample_rate),
        always_store_failures: settings.switch(&name("keep_failures")),
        summary_after_minutes: whole("summary_minutes", default.summary_after_minutes)?,
        retention_days: whole("retention_days", default.retention_days)?,
        after_retention: after,
        receipt_days: whole("receipt_days", default.receipt_days)?,
    };
    match policy.problem() {
        None => Ok(policy),
        Some(said) => Err(invalid(format!("trajectory: {said}"))),
    }
}

fn invalid(said: String) -> Problem {
    Problem::new("invalid_config", said)
        .with_hint("change the setting, or leave it out for the default; `hindlore config show` has all of them")
}
