//! Curves: values over time, as objects and tables store them.

mod key;
mod reading;

pub use self::key::{Curve, CurveInterpolation, CurveKey};
use self::reading::CurveReader;
use super::values::Values;
use crate::error::Result;
use crate::object::ue4::table::curve_table::CurveTable;
use crate::package::decode::native_as;

impl Values<'_> {
    /// The curves that an object stores, in stored order: rich and simple curves of UE4 and UE5, also as rows of a table;
    /// `InterpCurve…` and the lookup tables of distributions of UE3 and later. A curve of vectors or colours is one for
    /// each part. Keys that are not decoded are left out.
    ///
    /// # Errors
    /// `NotFound` for a row that is not there; `Invalid` for an object that is not decoded.
    pub fn curves(&self, row: usize) -> Result<Vec<Curve>> {
        self.package.body(row)?;
        let context = self.package.decoding_context();
        let decoded = self.editable(row, &context)?;
        let mut reader = CurveReader::new(self.package, &context);
        if let Some(table) = native_as::<CurveTable>(&decoded.body) {
            for (name, curve) in &table.curves {
                reader.add_list(&self.package.name_text(*name), &curve.properties);
            }
        }
        if let Some(list) = decoded.body.lists().next() {
            reader.add_properties("", list);
        }
        Ok(reader.curves)
    }
}
