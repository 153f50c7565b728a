//! Data resources whose payload stands in a body: where it stands follows the body.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::PackageIndex;
use crate::archive::{Kind, Record, RecordValue};
use crate::error::{Error, Result, UnrealErrors};
use crate::object::ue4::bulk;
use crate::package::saving::Saving;
use crate::package::{Decoded, Package};
use crate::primitive::ObjectRef;

/// Why a body keeps its size.
pub(crate) const HIDDEN: &str = "part of its body is not decoded and may hold inline payloads of the table of data resources, \
     so its size can't change";

/// The payloads in a body, as writing it has shown.
#[derive(Debug, Default)]
struct Payloads {
    /// By row of the table: from the start of the body.
    starts: BTreeMap<usize, i64>,
    /// Whether there are opaque bytes.
    opaque: bool,
}

impl Payloads {
    /// A row's number and its payload, or the first part of one that is decoded, stand one behind the other.
    fn of(records: &[Record], start: u64) -> Self {
        let opaque = records.iter().any(|record| record.value == RecordValue::Span(Kind::Opaque));
        let mut starts = BTreeMap::new();
        for (number, payload) in records.iter().zip(records.iter().skip(1)) {
            let RecordValue::Integer(row) = &number.value else { continue };
            // A property may have either name.
            let bulk = number.path.strip_suffix("resource");
            let part =
                bulk.and_then(|bulk| payload.path.strip_prefix(bulk)?.strip_prefix("payload"));
            if !part.is_some_and(|part| part.is_empty() || part.starts_with('.')) {
                continue;
            }
            let place = payload.start.checked_sub(start).and_then(|at| i64::try_from(at).ok());
            if let (Ok(row), Some(place)) = (usize::try_from(*row), place) {
                starts.insert(row, place);
            }
        }
        Self { starts, opaque }
    }
}

impl Package {
    /// Rows of the table of data resources whose payload stands in the body of an export, as far as the
    /// table can tell.
    fn inline_resources(&self, row: usize) -> Vec<usize> {
        let table = self.tables.further.data_resources.as_ref();
        let own = |outer: PackageIndex| match outer.target() {
            ObjectRef::Export(other) => other == row,
            _ => true,
        };
        let rows = table.map(|table| table.rows.iter().enumerate());
        rows.into_iter()
            .flatten()
            .filter(|(_, known)| {
                bulk::is_inline(known.legacy_bulk_data_flags)
                    && known.serial_offset >= 0
                    && known.serial_size > 0
                    && own(known.outer_index)
            })
            .map(|(at, _)| at)
            .collect()
    }

    /// Whether a payload that the table has in this body may stand among opaque bytes.
    pub(crate) fn hides_payloads(&self, row: usize, records: &[Record], start: u64) -> bool {
        let rows = self.inline_resources(row);
        if rows.is_empty() {
            return false;
        }
        let found = Payloads::of(records, start);
        found.opaque && rows.iter().any(|at| !found.starts.contains_key(at))
    }
}

impl Saving<'_> {
    /// The starts of inline payloads count from the start of the body (spec: ue4-5/03 §16): they follow the
    /// payloads of a body that has changed.
    ///
    /// # Errors
    /// `Refused` when the body has another size and a payload may stand among opaque bytes.
    pub(in crate::package) fn settle_resources(
        &mut self,
        row: usize,
        start: u64,
        resized: bool,
        decoded: &mut Arc<Decoded>,
    ) -> Result<()> {
        let package = &self.package;
        let rows = package.inline_resources(row);
        if rows.is_empty() {
            return Ok(());
        }
        let (body, context) = (&mut Arc::make_mut(decoded).body, self.drafts.context().clone());
        let written = package.written(body, start, context);
        let (_, records) = written.map_err(|error| error.at_index(row).in_field("bodies"))?;
        if resized && package.hides_payloads(row, &records, start) {
            let objects = vec![package.path(PackageIndex::export(row))];
            return Err(Error::refused(HIDDEN, objects));
        }
        let found = Payloads::of(&records, start);
        let table = self.settled.tables.further.data_resources.as_mut();
        let Some(table) = table else { return Ok(()) };
        for at in rows {
            if let (Some(known), Some(&place)) = (table.rows.get_mut(at), found.starts.get(&at)) {
                known.serial_offset = place;
            }
        }
        Ok(())
    }
}
