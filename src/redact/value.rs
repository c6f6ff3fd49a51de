//! Whether a value after a telling name is a secret, or a placeholder, a word, a piece of code.

pub(super) mod assignment;
pub(super) mod ends;
pub(super) mod false_positives;
pub(super) mod lists;
pub(super) mod name;
pub(super) mod traits;

use self::false_positives::{is_code, is_path, is_placeholder, is_sentence, is_type, is_uuid};
use self::name::Says;
use self::traits::Traits;
use hindlore_primitives::steps;

/// The position of a value in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// Between quotes.
    Quoted,
    /// `name=value` without blanks, as in shells, files of variables and query strings.
    Tight,
    /// `name=value` between the brackets of a call.
    Call,
    /// `name = value`.
    Spaced,
    /// `name: value`.
    Colon,
    /// `name: value`, alone on its line.
    Line,
    /// The value of a header.
    Header,
    /// After an option of a command line.
    Option,
    /// After an option of a known command line.
    Command,
}

/// Judges a value after a name.
pub(super) fn is_secret(says: Says, value: &str, form: Form) -> bool {
    let value = value.trim();
    let value = value.trim_end_matches("\\&.");
    steps::add(value.len());
    if value.len() < 3 || is_placeholder(value) {
        return false;
    }
    let traits = Traits::of(value);
    match says {
        Says::Password => is_password(value, &traits, form),
        Says::Secret => is_token(value, &traits, form),
        Says::Key => is_key(value, &traits, form),
        Says::Pin => is_pin(value, &traits, form),
    }
}

/// Some digits, as people are given them.
fn is_pin(value: &str, traits: &Traits, form: Form) -> bool {
    let is_year = value.len() == 4 && (value.starts_with("19") || value.starts_with("20"));
    traits.digits == traits.length
        && (4..=12).contains(&traits.length)
        && !(is_year && form != Form::Command)
        && form != Form::Call
}

fn is_password(value: &str, traits: &Traits, form: Form) -> bool {
    let is_mixed = traits.is_mixed() || traits.symbols > 0 && traits.letters > 0;
    match form {
        Form::Quoted => {
            !(is_sentence(value) || is_path(value) || traits.is_short_name() && traits.length < 5)
        }
        Form::Command => true,
        Form::Option => is_mixed || traits.length >= 6,
        Form::Header => traits.length >= 4,
        Form::Tight => traits.length >= 4 && !is_code(value) && !is_path(value),
        Form::Call | Form::Spaced => {
            is_mixed && traits.length >= 5 && !is_code(value) && !is_path(value)
        }
        Form::Colon => {
            is_mixed && traits.length >= 5 && !is_code(value) && !is_path(value) && !is_type(value)
        }
        Form::Line => {
            (is_mixed || traits.length >= 6 || traits.digits >= 4)
                && !is_code(value)
                && !is_path(value)
                && !is_type(value)
        }
    }
}

fn is_token(value: &str, traits: &Traits, form: Form) -> bool {
    if form == Form::Command {
        return !is_path(value) || traits.is_random(24);
    }
    let is_long = traits.is_random(16);
    let is_short = traits.length >= 8 && traits.is_mixed() && !traits.is_numbered_word();
    let allowed = match form {
        Form::Quoted => is_long || is_short || traits.length >= 6 && traits.has_odd_signs(),
        Form::Tight | Form::Line => {
            is_long
                || is_short && !(traits.is_short_name() && traits.length < 10)
                || traits.length >= 8 && traits.has_odd_signs()
        }
        Form::Header => is_long || traits.length >= 8 && !is_sentence(value),
        Form::Option => {
            is_long || is_short || traits.has_odd_signs() || traits.length >= 6 && !is_path(value)
        }
        Form::Call | Form::Spaced | Form::Colon => is_long || is_short && traits.length >= 12,
        Form::Command => true,
    };
    let is_bare = !matches!(form, Form::Quoted | Form::Header);
    allowed
        && !is_path(value)
        && !is_sentence(value)
        && !(is_bare && (is_type(value) || is_code(value) && !is_dotted(traits, form)))
}

/// A value of two parts after an option, which looks like a name of a program's own.
fn is_dotted(traits: &Traits, form: Form) -> bool {
    form == Form::Option && traits.digits >= 3 && traits.symbols == 0 && traits.changes >= 3
}

fn is_key(value: &str, traits: &Traits, form: Form) -> bool {
    let least = if form == Form::Command { 12 } else { 16 };
    traits.digits > 0
        && traits.letters > 0
        && traits.is_random(least)
        && !is_uuid(value)
        && !is_path(value)
        && !is_sentence(value)
        && !(form != Form::Quoted && is_code(value))
}
