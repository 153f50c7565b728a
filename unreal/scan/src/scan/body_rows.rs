//! What bodies add to the tables: properties, references, hashes, findings.

use std::fmt::Write as _;
use std::sync::Arc;

use super::body_hash::BodyHasher;
use super::bulk_sizes::{BulkSizes, ObjectBulk, PackageSizes};
use super::leaf_rows::LeafRows;
use super::origin::Origins;
use super::reference_rows::{BodyVisitor, ReferenceSink, ReferredTo};
use super::row_buffer::Cell;
use super::rows::PackageRows;
use super::{TableKind, TableSet};
use crate::archive::{Context, Coverage};
use crate::error::{PathStep, WrittenPath};
use crate::inspect::table_rows::row_path;
use crate::inspect::{BodyBytes, PackageValues, Positions, PropertyValue};
use crate::package::{Decoded, Package};
use crate::primitive::PackageIndex;
use crate::primitive::split_soft_path;
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
            bulk_sizes.add_body(package, row, decoded, &context);
            bodies[row] = Some(BodyBytes { opaque: decoded.opaque, payload: decoded.payload });
            if wants(TableKind::Properties) {
                self.properties(row, decoded, &context);
            }
            if wants(TableKind::Leaves) {
                self.leaves(row, decoded, &context);
            }
            if wants(TableKind::Findings) {
                self.not_decoded(row, decoded);
                positions.add_body(package, row, decoded);
            }
            hashes[row] = self.references(row, decoded, &context, tables, hasher.as_mut());
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
        let listed = values.listed(row, list, context);
        let rows = values.rows_of(row, &decoded.body, context).unwrap_or_default();
        if listed.is_empty() && rows.is_empty() {
            return;
        }
        let export = package.path(PackageIndex::export(row));
        for known in listed.iter().chain(&rows) {
            self.property((row, &export), known, context);
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
        known: &PropertyValue,
        context: &Arc<Context>,
    ) {
        let (name, array_index) = parts(&known.path);
        let soft = match &known.value {
            Some(Value::SoftObject(path)) => Some(path.text(context)),
            Some(Value::SoftObjectIndex(row)) => {
                let row = usize::try_from(*row).ok();
                let path = row.and_then(|row| self.package.soft_object_paths().get(row));
                path.map(|path| path.text(context))
            }
            _ => None,
        };
        let reference = match &known.value {
            Some(Value::Object(index)) => Some(self.origins.full_path(*index)),
            _ => soft.as_deref(),
        };
        let property_type = known.property_type.to_string();
        let number = number(known.value.as_ref(), &known.property_type);
        let cells = [
            Cell::Integer(self.id),
            Cell::Integer(row as i64),
            Cell::Text(export),
            Cell::Text(&known.path),
            Cell::Text(name),
            Cell::Text(&property_type),
            Cell::Integer(array_index),
            Cell::Text(&known.text),
            number.map_or(Cell::Null, Cell::Real),
            Cell::maybe(reference.filter(|path| !path.is_empty())),
        ];
        self.rows.push(TableKind::Properties, &cells);
    }

    /// Adds what a body refers to; its hash, if that is wanted. Its names and objects have other numbers
    /// afterwards.
    fn references(
        &mut self,
        row: usize,
        decoded: &mut Decoded,
        context: &Arc<Context>,
        tables: TableSet,
        hasher: Option<&mut BodyHasher<'a>>,
    ) -> Option<String> {
        let collects = tables.contains(TableKind::Refs);
        if hasher.is_none() && !collects {
            return None;
        }
        let (package, id) = (self.package, self.id);
        let (rows, origins) = (&mut *self.rows, &mut *self.origins);
        let mut referrer: Option<ReferringObject> = None;
        let mut place = String::new();
        let mut add = |way: &[PathStep], referred: ReferredTo<'_>| {
            let from = referrer.get_or_insert_with(|| ReferringObject::of(package, row));
            place.clear();
            // Writing to a String can't fail.
            let _ = write!(place, "{}", WrittenPath(way));
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
        let no_texts = Vec::new;
        if collects {
            // Before names get other numbers, since the paths of fields are made of them.
            let each: Option<ReferenceSink<'_>> = Some(&mut add);
            let mut visitor =
                BodyVisitor { package, context, hasher: None, each, soft_texts: no_texts() };
            package.show_body(&mut decoded.body, context, &mut visitor);
        }
        let hasher = hasher?;
        hasher.start();
        let (hasher, each) = (Some(hasher), None);
        let mut visitor = BodyVisitor { package, context, hasher, each, soft_texts: no_texts() };
        package.show_body(&mut decoded.body, context, &mut visitor);
        let BodyVisitor { hasher, soft_texts, .. } = visitor;
        let hasher = hasher?;
        let whole = decoded.is_complete();
        let hash = hasher.finish(&mut decoded.body, whole, &soft_texts);
        Some(hash.unwrap_or_else(|| hasher.raw(row)))
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
