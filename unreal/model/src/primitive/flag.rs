//! Bits and their names by engine generation.

use std::fmt;

use crate::error::{ErrorKind, Result, noun};
use crate::version::Engine;

/// Which engines give a bit its name.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum In {
    /// UE1 to UE3.
    All,
    /// UE4 and UE5.
    Ue4,
    Classic,
    Ue2,
    Ue3,
}

impl In {
    pub fn has(self, engine: Engine) -> bool {
        match self {
            Self::All => engine <= Engine::Ue3,
            Self::Ue4 => engine >= Engine::Ue4,
            Self::Classic => matches!(engine, Engine::Ue1 | Engine::Ue2),
            Self::Ue2 => engine == Engine::Ue2,
            Self::Ue3 => engine == Engine::Ue3,
        }
    }
}

/// A bit with its name.
pub(super) struct Flag {
    pub name: &'static str,
    pub bit: u64,
    pub engines: In,
}

/// A bit of these engines.
pub(super) const fn flag(name: &'static str, bit: u64, engines: In) -> Flag {
    Flag { name, bit, engines }
}

/// The names of the known bits that are set, then the unknown rest as a number.
pub(super) fn names(bits: u64, table: &[Flag], engine: Engine) -> Vec<String> {
    let mut rest = bits;
    let mut names = Vec::new();
    for flag in table {
        if flag.engines.has(engine) && bits & flag.bit != 0 {
            names.push(flag.name.to_owned());
            rest &= !flag.bit;
        }
    }
    if rest != 0 {
        names.push(format!("{rest:#x}"));
    }
    names
}

/// The bit of a name, or a number.
pub(super) fn parse(name: &str, table: &[Flag], engine: Engine) -> Result<u64> {
    let digits = name.strip_prefix("0x").or_else(|| name.strip_prefix("0X"));
    let number = digits.map_or_else(|| name.parse(), |hex| u64::from_str_radix(hex, 16));
    if let Ok(bits) = number {
        return Ok(bits);
    }
    let known = || table.iter().filter(|flag| flag.engines.has(engine));
    known().find(|flag| flag.name.eq_ignore_ascii_case(name)).map(|flag| flag.bit).ok_or_else(
        || {
            let all: Vec<_> = known().map(|flag| flag.name).collect();
            ErrorKind::NotFound {
                what: noun::FLAG,
                name: name.to_owned(),
                hint: format!(
                    " in {engine}; known are {} and numbers such as 0x20",
                    all.join(", ")
                ),
            }
            .into()
        },
    )
}

/// Explains a flag value without building its text unless somebody asks.
pub(super) struct Meaning(pub u64, pub &'static [Flag], pub Engine);

impl fmt::Display for Meaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&names(self.0, self.1, self.2).join(" | "))
    }
}
