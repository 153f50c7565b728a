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
        self.exports().refuse_shared_bodies()?;
        let mut left_out = Vec::new();
        let mut text = String::from("Begin Map\n   Begin Level\n");
        let mut scope = EditorScope::of(self.package, PackageIndex::NULL);
        for &row in rows {
            scope.enter(self.outer(PackageIndex::export(row)), []);
            let mut writer = ObjectWriter::new(self.package, &scope);
            // Writing to a String can't fail.
            let _ = writer.block(row, "Actor")?.write(&mut text, 2);
            left_out.append(&mut writer.left_out);
        }
        text.push_str("   End Level\nBegin Surface\nEnd Surface\nEnd Map\n");
        Ok(EditorText { text, left_out })
    }
}
