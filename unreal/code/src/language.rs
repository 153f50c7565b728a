//! The language in each engine: words, operators, native functions. The compiler and the decompiler share it, so
//! that what one writes the other reads.

pub(crate) mod dialect;
pub(crate) mod keywords;
pub(crate) mod natives;
pub(crate) mod symbol;

use self::dialect::Dialect;
use crate::Versions;

/// The kind of declaration that a word belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordOf {
    /// A class.
    Class,
    /// A struct.
    Struct,
    /// A variable.
    Variable,
    /// A function.
    Function,
}

/// The flag of a word of a declaration in the language of these versions, and whether the word takes it away.
pub fn flag_of_word(of: WordOf, word: &str, versions: &Versions) -> Option<(u64, bool)> {
    let table = match of {
        WordOf::Class => keywords::CLASS,
        WordOf::Struct => keywords::STRUCT,
        WordOf::Variable => keywords::PROPERTY,
        WordOf::Function => keywords::FUNCTION,
    };
    let is = |known: &str| !known.is_empty() && known.eq_ignore_ascii_case(word);
    keywords::of(table, Dialect::of(versions)).find_map(|keyword| {
        let takes_away = is(keyword.off);
        (is(keyword.word) || takes_away).then_some((keyword.flag, takes_away))
    })
}
