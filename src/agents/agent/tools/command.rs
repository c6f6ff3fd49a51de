//! A command as a tool: the arguments are JSON on stdin, and stdout is the result.

use std::time::Duration;

use async_trait::async_trait;

use super::process::run;
use super::{Tool, arguments};

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandTool {
    /// Its name.
    pub name: String,
    /// Its effect and its input.
    pub about: String,
    /// The command, for the shell.
    pub command: String,
    /// How long it may run.
    pub limit: Duration,
}

#[async_trait]
impl Tool for CommandTool {
    fn name(&self) -> &str {
        &self.name
    }

    fn about(&self) -> &str {
        &self.about
    }

    async fn call(&self, input: &str) -> Result<String, String> {
        let (command, limit) = (self.command.clone(), self.limit);
        let asked = arguments(input, "input").to_string();
        let ran = tokio::task::spawn_blocking(move || run(&command, asked, limit));
        ran.await.map_err(|error| error.to_string())?
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    async fn call(command: &str, input: &str) -> Result<String, String> {
        let tool = CommandTool {
            name: "t".to_owned(),
            about: String::new(),
            command: command.to_owned(),
            limit: Duration::from_millis(1_500),
        };
        tool.call(input).await
    }

    #[tokio::test]
    async fn a_command_reads_its_arguments_and_ends_in_time() {
        assert_eq!(call("cat", "north").await.unwrap(), r#"{"input":"north"}"#);
        assert_eq!(call("cat", r#"{"a":1}"#).await.unwrap(), r#"{"a":1}"#);
        let failed = call("echo no such berth >&2; exit 3", "")
            .await
            .unwrap_err();
        assert!(failed.contains("no such berth"), "{failed}");
        let late = call("sleep 30", "").await.unwrap_err();
        assert!(late.contains("within 1.5s"), "{late}");
        let long = call("yes | head -c 3000000", "").await.unwrap();
        assert!(long.len() <= 64 * 1024, "{}", long.len());
    }
}
