//! Which operands follow which token, by version.

mod kismet;
mod row;
mod unreal_script;

use row::Row;

use crate::Versions;

fn find(table: &'static [Row], token: u8, version: u32) -> Option<&'static Row> {
    let start = table.partition_point(|row| row.last < token);
    let rows = table.get(start..).unwrap_or_default();
    let mut rows = rows.iter().take_while(|row| row.first <= token);
    rows.find(|row| (row.since..row.until).contains(&version))
}

/// The row of a token: its name and operands.
fn row_of(token: u8, versions: &Versions) -> Option<(&'static Row, u32)> {
    let (tables, version) = match versions.has_object_versions() {
        true => ([kismet::TOKENS, &[], &[]], versions.ue4),
        false => (unreal_script::tables(versions), versions.file),
    };
    let row = tables.into_iter().find_map(|table| find(table, token, version))?;
    Some((row, version))
}

/// The operands of a token, as [`Row`] lists them; `None` where no such token is known.
pub(super) fn operands(token: u8, versions: &Versions) -> Option<&'static str> {
    let (row, version) = row_of(token, versions)?;
    let (_, operands) = row.operands.iter().rfind(|(since, _)| *since <= version)?;
    Some(operands)
}

/// The engine's name of a token in these versions without its prefix; `Token` where none is known.
pub fn token_name(token: u8, versions: &Versions) -> &'static str {
    row_of(token, versions).map_or("Token", |(row, _)| row.name)
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
