//! One operation on a bullet that the user named.

use super::{OpenMemory, Session};
use crate::api::problem::Problem;
use crate::api::responses::DeltaApplied;
use crate::cli::commands::CommandResult;
use crate::cli::output::{Outcome, receipts};
use crate::domain::memory::delta::{BulletRef, Delta, Operation};
use crate::engine::{Engine, EngineError};

impl Session {
    /// Carries out one operation on a bullet that the user named, and shows its receipt.
    pub(crate) async fn change_bullet(
        &self,
        id: &str,
        operation: impl FnOnce(BulletRef) -> Operation,
        reasoning: Option<String>,
    ) -> CommandResult {
        let memory = self.open_there()?;
        let id = memory.bullet_id(id).await?;
        memory.bullet(&id).await?;
        let operation = operation(BulletRef(id));
        let mut delta = Delta::new(Engine::fresh_delta_id()?, vec![operation]);
        delta.reasoning = reasoning;
        delta.origin.author = self.typed_author();
        let applied = memory.engine.apply_delta(&memory.key, delta).await?;
        let shown = DeltaApplied::from(applied);
        self.output
            .show(&shown, |page| receipts::applied(page, &shown))?;
        Ok(Outcome::found(!shown.is_refused))
    }
}

impl OpenMemory {
    /// Checks that the memory has a bullet, by our id or another program's.
    async fn bullet(&self, id: &str) -> Result<(), Problem> {
        let view = self.view().await?;
        match view.find(id) {
            Some(_) => Ok(()),
            None => Err(EngineError::NoBullet(id.to_owned()).into()),
        }
    }
}
