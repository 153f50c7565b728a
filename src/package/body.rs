//! The bytes of an object's body.

use std::ops::Range;
use std::sync::Arc;

use super::Package;
use crate::Versions;
use crate::archive::{Annotate, Archived, Context, Record, Saver, Span};
use crate::error::{ErrorKind, Result};
use crate::object::Body;
use crate::version::threshold::ue5;

/// Decoded bodies as bytes, at the places where they stood: most stay there, and those that move are saved
/// once more.
pub(super) struct Drafts {
    saver: Saver,
    context: Arc<Context>,
    bytes: Vec<u8>,
    /// By export row: where it would stand, and where its bytes are.
    found: Vec<Option<(u64, Range<usize>)>>,
}

impl Drafts {
    /// No drafts yet of a package of these versions.
    pub fn new(versions: &Versions, context: Arc<Context>) -> Self {
        let saver = Saver::new(versions.of_bodies()).with_context(context.clone());
        Self { saver, context, bytes: Vec::new(), found: Vec::new() }
    }

    /// What archives know about the package that is saved.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// Saves a body at `start`.
    fn save(&mut self, row: usize, start: u64, body: &mut Body) -> Result<&[u8]> {
        self.saver.restart(start);
        let saved = body.serialize(&mut self.saver);
        saved.map_err(|error| error.at_index(row).in_field("bodies"))?;
        let at = self.bytes.len();
        self.bytes.extend_from_slice(self.saver.bytes());
        if self.found.len() <= row {
            self.found.resize(row + 1, None);
        }
        self.found[row] = Some((start, at..self.bytes.len()));
        Ok(&self.bytes[at..])
    }

    /// The bytes of a body that stands at `start`.
    pub fn bytes(&mut self, row: usize, start: u64, body: &mut Body) -> Result<&[u8]> {
        match self.found.get(row).cloned().flatten() {
            Some((place, range)) if place == start => Ok(&self.bytes[range]),
            _ => self.save(row, start, body),
        }
    }
}

impl Package {
    /// Start and size that an export's row gives to its body.
    pub(crate) fn body_range(&self, row: usize) -> (u64, u64) {
        self.tables.exports.get(row).map_or((0, 0), |row| (row.offset(), row.size()))
    }

    /// The body of an export, as a range of the source or as the bytes that replaced it.
    pub(crate) fn body_span(&self, row: usize) -> Span {
        if let Some(span) = self.bodies.replaced.get(&row) {
            return span.clone();
        }
        match self.body_range(row) {
            // Where nothing stands may be anywhere.
            (_, 0) => Span::default(),
            (start, size) => Span::source(start, size),
        }
    }

    /// Drafts a body at `start`; says how many bytes it takes.
    pub(super) fn draft_body(
        &mut self,
        row: usize,
        start: u64,
        drafts: &mut Drafts,
    ) -> Result<u64> {
        let (old, size) = self.body_range(row);
        let Some(decoded) = self.bodies.decoded.get_mut(&row) else {
            return Ok(self.body_span(row).len());
        };
        let before = self.source.get(old as usize..(old + size) as usize);
        let bytes = drafts.save(row, start, &mut decoded.body)?;
        let length = bytes.len() as u64;
        let mut is_as_before = before == Some(bytes);
        if !is_as_before && start != old && length == size {
            // Positions in it may be all that differs.
            is_as_before = before == Some(drafts.save(row, old, &mut decoded.body)?);
        }
        // Bytes that are as they were have their properties where they were.
        if !is_as_before {
            self.settle_script_range(row, &drafts.context)?;
            self.settle_resources(row, start, length != size, &drafts.context)?;
        }
        Ok(length)
    }

    /// From UE5 1010 the row says where the properties stand: it follows them, unless it said otherwise
    /// before.
    fn settle_script_range(&mut self, row: usize, context: &Arc<Context>) -> Result<()> {
        let versions = &self.versions;
        if versions.ue5 < ue5::SCRIPT_SERIALIZATION_OFFSET || versions.unversioned_properties {
            return Ok(());
        }
        let Some(decoded) = self.bodies.decoded.get_mut(&row) else { return Ok(()) };
        let Some([old, new]) = decoded.body.script_range(&self.versions, context)? else {
            return Ok(());
        };
        if let Some(export) = self.tables.exports.get_mut(row) {
            let start = &mut export.script_serialization_start_offset;
            let end = &mut export.script_serialization_end_offset;
            let signed = |(start, end)| (start as i64, end as i64);
            if old != new && (*start, *end) == signed(old) {
                (*start, *end) = signed(new);
            }
        }
        Ok(())
    }

    /// A body as bytes at `start`, and what they are.
    pub(crate) fn written(
        &self,
        body: &mut Body,
        start: u64,
        context: Arc<Context>,
    ) -> Result<(Vec<u8>, Vec<Record>)> {
        let mut saver = Saver::new(self.versions.of_bodies()).at(start).with_context(context);
        let mut annotate = Annotate::new(&mut saver);
        body.serialize(&mut annotate)?;
        let records = annotate.into_records();
        Ok((saver.into_bytes(), records))
    }

    /// The bytes of an export's body.
    ///
    /// # Errors
    /// `NotFound` when there is no such row.
    pub fn body(&self, row: usize) -> Result<&[u8]> {
        if let Some(bytes) = self.bodies.replaced.get(&row).and_then(Span::as_owned) {
            return Ok(bytes);
        }
        if row >= self.export_count() {
            let hint = format!("; there are {} exports", self.export_count());
            return Err(
                ErrorKind::NotFound { what: "export", name: format!("#{row}"), hint }.into()
            );
        }
        let (start, size) = self.body_range(row);
        // Opening has checked the range.
        Ok(self.source.get(start as usize..(start + size) as usize).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use crate::generate::Builder;
    use crate::package::Package;
    use crate::property::Value;
    use crate::version::EngineRelease;
    use crate::{Name, PackageIndex};

    /// Control, one int, the end, no GUID, and what the class adds.
    fn body(row: impl Fn(&str) -> Vec<u8>) -> Vec<u8> {
        let tag = [row("Number"), row("IntProperty"), vec![0; 4], vec![4, 0, 0, 0, 0]].concat();
        [vec![0], tag, vec![7, 0, 0, 0], row("None"), vec![0; 4], vec![0xee; 3]].concat()
    }

    #[test]
    fn rows_follow_properties_that_grow() {
        let release = EngineRelease::new(5, 4);
        let names = ["None", "Number", "IntProperty"];
        let row = |text: &str| {
            let at = names.iter().position(|name| *name == text).unwrap_or_default();
            [(at as i32).to_le_bytes(), [0; 4]].concat()
        };
        let mut builder = Builder::for_release(release);
        for name in names {
            builder = builder.name(name);
        }
        let bytes = builder.export("Thing", "/Script/Engine.Thing", body(row)).build().unwrap();
        let mut package = Package::from_bytes(bytes).unwrap();
        for name in names {
            let at = package.names().find(name).unwrap();
            assert_eq!(row(name)[..4], (at as i32).to_le_bytes(), "{name}");
        }
        package.tables.exports[0].script_serialization_end_offset = 38;
        let saved = package.to_bytes().unwrap();
        let mut package = Package::from_bytes(saved).unwrap();
        package.decode_all();
        let body = &mut package.bodies.decoded.get_mut(&0).unwrap().body;
        let prologue = body.prologue.as_mut().unwrap();
        assert_eq!(prologue.range(), (0, 38));
        let list = &mut prologue.properties;
        let second = list.properties[0].clone();
        list.properties.push(second);
        *list.properties[1].value_mut() = Value::Int(8);
        let saved = package.to_bytes().unwrap();
        let mut again = Package::from_bytes(saved).unwrap();
        again.decode_all();
        let export = &again.tables.exports[0];
        assert_eq!(export.script_serialization_end_offset, 67);
        assert_eq!(export.serial_size.value(), 67 + 4 + 3);
        let prologue = again.decoded(0).unwrap().body.prologue.as_ref().unwrap();
        assert_eq!(prologue.range(), (0, 67));
        // What the class adds has moved along.
        assert!(again.body(0).unwrap().ends_with(&[0xee; 3]));
        let number = Name::new(1);
        let users = crate::inspect::Referrer::of_name(&again, number.index.value() as usize);
        assert!(users.iter().any(|user| user.count == 2), "{users:?}");
        assert!(
            !crate::inspect::Referrer::of_object(&again, PackageIndex::export(0))
                .iter()
                .any(|user| user.count > 1)
        );
    }
}
