//! Which operands follow which token, by version.

mod kismet;
mod row;
mod unreal_script;

use std::sync::{Arc, OnceLock};

use row::Row;

use crate::archive::Context;
use crate::version::{Game, UnrealVersions, Versions};

/// The tokens of some versions, looked up once for all code of a package.
#[derive(Debug)]
pub(super) struct Grammar {
    key: GrammarKey,
    /// The operands of each token, as [`Row`] lists them; `None` where no such token is known.
    operands: [Option<&'static str>; 256],
    /// The token that a debug build of UnrealScript inserts behind parameter lists, and the number behind it
    /// that tells it apart from an operand.
    pub debug_token: Option<(u8, u32)>,
}

/// The key of a grammar.
type GrammarKey = (u32, u32, u32, Game);

/// The grammar of a package's code, found when code is met first: part of the context of its bodies.
#[derive(Debug, Clone, Default)]
#[doc(hidden)]
pub struct KeptGrammar(Arc<OnceLock<Arc<Grammar>>>);

impl Grammar {
    /// The grammar of these versions, kept in the context where that has a place for it.
    pub fn of(versions: &Versions, context: &Context) -> Arc<Self> {
        let kept = context.get::<KeptGrammar>();
        let known = kept.map(|kept| kept.0.get_or_init(|| Arc::new(Self::new(versions))));
        match known.filter(|known| known.key == Self::key(versions)) {
            Some(known) => known.clone(),
            None => Arc::new(Self::new(versions)),
        }
    }

    pub fn new(versions: &Versions) -> Self {
        let (tables, version) = tables(versions);
        let mut operands = [None; 256];
        // The first row of a token counts, and so it comes last.
        let rows = tables.iter().rev().flat_map(|rows| rows.iter().rev());
        for row in rows.filter(|row| row.is_in(version)) {
            let known = row.operands.iter().rfind(|(since, _)| *since <= version);
            let known = known.map(|(_, operands)| *operands);
            operands[usize::from(row.first)..=usize::from(row.last)].fill(known);
        }
        Self { key: Self::key(versions), operands, debug_token: debug_token(versions) }
    }

    fn key(versions: &Versions) -> GrammarKey {
        (versions.file(), versions.licensee(), versions.ue4(), versions.game())
    }

    /// The operands of a token, as [`Row`] lists them; `None` where no such token is known.
    #[inline]
    pub fn operands(&self, token: u8) -> Option<&'static str> {
        self.operands[usize::from(token)]
    }
}

fn find(table: &'static [Row], token: u8, version: u32) -> Option<&'static Row> {
    let start = table.partition_point(|row| row.last < token);
    let rows = table.get(start..).unwrap_or_default();
    let mut rows = rows.iter().take_while(|row| row.first <= token);
    rows.find(|row| row.is_in(version))
}

/// The tables of these versions, and the version that decides about their rows; of two tables that have a
/// token the first one counts.
fn tables(versions: &Versions) -> ([&'static [Row]; 3], u32) {
    match versions.has_object_versions() {
        true => ([kismet::TOKENS, &[], &[]], versions.ue4()),
        false => (unreal_script::tables(versions), versions.file()),
    }
}

/// The engine's name of a token in these versions without its prefix; `Token` where none is known.
pub fn token_name(token: u8, versions: &Versions) -> &'static str {
    let (tables, version) = tables(versions);
    let row = tables.into_iter().find_map(|table| find(table, token, version));
    row.map_or("Token", |row| row.name)
}

/// The operands of a text literal of this kind (spec: ue4-5/05 §3).
pub(super) fn text_operands(kind: u8) -> Option<&'static str> {
    Some(match kind {
        0 => "",
        1 => "eee",
        2 | 3 => "e",
        4 => "Oee",
        _ => return None,
    })
}

/// The token that a debug build of UnrealScript inserts behind parameter lists, and the number behind it that
/// tells it apart from an operand.
pub(super) fn debug_token(versions: &Versions) -> Option<(u8, u32)> {
    if versions.has_object_versions() { None } else { unreal_script::debug_token(versions) }
}
