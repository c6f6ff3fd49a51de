//! A memory, and a model of a scripted server.

use std::sync::Arc;
use std::time::Duration;

use hindlore::AppliedDelta;
use hindlore_agents::agent::{Agent, AgentOptions};
use hindlore_agents::model::{Budget, Metered, Model, Prices};
use hindlore_agents::provider::{Client, Settings, Vendor};
use hindlore_agents::roles::{Learned, Options, Pipeline, Shown, Trace};
use hindlore_domain::memory::delta::DeltaId;
use hindlore_testkit::{ScriptedModel, TestMemory};
use serde_json::{Value, json};

/// The key that no error and no log may show.
pub(crate) const KEY: &str = "sk-secret-0123456789";

/// A client of a scripted model.
pub(crate) fn client(server: &ScriptedModel, vendor: Vendor) -> Arc<dyn Model> {
    let settings = Settings {
        vendor,
        url: server.url(),
        model: "scripted".to_owned(),
        key: Some(KEY.to_owned()),
        temperature: 0.2,
        max_tokens: 256,
        timeout: Duration::from_millis(400),
        retries: 1,
    };
    Arc::new(Client::new(settings).unwrap())
}

pub(crate) fn metered(model: Arc<dyn Model>, budget: Budget) -> Metered {
    let prices = Prices {
        input: 1.0,
        output: 2.0,
    };
    Metered::new(model, prices, budget)
}

/// A bullet that was shown.
pub(crate) fn shown(id: &str, content: &str) -> Shown {
    Shown {
        id: id.to_owned(),
        content: content.to_owned(),
        section: None,
        votes: (1, 0),
    }
}

pub(crate) fn receipt(applied: &AppliedDelta) -> Value {
    json!({"added": applied.receipt.added.len()})
}

pub(crate) fn agent(
    memory: &TestMemory,
    model: Option<Arc<dyn Model>>,
    options: AgentOptions,
) -> Agent {
    Agent::new(
        (memory.engine.clone(), memory.key.clone()),
        model,
        options,
        receipt,
    )
}

/// Learns from a trace with a model.
pub(crate) async fn learn(
    memory: &TestMemory,
    model: Option<&dyn Model>,
    options: &Options,
    trace: &Trace,
    id: &str,
) -> Learned {
    let pipeline = Pipeline {
        engine: &memory.engine,
        key: &memory.key,
        model,
        options,
    };
    pipeline
        .learn(trace, DeltaId::parse(id).unwrap(), (None, ""))
        .await
        .unwrap()
}

/// The texts of the active bullets.
pub(crate) async fn texts(memory: &TestMemory) -> Vec<String> {
    let view = memory.engine.view(&memory.key).await.unwrap();
    let bullets = view.map(|view| view.bullets).unwrap_or_default();
    bullets
        .iter()
        .map(|bullet| bullet.content.as_str().to_owned())
        .collect()
}
