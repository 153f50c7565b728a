//! Notes of the editor on copied objects: in the header, or before UE5 1014 in an object of its own.

use super::needed::Needed;
use crate::edit::Edit;
use crate::error::Result;
use crate::inspect::package_path;
use crate::object::ue4::asset::small;
use crate::package::decode::{native_as, native_as_mut};
use crate::primitive::{FString, Map, Name, PackageIndex, SoftPath};
use crate::table::{MetaDataValue, ObjectMetaData};

impl Edit {
    /// Brings what is noted about the copied objects.
    pub(in crate::edit) fn adopt_meta_data(
        &mut self,
        source: &Edit,
        needed: &Needed,
        first: usize,
    ) -> Result<()> {
        self.adopt_header_notes(source, needed, first)?;
        self.adopt_object_notes(source, needed, first)
    }

    fn adopt_header_notes(&mut self, source: &Edit, needed: &Needed, first: usize) -> Result<()> {
        let (Some(theirs), true) =
            (&source.tables().further.meta_data, self.tables().further.meta_data.is_some())
        else {
            return Ok(());
        };
        let context = source.context();
        let Some(package) = package_path(self) else { return Ok(()) };
        for (at, row) in needed.copied().enumerate() {
            let path = source.exports().path(row);
            let is_of = |text: String| {
                let object = text.split_once('.').map(|(_, object)| object.replace(':', "."));
                object.is_some_and(|object| object.eq_ignore_ascii_case(&path))
            };
            let Some(known) =
                theirs.objects.iter().find(|known| is_of(known.object.text(&context)))
            else {
                continue;
            };
            let mut values = Vec::with_capacity(known.values.len());
            for MetaDataValue { key, value } in &known.values {
                let (key, value) = self.adopt_note(source, *key, value)?;
                values.push(MetaDataValue { key, value });
            }
            let path = self.exports().path(first + at).replacen('.', ":", 1);
            let object = self.new_soft_path(&format!("{package}.{path}"))?;
            let object = match self.soft_object_paths().is_empty() {
                true => SoftPath::Full(object),
                false => SoftPath::Listed(self.soft_path_row(object)?),
            };
            if let Some(ours) = &mut self.further_mut().meta_data {
                ours.objects.push(ObjectMetaData { object, values });
            }
        }
        Ok(())
    }

    fn adopt_object_notes(&mut self, source: &Edit, needed: &Needed, first: usize) -> Result<()> {
        let (Some(theirs), Some(ours)) = (source.notes_object(), self.notes_object()) else {
            return Ok(());
        };
        let mut source = source.clone();
        source.decode_row(theirs);
        self.decode_row(ours);
        let held = source.bodies().decoded.get(&theirs);
        let Some(held) = held.and_then(|decoded| native_as::<small::MetaData>(&decoded.body))
        else {
            return Ok(());
        };
        let mut found = Vec::new();
        for (at, row) in needed.copied().enumerate() {
            let index = PackageIndex::export(row);
            let Some((_, values)) = held.objects.0.iter().find(|(object, _)| *object == index)
            else {
                continue;
            };
            let mut copied = Map::default();
            for (key, value) in &values.0 {
                copied.0.push(self.adopt_note(&source, *key, value)?);
            }
            found.push((PackageIndex::export(first + at), copied));
        }
        if !found.is_empty()
            && let Some(decoded) = self.decoded_mut(ours)
            && let Some(data) = native_as_mut::<small::MetaData>(&mut decoded.body)
        {
            data.objects.0.extend(found);
        }
        Ok(())
    }

    /// The object that has the notes.
    fn notes_object(&self) -> Option<usize> {
        self.tables().exports.iter().position(|export| {
            self.object_name(export.class_index).eq_ignore_ascii_case("MetaData")
        })
    }

    /// A key with its text, of another package.
    fn adopt_note(&mut self, source: &Edit, key: Name, value: &FString) -> Result<(Name, FString)> {
        let key = self.add_object_name(&source.name_text(key))?;
        Ok((key, self.string(&value.text(source.source())?)))
    }
}
