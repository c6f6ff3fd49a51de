//! Values of records, and how rows read them.

use serde::{Deserialize, Serialize};

use hindlore_primitives::timestamp::Timestamp;

/// A value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// A text.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// A finite floating-point number.
    Number(f64),
    /// A flag.
    Flag(bool),
    /// A timestamp.
    Moment(Timestamp),
    /// Texts, in order.
    Texts(Vec<String>),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Whole(number)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Whole(i64::from(number))
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<Timestamp> for Value {
    fn from(at: Timestamp) -> Self {
        Self::Moment(at)
    }
}

impl From<Vec<String>> for Value {
    fn from(texts: Vec<String>) -> Self {
        Self::Texts(texts)
    }
}

impl Value {
    /// Its type in words.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::Whole(_) => "a whole number",
            Self::Number(_) => "a number",
            Self::Flag(_) => "true or false",
            Self::Moment(_) => "a time",
            Self::Texts(_) => "a list of texts",
        }
    }
}

/// The type that a row reads, in words.
pub(super) fn expected_of<T>() -> &'static str {
    let name = std::any::type_name::<T>();
    match name.rsplit("::").next().unwrap_or(name) {
        "i64" | "u32" => "a whole number",
        "f64" => "a number",
        "bool" => "true or false",
        "Timestamp" => "a time",
        // The last part of the type is that of its parameter here, so the whole name is searched.
        _ if name.contains("Vec") => "a list of texts",
        _ => "a text",
    }
}

/// Implements the conversion from a value to each type that rows read. A hand may have stored another type that means the
/// same, such as `1.0` for `1` or a text for a time: that is read, too.
macro_rules! readable {
    ($($type:ty { $($value:pat => $read:expr,)+ })+) => {$(
        impl<'f> TryFrom<&'f Value> for $type {
            type Error = ();

            fn try_from(value: &'f Value) -> Result<Self, ()> {
                match value {
                    $($value => $read,)+
                    _ => Err(()),
                }
            }
        }
    )+};
}

readable! {
    &'f str {
        Value::Text(text) => Ok(text),
    }
    String {
        Value::Text(text) => Ok(text.clone()),
        Value::Whole(number) => Ok(number.to_string()),
    }
    i64 {
        Value::Whole(number) => Ok(*number),
        Value::Number(number) => whole(*number).ok_or(()),
        Value::Text(text) => text.trim().parse().map_err(drop),
    }
    u32 {
        Value::Whole(number) => u32::try_from(*number).map_err(drop),
        Value::Number(number) => whole(*number).and_then(|one| u32::try_from(one).ok()).ok_or(()),
        Value::Text(text) => text.trim().parse().map_err(drop),
    }
    f64 {
        Value::Number(number) => Ok(*number),
        Value::Whole(number) => Ok(*number as f64),
        Value::Text(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()).ok_or(()),
    }
    bool {
        Value::Flag(flag) => Ok(*flag),
        Value::Text(text) => text.trim().parse().map_err(drop),
    }
    Timestamp {
        Value::Moment(at) => Ok(*at),
        Value::Text(text) => Timestamp::parse(text).ok_or(()),
    }
    Vec<String> {
        Value::Texts(texts) => Ok(texts.clone()),
        Value::Text(text) => Ok(vec![text.clone()]),
    }
}

/// A number without a fraction as a whole one, where a float holds it exactly.
fn whole(number: f64) -> Option<i64> {
    // 2^53: above it a float no longer holds every whole number.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (number.fract() == 0.0 && number.abs() < EXACT).then_some(number as i64)
}
