//! Where a block of memory goes among a prompt's messages. The caller's messages are copied, never changed.

use serde::{Deserialize, Serialize};

use super::message::{Message, Role};

/// Where the block goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InjectionMode {
    /// At the beginning: a system message of its own, after the caller's.
    System,
    /// After all context, immediately before the last question.
    #[default]
    PostContext,
}

/// The messages with a block of memory among them; an empty block changes nothing.
///
/// In `PostContext`, a last message that is context and question in one gets the block between the two, if they can be
/// separated: the question is its last paragraph, if that ends with a question mark or follows a line such as
/// `Question:`. If they cannot, the block precedes the message.
pub fn with_block(messages: &[Message], block: &str, mode: InjectionMode) -> Vec<Message> {
    let mut all = messages.to_vec();
    if block.trim().is_empty() {
        return all;
    }
    let behind_system = all
        .iter()
        .take_while(|message| message.role == Role::System)
        .count();
    if mode == InjectionMode::System {
        all.insert(behind_system, Message::system(block));
        return all;
    }
    let Some(last) = all.iter().rposition(|message| message.role == Role::User) else {
        all.push(Message::user(block));
        return all;
    };
    let has_context = last > behind_system;
    match question_in(&all[last].content).filter(|_| !has_context) {
        Some(at) => {
            let (context, question) = all[last].content.split_at(at);
            all[last].content = format!("{}\n\n{block}\n\n{question}", context.trim_end());
        }
        None => all.insert(last, Message::user(block)),
    }
    all
}

/// Where the question begins in a message that has context before it, in bytes.
pub(crate) fn question_in(text: &str) -> Option<usize> {
    let body = text.trim_end();
    let at = body.rfind("\n\n").map(|at| at + 2)?;
    let last = body[at..].trim_start();
    let names_itself = ["question:", "task:", "query:"].iter().any(|word| {
        last.get(..word.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(word))
    });
    let asks = last.ends_with(['?', '？', '؟']);
    (names_itself || asks).then(|| body.len() - last.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(messages: &[Message]) -> Vec<&str> {
        messages
            .iter()
            .map(|message| message.content.as_str())
            .collect()
    }

    #[test]
    fn the_block_stands_where_the_mode_says() {
        let messages = [
            Message::system("rules"),
            Message::user("a long context"),
            Message::assistant("read"),
            Message::user("What now?"),
        ];
        let post = with_block(&messages, "MEMORY", InjectionMode::PostContext);
        assert_eq!(
            texts(&post),
            ["rules", "a long context", "read", "MEMORY", "What now?"]
        );
        let system = with_block(&messages, "MEMORY", InjectionMode::System);
        assert_eq!(
            texts(&system),
            ["rules", "MEMORY", "a long context", "read", "What now?"]
        );
        assert_eq!(system[1].role, Role::System);
    }

    #[test]
    fn a_single_message_is_split_where_its_question_can_be_told() {
        let split = [Message::user("The rules of the game.\n\nWho moves first?")];
        let with = with_block(&split, "MEMORY", InjectionMode::PostContext);
        assert_eq!(
            texts(&with),
            ["The rules of the game.\n\nMEMORY\n\nWho moves first?"]
        );
        let named = [Message::user("Facts.\n\nTask: list them")];
        let with = with_block(&named, "MEMORY", InjectionMode::PostContext);
        assert_eq!(texts(&with), ["Facts.\n\nMEMORY\n\nTask: list them"]);
        let whole = [Message::user("Facts.\n\nMore facts.")];
        let with = with_block(&whole, "MEMORY", InjectionMode::PostContext);
        assert_eq!(texts(&with), ["MEMORY", "Facts.\n\nMore facts."]);
    }

    #[test]
    fn nothing_is_injected_without_a_block_and_a_prompt_without_a_question_gets_it_last() {
        let messages = [Message::user("hi")];
        assert_eq!(
            with_block(&messages, " \n", InjectionMode::System),
            messages
        );
        let only_system = [Message::system("rules")];
        let with = with_block(&only_system, "MEMORY", InjectionMode::PostContext);
        assert_eq!(texts(&with), ["rules", "MEMORY"]);
    }
}
