//! What the language is in each engine: words, operators, native functions. The compiler and the decompiler share it, so
//! that what one writes the other reads.

pub(crate) mod dialect;
pub(crate) mod keywords;
pub(crate) mod natives;
pub(crate) mod symbol;
