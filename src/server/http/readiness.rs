//! Whether the store answers, asked once for all who want to know it at the same time.
//!
//! `/readyz` needs no credential, so it may be called often; one check answers all requests that came in before it
//! began.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;
use tokio::time::timeout;

use super::App;
use super::problem::stopped;
use hindlore::EngineError;
use hindlore_api::problem::Problem;

/// Time for the store to answer.
const TIME: Duration = Duration::from_secs(4);

/// The last question: when it began, and its answer.
#[derive(Default)]
pub(super) struct Readiness(Mutex<Option<(Instant, Result<(), Problem>)>>);

impl Readiness {
    /// Asks the store.
    ///
    /// # Errors
    /// `store_unavailable` if it does not answer in time; else its problem.
    pub(super) async fn asked(&self, app: &Arc<App>) -> Result<(), Problem> {
        let came = Instant::now();
        let asked = async {
            let mut last = self.0.lock().await;
            if let Some((_, found)) = last.as_ref().filter(|(began, _)| *began >= came) {
                return found.clone();
            }
            let began = Instant::now();
            let found = of_store(app).await;
            *last = Some((began, found.clone()));
            found
        };
        timeout(TIME, asked).await.unwrap_or_else(|_| {
            let message = format!("the store did not answer within {} s", TIME.as_secs());
            Err(Problem::new("store_unavailable", message)
                .with_hint("see that it runs, and that the machine has time for it"))
        })
    }
}

async fn of_store(app: &Arc<App>) -> Result<(), Problem> {
    let (engine, key) = (app.engine.clone(), app.key.clone());
    let asked = app.threads.run(async move {
        match timeout(TIME, engine.memory_status(&key)).await {
            // That the server's own memory does not exist yet is an answer of the store.
            Ok(Ok(_) | Err(EngineError::NoMemory(_))) => Ok(()),
            Ok(Err(error)) => Err(error.into()),
            Err(_) => Err(stopped()),
        }
    });
    asked.await.unwrap_or_else(|_| Err(stopped()))
}
