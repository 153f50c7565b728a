//! Columns of the protocol.

use lsp_types::PositionEncodingKind;

/// How an editor counts columns, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Columns {
    /// UTF-16 code units, which every editor does.
    Utf16,
    /// Characters, as messages of the compiler count them.
    Characters,
}

impl Columns {
    /// Characters where the editor can count them.
    pub fn of_client(offered: &[PositionEncodingKind]) -> Self {
        match offered.contains(&PositionEncodingKind::UTF32) {
            true => Self::Characters,
            false => Self::Utf16,
        }
    }

    fn width(self, character: char) -> u32 {
        match self {
            Self::Utf16 => character.len_utf16() as u32,
            Self::Characters => 1,
        }
    }

    /// Characters before a column of the editor.
    pub fn characters_before(self, line: &str, column: u32) -> u32 {
        let mut passed = 0_u32;
        let is_before = |character: &char| {
            passed = passed.saturating_add(self.width(*character));
            passed <= column
        };
        u32::try_from(line.chars().take_while(is_before).count()).unwrap_or(u32::MAX)
    }

    /// The column of the editor behind as many characters.
    pub fn column_behind(self, line: &str, characters: u32) -> u32 {
        let mut line = line.chars();
        // Behind the end of the line columns go on.
        (0..characters).fold(0_u32, |column, _| {
            column.saturating_add(line.next().map_or(1, |character| self.width(character)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Columns;

    #[test]
    fn columns_count_as_the_editor_does() {
        let line = "// \u{1f600} Größe = 1;";
        assert_eq!(Columns::Utf16.characters_before(line, 6), 5);
        assert_eq!(Columns::Utf16.column_behind(line, 5), 6);
        assert_eq!(Columns::Characters.characters_before(line, 6), 6);
        assert_eq!(Columns::Characters.column_behind(line, 5), 5);
        // Within a character is before it, behind the end is the end.
        assert_eq!(Columns::Utf16.characters_before(line, 4), 3);
        assert_eq!(Columns::Utf16.characters_before("ab", 9), 2);
        assert_eq!(Columns::Utf16.column_behind("ab", 4), 4);
    }
}
