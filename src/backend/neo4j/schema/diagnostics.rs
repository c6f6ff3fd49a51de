//! Diagnostics of a server: its version, its settings, and whether the schema is complete.
//!
//! Diagnostics only read: they create no schema and finish no other instance's work. The caller judges the answers. Where
//! the server does not answer this user, the reason takes the place of the answer.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

use super::migrations::TARGET;
use super::schema_objects::{self, SchemaItem};
use crate::bolt::values::Map;
use crate::bolt::work::send;
use crate::error::Result;
use crate::options::Neo4jOptions;
use crate::schema;
use crate::statements::{CLOCK, DATABASE, HEAP, MIGRATION_LOCK, SERVER, SETTINGS};
use crate::store::Neo4jStore;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::{SchemaStatus, StoreResult};

const DIAGNOSE: &str = "diagnose";
/// The component whose version is the server's.
const KERNEL: &str = "Neo4j Kernel";
/// Number of round trips to measure.
const ROUNDS: usize = 7;
/// The settings to read.
const ASKED: &[&str] = &[
    "db.lock.acquisition.timeout",
    "db.memory.transaction.max",
    "db.transaction.timeout",
    "dbms.memory.transaction.total.max",
    "dbms.security.auth_enabled",
    "server.memory.heap.max_size",
    "server.memory.pagecache.size",
];

/// An answer, or the reason why there is none.
pub type Asked<T> = Result<T, String>;

/// The diagnostics of a server.
#[derive(Clone, PartialEq, Debug)]
pub struct ServerReport {
    /// The address, without credentials.
    pub server: String,
    /// Version, such as `5.26.26`.
    pub version: String,
    /// `community` or `enterprise`.
    pub edition: String,
    /// Name of the database.
    pub database: String,
    /// True when it is read-only.
    pub is_read_only: bool,
    /// The state of the database, such as `online`.
    pub status: String,
    /// The applied and the pending migrations.
    pub schema: SchemaStatus,
    /// The reason why this engine must not use the schema, if there is one.
    pub refusal: Option<String>,
    /// True while an instance applies migrations.
    pub is_migrating: bool,
    /// All constraints and indexes of the migrations.
    pub items: Asked<Vec<SchemaItem>>,
    /// Constraints of other programs that may refuse nodes of ours, each with the statement that takes it away.
    pub collisions: Asked<Vec<(String, String)>>,
    /// Settings by name, without unset ones.
    pub settings: Asked<BTreeMap<String, String>>,
    /// Heap in bytes: used, and the maximum.
    pub heap: Asked<(u64, u64)>,
    /// Milliseconds by which the server's clock is ahead of ours.
    pub clock_ahead_ms: i64,
    /// The shortest of several round trips.
    pub round_trip: Duration,
}

impl Neo4jStore {
    /// Diagnoses the server at an address, and changes nothing there.
    ///
    /// # Errors
    /// When it is unreachable, refuses the user, or is no Neo4j.
    pub async fn diagnose(
        options: Neo4jOptions,
        now: &(dyn Fn() -> Timestamp + Sync),
    ) -> StoreResult<ServerReport> {
        let store = Self::reach(options).await?;
        let report = store.report(now).await;
        report.map_err(|failure| store.store_error(DIAGNOSE, failure))
    }

    /// Lists the applied and the pending migrations of a database, and applies none.
    ///
    /// # Errors
    /// When it is unreachable, refuses the user, is no Neo4j, or has a schema that this engine must not use.
    pub async fn schema_of(options: Neo4jOptions) -> StoreResult<SchemaStatus> {
        let store = Self::reach(options).await?;
        let looked = async {
            schema::judge(&store.executor, store.migrations()).await?;
            schema::status(&store.executor, store.migrations()).await
        };
        looked
            .await
            .map_err(|failure| store.store_error(DIAGNOSE, failure))
    }

    async fn report(&self, now: &(dyn Fn() -> Timestamp + Sync)) -> Result<ServerReport> {
        let (version, edition) = self.kind_of_server().await?;
        let (is_read_only, status) = self.state_of_database().await?;
        let schema = schema::status(&self.executor, self.migrations()).await?;
        let refusal = schema::judge(&self.executor, self.migrations()).await.err();
        let (round_trip, clock_ahead_ms) = self.clock(now).await?;
        let (items, collisions) = match self.asked(self.items().await) {
            Ok((items, collisions)) => (Ok(items), Ok(collisions)),
            Err(reason) => (Err(reason.clone()), Err(reason)),
        };
        Ok(ServerReport {
            server: self.server.clone(),
            version,
            edition,
            database: self.executor.database().to_owned(),
            is_read_only,
            status,
            is_migrating: self.is_migrating().await?,
            refusal: refusal.map(|failure| self.store_error(DIAGNOSE, failure).to_string()),
            items,
            collisions,
            settings: self.asked(self.settings().await),
            heap: self.asked(self.heap().await),
            schema,
            clock_ahead_ms,
            round_trip,
        })
    }

    /// The constraints and indexes of the migrations, and those of other programs.
    async fn items(&self) -> Result<(Vec<SchemaItem>, Vec<(String, String)>)> {
        schema_objects::compared(&self.executor, schema::wanted(self.migrations())).await
    }

    fn asked<T>(&self, answer: Result<T>) -> Asked<T> {
        answer.map_err(|failure| self.store_error(DIAGNOSE, failure).to_string())
    }

    async fn kind_of_server(&self) -> Result<(String, String)> {
        let mut found = (String::new(), String::new());
        for row in send(&self.executor, SERVER, Map::new()).await? {
            let versions: Vec<String> = row.get("versions")?;
            let is_kernel = row.get::<String>("name")? == KERNEL;
            if is_kernel || found.0.is_empty() {
                found = (versions.join(", "), row.get("edition")?);
            }
        }
        Ok(found)
    }

    async fn state_of_database(&self) -> Result<(bool, String)> {
        let named = Map::new().with("database", self.executor.database());
        let rows = send(&self.executor, DATABASE, named).await?;
        let Some(row) = rows.first() else {
            return Ok((false, "not listed".to_owned()));
        };
        Ok((
            row.get::<String>("access")? == "read-only",
            row.get("status")?,
        ))
    }

    async fn is_migrating(&self) -> Result<bool> {
        let rows = send(
            &self.executor,
            MIGRATION_LOCK,
            Map::new().with("target", TARGET),
        )
        .await?;
        let held: Option<bool> = rows.first().map_or(Ok(None), |row| row.get("is_held"))?;
        Ok(held == Some(true))
    }

    async fn settings(&self) -> Result<BTreeMap<String, String>> {
        let names = ASKED.iter().map(|name| (*name).to_owned());
        let rows = send(&self.executor, SETTINGS, Map::new().texts("names", names)).await?;
        let mut settings = BTreeMap::new();
        for row in rows {
            if let Some(value) = row.get::<Option<String>>("value")? {
                settings.insert(row.get("name")?, value);
            }
        }
        Ok(settings)
    }

    async fn heap(&self) -> Result<(u64, u64)> {
        let bean = Map::new().with("bean", "java.lang:type=Memory");
        let rows = send(&self.executor, HEAP, bean).await?;
        let read = |name| rows.first().map_or(Ok(0), |row| row.get(name));
        Ok((read("used")?, read("max")?))
    }

    /// Compares the clocks by the fastest round trip, in which the least time can hide.
    async fn clock(&self, now: &(dyn Fn() -> Timestamp + Sync)) -> Result<(Duration, i64)> {
        let mut quickest = (Duration::MAX, 0);
        for _ in 0..ROUNDS {
            let (before, started) = (now().millis(), Instant::now());
            let rows = send(&self.executor, CLOCK, Map::new()).await?;
            let (after, took) = (now().millis(), started.elapsed());
            let theirs: i64 = rows.first().map_or(Ok(0), |row| row.get("now"))?;
            if took < quickest.0 {
                quickest = (took, theirs - (before + after) / 2);
            }
        }
        Ok(quickest)
    }
}
