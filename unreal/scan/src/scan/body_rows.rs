//! What bodies add to the tables: properties, references, hashes, findings.

use std::fmt::Write as _;
use std::sync::Arc;

use super::TableKind;
use super::body_hash::BodyHasher;
use super::bulk_sizes::{BulkSizes, BulkVisitor, ObjectBulk, PackageSizes};
use super::leaf_rows::LeafRows;
use super::origin::Origins;
use super::reference_rows::{ReferenceVisitor, ReferredTo};
use super::row_buffer::Cell;
use super::rows::PackageRows;
use crate::archive::{Context, Coverage};
use crate::inspect::table_rows::row_path;
use crate::inspect::{BodyBytes, PackageValues, PositionVisitor, Positions, PropertyValue};
use crate::package::{Decoded, Package};
use crate::primitive::{PackageIndex, Way, split_soft_path};
use crate::property::{Type, Value};

/// What is learned from bodies and stands in rows of other tables.
pub(super) struct Learned {
    /// The kinds of all bytes.
    pub coverage: Coverage,
    /// By export row.
    pub hashes: Vec<Option<String>>,
    /// By export row.
    pub bulk: Vec<ObjectBulk>,
    pub sizes: PackageSizes,
}

impl Learned {
    /// Where no body was looked at.
    pub fn none(package: &Package) -> Self {
        let count = package.exports().len();
        Self {
            coverage: Coverage::default(),
            hashes: vec![None; count],
            bulk: vec![ObjectBulk::default(); count],
            sizes: PackageSizes::default(),
        }
    }
}

/// Goes through the bodies of a package.
pub(super) struct BodyRows<'a, 'r> {
    pub package: &'a Package,
    pub id: i64,
    pub rows: &'r mut PackageRows,
    pub origins: &'r mut Origins<'a>,
}

impl<'a> BodyRows<'a, '_> {
    /// Decodes each body once, and keeps none.
    pub fn add(&mut self) -> Learned {
        let package = self.package;
        let tables = self.rows.tables();
        let context = package.decoding_context();
        let wants = |table| tables.contains(table);
        let count = package.exports().len();
        let mut hasher = wants(TableKind::Exports).then(|| BodyHasher::new(package));
        let mut bodies: Vec<Option<BodyBytes>> = vec![None; count];
        let mut hashes = vec![None; count];
        let mut decoder = package.decoder();
        let mut bulk_sizes = BulkSizes::new(package);
        // Bodies that share their bytes are hashed one by one, which must not cost more than the package's size.
        let hashes_raw = package.exports().refuse_shared_bodies().is_ok();
        let mut positions = Positions::default();
        if wants(TableKind::Findings) {
            positions = Positions::of_tables(package);
        }
        for row in 0..count {
            if package.body_range(row).1 == 0 {
                continue;
            }
            let Some(mut decoded) = decoder.decode(package, row, |_| true) else {
                let hasher = hasher.as_mut().filter(|_| hashes_raw);
                hashes[row] = hasher.map(|hasher| hasher.raw(row));
                continue;
            };
            let decoded = Arc::make_mut(&mut decoded);
            bodies[row] = Some(BodyBytes { opaque: decoded.opaque, payload: decoded.payload });
            if wants(TableKind::Properties) {
                self.properties(row, decoded, &context);
            }
            if wants(TableKind::Leaves) {
                self.leaves(row, decoded, &context);
            }
            let mut of_positions = None;
            if wants(TableKind::Findings) {
                self.not_decoded(row, decoded);
                of_positions = Some(PositionVisitor::of_body(package, row, &mut positions));
            }
            let bulk = bulk_sizes.of_body(package, row, decoded);
            self.show(row, decoded, &context, (bulk, of_positions));
            // Last: its names and objects have other numbers afterwards.
            let hasher = hasher.as_mut();
            hashes[row] = hasher.map(|hasher| hasher.hash(package, row, decoded, &context));
        }
        for wrong in &positions.wrong {
            let message = wrong.to_string();
            self.finding("wrong-position", "error", &wrong.place, &message);
        }
        let coverage = package.coverage_by(|row| {
            let body = bodies.get(row).copied().flatten()?;
            Some((body.opaque, body.payload))
        });
        let (bulk, sizes) = bulk_sizes.finish(package);
        Learned { coverage, hashes, bulk, sizes }
    }

    fn finding(&mut self, rule: &str, severity: &str, object: &str, message: &str) {
        let cells = [
            Cell::Integer(self.id),
            Cell::Text(rule),
            Cell::Text(severity),
            Cell::Text(object),
            Cell::Text(message),
        ];
        self.rows.push(TableKind::Findings, &cells);
    }

    fn not_decoded(&mut self, row: usize, decoded: &Decoded) {
        if let Some(error) = &decoded.error {
            let path = self.package.path(PackageIndex::export(row));
            let message = format!("its body is not decoded whole: {error}");
            self.finding("not-decoded", "note", &path, &message);
        }
    }

    /// The properties that `upk get` prints.
    fn properties(&mut self, row: usize, decoded: &mut Decoded, context: &Arc<Context>) {
        // Of what is not decoded nothing is said that may be wrong.
        if decoded.error.is_some() && decoded.body.prologue.is_none() {
            return;
        }
        let package = self.package;
        let values = package.values();
        let Ok(list) = values.list_of(row, &mut decoded.body) else { return };
        let mut export: Option<String> = None;
        values.each_listed(row, list, context, &mut |path, known, value, text| {
            let export = export.get_or_insert_with(|| package.path(PackageIndex::export(row)));
            self.property((row, export), &path, &known, value, &text, context);
        });
        for known in values.rows_of(row, &decoded.body, context).unwrap_or_default() {
            let export = export.get_or_insert_with(|| package.path(PackageIndex::export(row)));
            let PropertyValue { path, property_type, value, text } = &known;
            self.property((row, export), path, property_type, value.as_ref(), text, context);
        }
    }

    /// The values in them that have no parts.
    fn leaves(&mut self, row: usize, decoded: &mut Decoded, context: &Arc<Context>) {
        if decoded.error.is_some() && decoded.body.prologue.is_none() {
            return;
        }
        let (package, id) = (self.package, self.id);
        let values = package.values();
        let Ok(list) = values.list_of(row, &mut decoded.body) else { return };
        let listed = values.plain_listed(row, list, context);
        let rows = values.plain_rows_of(row, &mut decoded.body, context).unwrap_or_default();
        if listed.is_empty() && rows.is_empty() {
            return;
        }
        let export = package.path(PackageIndex::export(row));
        let (rows_of_all, origins) = (&mut *self.rows, &mut *self.origins);
        let export = (row, &*export);
        let mut leaves = LeafRows { package, rows: rows_of_all, origins, id, export };
        for (path, value) in &listed {
            leaves.add(path, value);
        }
        for (name, value) in &rows {
            leaves.add(&row_path(name), value);
        }
    }

    fn property(
        &mut self,
        (row, export): (usize, &str),
        path: &str,
        known: &Type,
        value: Option<&Value>,
        text: &str,
        context: &Arc<Context>,
    ) {
        let (name, array_index) = parts(path);
        let soft = match value {
            Some(Value::SoftObject(path)) => Some(path.text(context)),
            Some(Value::SoftObjectIndex(row)) => {
                let row = usize::try_from(*row).ok();
                let path = row.and_then(|row| self.package.soft_object_paths().get(row));
                path.map(|path| path.text(context))
            }
            _ => None,
        };
        let reference = match value {
            Some(Value::Object(index)) => Some(self.origins.full_path(*index)),
            _ => soft.as_deref(),
        };
        let property_type = known.to_string();
        let number = number(value, known);
        let cells = [
            Cell::Integer(self.id),
            Cell::Integer(row as i64),
            Cell::Text(export),
            Cell::Text(path),
            Cell::Text(name),
            Cell::Text(&property_type),
            Cell::Integer(array_index),
            Cell::Text(text),
            number.map_or(Cell::Null, Cell::Real),
            Cell::maybe(reference.filter(|path| !path.is_empty())),
        ];
        self.rows.push(TableKind::Properties, &cells);
    }

    /// Goes through a body once: for what it refers to, if that is wanted, and for others.
    fn show(
        &mut self,
        row: usize,
        decoded: &mut Decoded,
        context: &Arc<Context>,
        (bulk, positions): (Option<BulkVisitor<'_>>, Option<PositionVisitor<'_>>),
    ) {
        let collects = self.rows.tables().contains(TableKind::Refs);
        if !collects && bulk.is_none() && positions.is_none() {
            return;
        }
        let (package, id) = (self.package, self.id);
        let (rows, origins) = (&mut *self.rows, &mut *self.origins);
        let mut referrer: Option<ReferringObject> = None;
        let mut place = String::new();
        let each = |way: &Way, referred: ReferredTo<'_>| {
            let from = referrer.get_or_insert_with(|| ReferringObject::of(package, row));
            place.clear();
            // Writing to a String can't fail.
            let _ = write!(place, "{way}");
            let of;
            let (kind, path, to_package) = match referred {
                ReferredTo::Soft(path) => ("soft", path, split_soft_path(path).0),
                ReferredTo::Object(index) => {
                    of = origins.package_of(index);
                    (from.kind, origins.full_path(index), &*of)
                }
            };
            // A number out of range means nothing.
            if path.is_empty() {
                return;
            }
            let cells = [
                Cell::Integer(id),
                Cell::Integer(row as i64),
                Cell::Text(&from.path),
                Cell::Text(&place),
                Cell::Text(kind),
                Cell::Text(path),
                Cell::Text(to_package),
            ];
            rows.push(TableKind::Refs, &cells);
        };
        let references = collects.then_some(ReferenceVisitor { package, context, each });
        let mut all = ((bulk, positions), references);
        package.show_body(&mut decoded.body, context, &mut all);
        let ((_, Some(mut positions)), _) = all else { return };
        positions.end();
    }
}

/// The object that refers to others.
struct ReferringObject {
    path: String,
    kind: &'static str,
}

impl ReferringObject {
    fn of(package: &Package, row: usize) -> Self {
        let class = package.exports().entries().get(row).map(|export| export.class_index);
        let class = class.map(|class| package.object_name(class)).unwrap_or_default();
        let is_redirector = class.eq_ignore_ascii_case("ObjectRedirector");
        let kind = if is_redirector { "redirect" } else { "hard" };
        Self { path: package.path(PackageIndex::export(row)), kind }
    }
}

/// The name in a path, and the element of a static array behind it; rows of tables stand in brackets.
pub(super) fn parts(path: &str) -> (&str, i64) {
    let inner = path.strip_suffix(']');
    if let Some(row) = inner.and_then(|path| path.strip_prefix('[')) {
        return (row.trim_matches('"'), 0);
    }
    let element = inner.and_then(|path| path.rsplit_once('['));
    match element.and_then(|(name, index)| Some((name, index.parse().ok()?))) {
        Some(found) => found,
        None => (path, 0),
    }
}

/// The value of a number.
fn number(value: Option<&Value>, known: &Type) -> Option<f64> {
    use crate::property::PropertyKind as Kind;
    Some(match value {
        Some(Value::Bool(is)) => f64::from(u8::from(*is)),
        Some(Value::BoolByte(number) | Value::Byte(number)) => f64::from(*number),
        Some(Value::BoolWord(number) | Value::UInt32(number)) => f64::from(*number),
        Some(Value::Int8(number)) => f64::from(*number),
        Some(Value::Int16(number)) => f64::from(*number),
        Some(Value::Int(number)) => f64::from(*number),
        Some(Value::UInt16(number)) => f64::from(*number),
        Some(Value::Int64(number)) => *number as f64,
        Some(Value::UInt64(number)) => *number as f64,
        Some(Value::Float(number)) => f64::from(*number),
        Some(Value::Double(number)) => *number,
        // Zeros that unversioned lists leave out.
        None => match known.kind() {
            Kind::Int | Kind::Float | Kind::Bool | Kind::Byte | Kind::Double => 0.0,
            _ => return None,
        },
        _ => return None,
    })
}
