//! Actors of levels as text.

use super::text::EditorText;
use super::writer::ObjectWriter;
use crate::content::Contents;
use crate::error::{Error, Result, UnrealErrors};
use crate::inspect::EditorScope;
use crate::primitive::PackageIndex;
use crate::version::EngineFacts;

impl Contents<'_> {
    /// Actors as the editors of UE3 to UE5 copy them, with their components and the polygons of their brushes, in the
    /// order of `rows`. Of UE1 and UE2 see
    /// [`Contents::map_text`].
    ///
    /// # Errors
    /// `Unsupported` for UE1 and UE2; `NotFound`; `Invalid` for an actor that is not decoded.
    pub fn level_text(&self, rows: &[usize]) -> Result<EditorText> {
        if self.versions().has_actor_text() {
            return Err(Error::unsupported("the text of UE1 and UE2 is another one"));
        }
        let mut left_out = Vec::new();
        let mut text = String::from("Begin Map\n   Begin Level\n");
        let level = |row: &usize| self.outer(PackageIndex::export(*row));
        for actors in rows.chunk_by(|one, next| level(one) == level(next)) {
            let root = actors.first().map(level).unwrap_or_default();
            let scope = EditorScope { root, ..EditorScope::default() };
            let mut writer = ObjectWriter::new(self.package, &scope)?;
            for &row in actors {
                // Writing to a String can't fail.
                let _ = writer.block(row, "Actor")?.write(&mut text, 2);
            }
            left_out.append(&mut writer.left_out);
        }
        text.push_str("   End Level\nBegin Surface\nEnd Surface\nEnd Map\n");
        Ok(EditorText { text, left_out })
    }
}
