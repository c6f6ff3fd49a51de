//! Tests of places, holders and times: statements that stay true side by side, and those that replace an older value.

use super::changes;

/// Pairs of two places, holders or times.
#[rustfmt::skip]
const BOTH_TRUE: &[(&str, &str)] = &[
    ("The API listens on port 8080 in development.", "The API listens on port 80 in production."),
    ("In development, the API listens on port 8080.", "In production, the API listens on port 80."),
    ("In development the API listens on port 8080.", "The API listens on port 80 in production."),
    ("The API in development listens on port 8080.", "The API in production listens on port 80."),
    ("The API listens on port 8080.", "The API listens on port 80 in production."),
    ("The API listens on port 8080 (development).", "The API listens on port 80 (production)."),
    ("The API listens on port 8080, in development.", "The API listens on port 80, in production."),
    ("The port is 8080 locally.", "The port is 80 remotely."),
    ("The port is 5432 on the primary.", "The port is 5433 on the replica."),
    ("On the primary the port is 5432.", "On the replica the port is 5433."),
    ("The retention is 7 days for logs.", "The retention is 90 days for audits."),
    ("For logs, the retention is 7 days.", "For audits, the retention is 90 days."),
    ("The retention for logs is 7 days.", "The retention for audits is 90 days."),
    ("The timeout is 30 seconds for reads.", "The timeout is 90 seconds for writes."),
    ("The timeout is 30 seconds per read.", "The timeout is 90 seconds per write."),
    ("The price is 5 euros for children.", "The price is 9 euros for adults."),
    ("The pool size is 4 in tests.", "The pool size is 32 in production."),
    ("The on-call phone is 555-0100 at night.", "The on-call phone is 555-0199 by day."),
    ("The standup is at 9:30 on Mondays.", "The standup is at 11:00 on Fridays."),
    ("The limit is 5 before noon.", "The limit is 9 after noon."),
    ("The price is 5 euros in 2023.", "The price is 6 euros in 2024."),
    ("The price is 5 euros until March.", "The price is 6 euros from April."),
    ("The quota is 10 GB during the trial.", "The quota is 90 GB during the contract."),
    ("The team lead is Ana in Lisbon.", "The team lead is Bo in Oslo."),
    ("Ana is the team lead in Lisbon.", "Bo is the team lead in Oslo."),
    ("Ana is the tech lead for search.", "Bo is the tech lead for billing."),
    ("Ana is the tech lead of search.", "Bo is the tech lead of billing."),
    ("The default branch is `main` for the app.", "The default branch is `develop` for the docs."),
    ("The status is open for reviews.", "The status is closed for merges."),
    ("Our CI is Jenkins for the app.", "Our CI is CircleCI for the docs."),
    ("We use Jenkins for CI in Berlin.", "We use CircleCI for CI in Oslo."),
    ("Our CI is slow.", "Our CI is green."),
    ("We use Node 18 for CI.", "We use Node 20 for CI."),
    ("Der Port ist 8080 in der Entwicklung.", "Der Port ist 80 in der Produktion."),
    ("Die API lauscht auf Port 8080 in Entwicklung.", "Die API lauscht auf Port 80 in Produktion."),
    ("Die Frist beträgt 7 Tage für Protokolle.", "Die Frist beträgt 90 Tage für Prüfungen."),
    ("Der Port ist 5432 auf dem Primärserver.", "Der Port ist 5433 auf der Replik."),
    ("Der Leiter ist Ana für Suche.", "Der Leiter ist Bo für Abrechnung."),
    ("Das Limit ist 5 während der Nacht.", "Das Limit ist 9 während des Tages."),
];

/// Pairs of one place, holder or time.
#[rustfmt::skip]
const REPLACED: &[(&str, &str)] = &[
    ("The API listens on port 8080 in production.", "The API listens on port 80 in production."),
    ("The API listens on port 8080 in production.", "In production, the API listens on port 80."),
    ("In prod the API listens on port 8080.", "The API listens on port 80 in production."),
    ("The API in production listens on port 8080.", "The API listens on port 80 in production."),
    ("The port in staging is 5433.", "The port is 5434 in staging."),
    ("The port is 5432 on the primary.", "The port is 5433 on primary."),
    ("The retention is 7 days for logs.", "The retention for logs is 9 days."),
    ("The timeout is 30 seconds for reads.", "For reads, the timeout is now 60 seconds."),
    ("The limit is 100 requests per minute.", "The limit is 5 requests per second."),
    ("The limit is 10.", "The limit is 20 as of March."),
    ("The meeting is on Monday at 9:30.", "The meeting is on Tuesday at 10:00."),
    ("The standup is at 9:30 on Mondays.", "The standup is at 10:00 on Mondays."),
    ("The standup is at 9:30 am.", "The standup is at 10:00 am."),
    ("Alice is the tech lead.", "Bob is the tech lead."),
    ("Alice is the tech lead.", "The tech lead is Bob."),
    ("The tech lead is Alice.", "Bob is the tech lead now."),
    ("Alice Cooper is the owner of billing.", "Bob Dylan is the owner of billing."),
    ("Alice is our product manager.", "Bob is our product manager."),
    ("Alice is the tech lead for search.", "For search, the tech lead is Bob."),
    ("Alice is the maintainer of the parser.", "The maintainer of the parser is Bob."),
    ("Our CI is Jenkins.", "Our CI is GitHub Actions."),
    ("Our CI is Jenkins.", "Our CI is now GitHub Actions."),
    ("The CI is Jenkins.", "The CI is GitLab."),
    ("Our database is Postgres.", "Our database is MySQL."),
    ("Our build tool is Make.", "Our build tool is Bazel."),
    ("Our package manager is npm.", "Our package manager is pnpm."),
    ("Our issue tracker is Jira.", "Our issue tracker is Linear."),
    ("We use Jenkins for CI.", "We use GitHub Actions for CI."),
    ("We use Jenkins for CI.", "Our CI is GitHub Actions."),
    ("My favourite book is Alice in Wonderland", "My favourite book is War and Peace"),
    ("Acme is based in Frankfurt am Main", "Acme is based in Berlin"),
    ("Die Staging-Datenbank lauscht auf Port 5433", "Die Staging-Datenbank lauscht auf Port 5434"),
    ("Die Staging-Datenbank läuft auf Port 5433.", "Die Staging-Datenbank läuft jetzt auf Port 5434."),
    ("Der Port der Staging-Datenbank ist 5433.", "Der Port der Staging-Datenbank ist 5434."),
    ("Der Projektleiter ist Anna.", "Der Projektleiter ist Bernd."),
    ("Anna ist die Projektleiterin.", "Berta ist die Projektleiterin."),
    ("Die Datenbank ist Postgres.", "Die Datenbank ist MySQL."),
    ("Unser CI ist Jenkins.", "Unser CI ist GitHub Actions."),
    ("Die Frist beträgt 7 Tage für Protokolle.", "Die Frist beträgt 9 Tage für Protokolle."),
];

#[test]
fn values_of_two_places_holders_or_times_are_both_true() {
    let wrong = BOTH_TRUE.iter().filter(|(old, new)| changes(old, new));
    assert_eq!(wrong.collect::<Vec<_>>(), Vec::<&(&str, &str)>::new());
}

#[test]
fn a_new_value_of_the_same_place_holder_or_time_replaces_the_old_one() {
    let missed = REPLACED.iter().filter(|(old, new)| !changes(old, new));
    assert_eq!(missed.collect::<Vec<_>>(), Vec::<&(&str, &str)>::new());
}
