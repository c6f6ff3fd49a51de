//! Enums whose values have one fixed word each, in storage and on every surface.
//!
//! A word is written once, next to its value; parsing, display, serde and the list of allowed words follow from it, so
//! that no surface has a word that storage lacks. A crate that uses the macro must depend on serde.

/// Declares an enum whose values have one fixed word each, in storage and in every interface.
#[macro_export]
macro_rules! word_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $value:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, ::serde::Serialize, ::serde::Deserialize)]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $word)] $value),+ }

        impl $name {
            /// All values, in order.
            pub const ALL: &'static [Self] = &[$(Self::$value),+];

            /// Returns the word of this value.
            pub fn word(self) -> &'static str {
                match self { $(Self::$value => $word),+ }
            }

            /// Returns the value of a word.
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$value),)+ _ => None }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.word())
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                Self::from_word(text).ok_or_else(|| {
                    let known: Vec<&str> = Self::ALL.iter().map(|v| v.word()).collect();
                    format!("`{text}` is not one of {}", known.join(", "))
                })
            }
        }
    };
}
