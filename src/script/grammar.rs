//! Which operands follow which token, by version.

mod kismet;
mod row;
mod unreal_script;

use row::{Row, Table};

use crate::Versions;

/// The tokens of some versions.
#[derive(Clone, Copy)]
pub(super) struct Grammar {
    /// Of two tables that have a token the first one counts.
    tables: [&'static Table; 3],
    version: u32,
    /// The token that a debug build of UnrealScript inserts behind parameter lists, and the number behind it
    /// that tells it apart from an operand.
    pub debug_token: Option<(u8, u32)>,
}

impl Grammar {
    pub fn of(versions: &Versions) -> Self {
        let (tables, version, debug_token) = match versions.has_object_versions() {
            true => (kismet::TABLES, versions.ue4, None),
            false => {
                let debug_token = unreal_script::debug_token(versions);
                (unreal_script::tables(versions), versions.file, debug_token)
            }
        };
        Self { tables, version, debug_token }
    }

    /// The row of a token: its name and operands.
    #[inline]
    fn row(&self, token: u8) -> Option<&'static Row> {
        self.tables.iter().find_map(|table| table.find(token, self.version))
    }

    /// The operands of a token, as [`Row`] lists them; `None` where no such token is known.
    #[inline]
    pub fn operands(&self, token: u8) -> Option<&'static str> {
        let found = self.row(token)?.operands.iter().rfind(|(since, _)| *since <= self.version);
        found.map(|(_, operands)| *operands)
    }
}

/// The engine's name of a token in these versions without its prefix; `Token` where none is known.
pub fn token_name(token: u8, versions: &Versions) -> &'static str {
    Grammar::of(versions).row(token).map_or("Token", |row| row.name)
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
