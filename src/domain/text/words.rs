//! Words.
/// Version.
pub const TOKENISER_VERSION: u32 = 1;
/// Which words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tokens {
    /// Classic.
    Classic,
    /// Standard.
    Standard,
}
