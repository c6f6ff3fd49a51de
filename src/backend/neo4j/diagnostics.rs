//! Looking at the server itself: what it is, how it is set, and whether the schema is whole.
//!
//! An examination only looks: a database without our schema does not get one by it, and what was begun by
//! another instance is not finished. What the answers mean is for the caller to judge. A question that
//! this server does not answer to this user has a reason in place of an answer.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

use super::error::Result;
use super::items::{self, SchemaItem};
use super::schema::{self, TARGET};
use super::statements::{CLOCK, DATABASE, HEAP, MIGRATION_LOCK, SERVER, SETTINGS};
use super::store::{Neo4jOptions, Neo4jStore};
use super::values::Map;
use super::work::send;
use mnemograph_domain::timestamp::Timestamp;
use mnemograph_store::{SchemaStatus, StoreResult};

const DIAGNOSE: &str = "diagnose";
/// The component whose version is that of the server.
const KERNEL: &str = "Neo4j Kernel";
/// Times that the way to the server is measured.
const ROUNDS: usize = 7;
/// The settings that are asked for.
const ASKED: &[&str] = &[
    "db.lock.acquisition.timeout",
    "db.memory.transaction.max",
    "db.transaction.timeout",
    "dbms.memory.transaction.total.max",
    "dbms.security.auth_enabled",
    "server.memory.heap.max_size",
    "server.memory.pagecache.size",
];

/// An answer, or why there is none.
pub type Asked<T> = Result<T, String>;

/// What a server says about itself.
#[derive(Clone, PartialEq, Debug)]
pub struct ServerReport {
    /// The address, fit to be shown.
    pub server: String,
    /// Version, such as `5.26.26`.
    pub version: String,
    /// `community` or `enterprise`.
    pub edition: String,
    /// Name of the database.
    pub database: String,
    /// True when it may only be read.
    pub is_read_only: bool,
    /// `online`, or what it is instead.
    pub status: String,
    /// Which migrations were applied and which were not.
    pub schema: SchemaStatus,
    /// Why this engine must not use the schema.
    pub refusal: Option<String>,
    /// True while some instance applies migrations.
    pub is_migrating: bool,
    /// Every constraint and index that the migrations make.
    pub items: Asked<Vec<SchemaItem>>,
    /// Settings by name; those without a value are left out.
    pub settings: Asked<BTreeMap<String, String>>,
    /// Bytes of the heap: used, and the most that there may be.
    pub heap: Asked<(u64, u64)>,
    /// Milliseconds by which the server's clock is ahead of ours.
    pub clock_ahead_ms: i64,
    /// The shortest of some ways there and back.
    pub round_trip: Duration,
}

impl Neo4jStore {
    /// Looks at the server behind an address, and changes nothing there.
    ///
    /// # Errors
    /// When it cannot be reached, refuses the user, or is no Neo4j.
    pub async fn diagnose(
        options: Neo4jOptions,
        now: &(dyn Fn() -> Timestamp + Sync),
    ) -> StoreResult<ServerReport> {
        let store = Self::reach(options).await?;
        let report = store.report(now).await;
        report.map_err(|failure| store.store_error(DIAGNOSE, failure))
    }

    /// Says which migrations a database has seen and which it lacks, and applies none.
    ///
    /// # Errors
    /// When it cannot be reached, refuses the user, is no Neo4j, or has a schema that is not for this engine.
    pub async fn schema_of(options: Neo4jOptions) -> StoreResult<SchemaStatus> {
        let store = Self::reach(options).await?;
        let looked = async {
            schema::judge(&store.executor).await?;
            schema::status(&store.executor).await
        };
        looked
            .await
            .map_err(|failure| store.store_error(DIAGNOSE, failure))
    }

    async fn report(&self, now: &(dyn Fn() -> Timestamp + Sync)) -> Result<ServerReport> {
        let (version, edition) = self.kind_of_server().await?;
        let (is_read_only, status) = self.state_of_database().await?;
        let schema = schema::status(&self.executor).await?;
        let refusal = schema::judge(&self.executor).await.err();
        let (round_trip, clock_ahead_ms) = self.clock(now).await?;
        Ok(ServerReport {
            server: self.server.clone(),
            version,
            edition,
            database: self.executor.database().to_owned(),
            is_read_only,
            status,
            is_migrating: self.is_migrating().await?,
            refusal: refusal.map(|failure| self.store_error(DIAGNOSE, failure).to_string()),
            items: self.asked(items::all(&self.executor, schema::wanted()).await),
            settings: self.asked(self.settings().await),
            heap: self.asked(self.heap().await),
            schema,
            clock_ahead_ms,
            round_trip,
        })
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

    /// The round trip that was quickest tells most about the clock.
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
