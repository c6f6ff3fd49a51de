//! How long everyday calls take; printed, not judged: run it alone with `--ignored speed --nocapture`.

use std::time::{Duration, Instant};

use mnemograph::store::TouchOutcome;

use crate::OnServer;
use crate::server::Server;
use crate::subject::{Subject, batch, born, commit_of, creation, delta_on, fresh, retrieval};

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

pub(crate) async fn everyday(server: Server) {
    let subject = Subject::of(OnServer(server)).await;
    let texts: Vec<String> = (0..1_000)
        .map(|n| format!("text number {n} about files"))
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (key, planted) = subject.planted(&texts).await;
    let mut known = subject.position(&key).await;
    let mut times = Vec::new();
    for number in 0..1_200 {
        let some = &planted[number % 900..][..10];
        let record = retrieval(&format!("r_{number}"), &known, some);
        let started = Instant::now();
        let outcome = subject
            .store
            .touch(&key, batch(&known, vec![record]))
            .await
            .unwrap();
        times.push(started.elapsed());
        let TouchOutcome::Recorded { first_tick, .. } = outcome else {
            panic!("{outcome:?}");
        };
        known.clock = first_tick;
    }
    println!(
        "touch of 10 bullets, p50: {:?}",
        median(times.split_off(600))
    );
    let mut times = Vec::new();
    let mut state = subject.loaded(&key).await;
    for number in 0..600_u64 {
        let clock = state.head.position.clock;
        let new = born(
            &key,
            2_000 + number,
            clock + 1,
            &[&format!("new text {number}")],
        );
        let delta = delta_on(&state, &format!("d_{number}"), &new);
        let mut commit = Some(commit_of(&delta, &new));
        let decide = Box::new(move |_| commit.take().unwrap());
        let started = Instant::now();
        subject
            .store
            .transact(&key, clock, vec![delta.id.clone()], decide)
            .await
            .unwrap();
        times.push(started.elapsed());
        state.head.position.clock += 1;
        state.head.position.revision += 1;
    }
    println!(
        "transact with one ADD, p50: {:?}",
        median(times.split_off(300))
    );
    for round in 0..3 {
        let key = subject.key("learner", &fresh("scope"));
        subject.store.create(creation(&key, &[])).await.unwrap();
        let texts: Vec<String> = (0..20_000)
            .map(|n| format!("text {n} of {round}"))
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let new = born(&key, 0, 1, &texts);
        let delta = delta_on(&subject.loaded(&key).await, "d_1", &new);
        let commit = commit_of(&delta, &new);
        let started = Instant::now();
        subject.commit(&key, commit).await.unwrap();
        let per_bullet = started.elapsed() / 20_000;
        println!("ingest of 20,000 bullets in one delta: {per_bullet:?} each");
        let started = Instant::now();
        assert_eq!(subject.loaded(&key).await.bullets.len(), 20_000);
        println!("load of 20,000 bullets: {:?}", started.elapsed());
    }
}
