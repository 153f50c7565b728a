//! How tables of tokens are written.

/// A token, or several that differ in their number only.
pub(super) struct Row {
    pub first: u8,
    pub last: u8,
    pub since: u32,
    pub until: u32,
    pub name: &'static str,
    /// The operands from each version on, in order:
    ///
    /// | letter | operand |
    /// |---|---|
    /// | `O` `N` `p` | object, name, property |
    /// | `b` `w` | byte, word |
    /// | `l` `k` | label, size of code that can be skipped |
    /// | `d` `q` | int, long |
    /// | `f` `D` `r` | float, double, real |
    /// | `s` `u` | 8-bit text, UTF-16 text |
    /// | `e` | an expression: one more token with its operands |
    /// | `P` | expressions up to and including `EndFunctionParms` |
    /// | `.` | expressions up to and including the token of the next number |
    /// | `C` | a label; unless it is 0xFFFF an expression follows |
    /// | `L` | names with a place each, up to and including one that is none |
    /// | `B` | pairs of bytes up to a zero |
    /// | `T` | a text literal |
    /// | `S` | a switch |
    /// | `I` | a byte; if it is 4 a name follows |
    pub operands: &'static [(u32, &'static str)],
}

impl Row {
    /// Whether this version has it.
    pub fn is_in(&self, version: u32) -> bool {
        (self.since..self.until).contains(&version)
    }
}

/// Rows in ascending order: a token's number, the versions that have it, its name without the engine's
/// prefix, its operands; then a version with other operands from there on, and these.
macro_rules! tokens {
    ($(
        $first:literal $(..=$last:literal)? $(from $since:tt)? $(until $until:tt)?
        $name:literal $operands:literal $($version:literal $later:literal)*;
    )*) => {
        &[$(Row {
            first: $first,
            last: tokens!(@or $first $($last)?),
            since: tokens!(@or 0 $($since)?),
            until: tokens!(@or { u32::MAX } $($until)?),
            name: $name,
            operands: &[(0, $operands) $(, ($version, $later))*],
        }),*]
    };
    (@or $usual:tt) => { $usual };
    (@or $usual:tt $other:tt) => { $other };
}
pub(super) use tokens;
