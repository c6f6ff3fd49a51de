//! Limits of the fields of a bullet, for every sender.
//!
//! Every list and every name is bounded, so that no memory can exceed the limits of export and import.

/// Maximum length of a tag, topic, concept or section, in characters.
const NAME_MAX_CHARS: usize = 256;
/// Maximum tags of a bullet.
pub(crate) const TAGS_MAX: usize = 64;

/// Checks an embedding: JSON has no NaN and no infinity, so the history could not store them.
pub(crate) fn check_embedding(embedding: Option<&[f32]>) -> Result<(), String> {
    match embedding.and_then(|all| all.iter().find(|one| !one.is_finite())) {
        Some(value) => Err(format!("the embedding holds {value}")),
        None => Ok(()),
    }
}

/// Checks that an importance is in 0..=1.
pub(crate) fn check_importance(importance: Option<f64>) -> Result<(), String> {
    match importance {
        Some(value) if !(0.0..=1.0).contains(&value) => {
            Err(format!("the importance is {value}; it must lie in 0..=1"))
        }
        _ => Ok(()),
    }
}

/// Checks the length and characters of a section, topic, concept or legacy id.
pub(crate) fn check_name(name: &str, value: Option<&str>) -> Result<(), String> {
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

/// Checks the number of tags, and each of them.
pub(crate) fn check_tags(tags: &[String]) -> Result<(), String> {
    if tags.len() > TAGS_MAX {
        return Err(format!(
            "there are {} tags; the limit is {TAGS_MAX}",
            tags.len()
        ));
    }
    tags.iter().try_for_each(|tag| check_name("tag", Some(tag)))
}
