//! What the fields of a bullet may hold, whoever sends them.
//!
//! Every list and every name is bounded, so that no delta can make a memory that nobody could send again.

/// The longest tag, topic, concept and section, in characters.
const NAME_MAX_CHARS: usize = 256;
/// Tags of one bullet.
pub(super) const TAGS_MAX: usize = 64;

/// Checks an embedding: what is no number cannot be written into the history and read back.
pub(super) fn check_embedding(embedding: Option<&[f32]>) -> Result<(), String> {
    match embedding.and_then(|all| all.iter().find(|one| !one.is_finite())) {
        Some(value) => Err(format!("the embedding holds {value}")),
        None => Ok(()),
    }
}

/// Checks an importance.
pub(super) fn check_importance(importance: Option<f64>) -> Result<(), String> {
    match importance {
        Some(value) if !(0.0..=1.0).contains(&value) => {
            Err(format!("the importance is {value}; it must lie in 0..=1"))
        }
        _ => Ok(()),
    }
}

/// Checks a section, topic, concept or the like.
pub(super) fn check_name(name: &str, value: Option<&str>) -> Result<(), String> {
    let Some(value) = value else { return Ok(()) };
    if value.chars().count() > NAME_MAX_CHARS {
        return Err(format!(
            "the {name} has more than {NAME_MAX_CHARS} characters"
        ));
    }
    match value.chars().find(|c| c.is_control()) {
        Some(c) => Err(format!(
            "the {name} holds the control character U+{:04X}",
            u32::from(c)
        )),
        None => Ok(()),
    }
}

/// Checks the number and form of tags.
pub(super) fn check_tags(tags: &[String]) -> Result<(), String> {
    if tags.len() > TAGS_MAX {
        return Err(format!(
            "there are {} tags; the limit is {TAGS_MAX}",
            tags.len()
        ));
    }
    tags.iter().try_for_each(|tag| check_name("tag", Some(tag)))
}
