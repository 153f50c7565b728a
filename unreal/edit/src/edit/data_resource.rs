//! Rows of the table of data resources that bodies refer to (spec: ue4-5/03 §16).

use std::sync::Arc;

use super::Edit;
use crate::archive::{
    Archive, Archived, CompactIndex, Context, Direction, Kind, Patch, Reference, Span, Step,
    Window, visit_only,
};
use crate::error::{Error, Result, UnrealErrors};
use crate::object::Body;
use crate::object::ue4::bulk;
use crate::primitive::PackageIndex;
use crate::table::{DataResource, DataResources};
use crate::version::{UnrealVersions, Versions};

/// The field in which bulk data says its row.
const FIELD: &str = "resource";

/// Shows the rows of the table that a body refers to, and takes others in their place.
struct ResourceRows<'a> {
    each: &'a mut dyn FnMut(i32) -> i32,
    inside: bool,
    versions: Versions,
    context: Arc<Context>,
}

impl Archive for ResourceRows<'_> {
    visit_only!();

    fn serialize_bytes(&mut self, _: &mut [u8]) -> Result<()> {
        Ok(())
    }

    fn serialize_i32(&mut self, value: &mut i32) -> Result<()> {
        if self.inside {
            *value = (self.each)(*value);
        }
        Ok(())
    }

    fn serialize_span(&mut self, _: &mut Span, _: u64, _: Kind) -> Result<()> {
        Ok(())
    }

    fn reference(&mut self, _: Reference<'_>) -> Result<()> {
        Ok(())
    }

    fn step(&mut self, step: Step<'_>) {
        self.inside = matches!(step, Step::Field(FIELD));
    }
}

/// Shows every row that a body refers to, -1 where bulk data has none, and takes others in their place.
pub(super) fn visit(body: &mut Body, versions: &Versions, each: &mut dyn FnMut(i32) -> i32) {
    let (versions, context) = (versions.of_bodies(), Context::nothing());
    let mut rows = ResourceRows { each, inside: false, versions, context };
    // Visiting never fails: it neither reads nor writes.
    let _ = body.serialize(&mut rows as &mut dyn Archive);
}

impl Edit {
    /// Gives a copied body rows of its own in the table of data resources, which its payloads follow from then
    /// on. `source` is the table that the body comes from, `is_elsewhere` whether that is another package's:
    /// then what does not stand in the body can't come along.
    ///
    /// # Errors
    /// `Refused` for payloads in files beside the other package; `Invalid` for a row that is not there.
    pub(super) fn adopt_resources(
        &mut self,
        body: &mut Body,
        owner: usize,
        source: Option<&DataResources>,
        is_elsewhere: bool,
    ) -> Result<()> {
        let Some(source) = source else { return Ok(()) };
        let versions = self.versions().clone();
        let mut used = Vec::new();
        visit(body, &versions, &mut |row| {
            if row >= 0 {
                used.push(row);
            }
            row
        });
        if used.is_empty() {
            return Ok(());
        }
        let mut rows = Vec::with_capacity(used.len());
        for &row in &used {
            let known = usize::try_from(row).ok().and_then(|row| source.rows.get(row));
            let Some(known) = known else {
                return Err(Error::invalid(format!("data resource {row} is not in the table")));
            };
            if is_elsewhere && !bulk::is_inline(known.legacy_bulk_data_flags) {
                let reason = "its bulk data stands in a file beside the other package (.ubulk), which \
                              is not copied";
                return Err(Error::refused(reason, vec![self.exports().path(owner)]));
            }
            rows.push(DataResource { outer_index: PackageIndex::export(owner), ..*known });
        }
        let version = source.version;
        let empty = || DataResources { version, rows: Vec::new() };
        self.package.parts_kept().caches.context = Default::default();
        let table = self.further_mut().data_resources.get_or_insert_with(empty);
        let mut next = crate::table::next_row(table.rows.len())?;
        crate::table::next_row(table.rows.len() + rows.len())?;
        table.rows.extend(rows);
        visit(body, &versions, &mut |row| {
            if row < 0 {
                return row;
            }
            next += 1;
            next - 1
        });
        Ok(())
    }
}
