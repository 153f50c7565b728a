//! Lists of properties without names and types: those are in the mappings.

pub(crate) mod header;

use std::collections::HashSet;
use std::sync::Arc;

use self::header::UnversionedHeader;
use super::TypeOf;
use crate::archive::{Context, Extent, Keyed, Step, in_field};
use crate::error::{Error, ErrorKind, PathStep, Result, UnrealError, Unsupported, noun};
use crate::primitive::ObjectRef;
use crate::property::item::Label;
use crate::property::mappings::{Mappings, Schema, SchemaType, Slot};
use crate::property::{PackageContext, Property, PropertyList, Value};
use crate::{Archive, ArchiveExt, Archived};

const HEADER: &str = "header";

/// The order of a list without tags: which properties of the class have values.
///
/// | order | type | field |
/// |---|---|---|
/// | 1 | u16 each | fragments: how many properties are passed over, then how many have values |
/// | 2 | u8, u16, u32 each | bits of those that are zero and not stored |
/// | 3 | | values |
///
/// Spec: ue4-5/04 §7.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::property) struct SchemaOrder {
    class: Arc<str>,
    header: UnversionedHeader,
    /// Loading stops at the first value of which the mappings do not know enough.
    stops: bool,
    /// Properties from there on, and whether they are zero: their values are not in the list.
    pending: Vec<(u32, bool)>,
}

impl SchemaOrder {
    /// Of a class whose list has yet to be loaded.
    pub fn of_class(class: Arc<str>) -> Self {
        Self { class, header: UnversionedHeader::default(), stops: false, pending: Vec::new() }
    }

    /// Loading keeps what stands before a gap in the mappings, and leaves the rest to the caller.
    pub fn stop_at_gap(&mut self) {
        self.stops = true;
    }

    /// Whether loading stopped at a gap: the values behind it stand where the list ends.
    pub fn is_partial(&self) -> bool {
        !self.pending.is_empty()
    }

    /// The class or struct.
    pub fn class(&self) -> &str {
        &self.class
    }

    /// Reads, writes or visits a list. Loading asks the mappings of the archive's context for the class.
    pub fn serialize<A: Archive + ?Sized>(
        &mut self,
        properties: &mut Vec<Property>,
        ar: &mut A,
    ) -> Result<()> {
        if ar.is_loading() {
            let Some(mappings) = ar.context().mappings().cloned() else {
                let reason = "properties without names need mappings (a .usmap file)".to_owned();
                let why = Unsupported::NeedsMappings;
                return Err(ar.error(UnrealError::Unsupported { why, reason }));
            };
            let schema = mappings.schema(&self.class).ok_or_else(|| unknown(&self.class, ar))?;
            return self.load(properties, &schema, &mappings, ar);
        }
        let slots = properties
            .iter()
            .filter_map(|known| Some((known.slot()?, matches!(known.value, Value::Zero))));
        let known = slots.clone().count();
        let slots = slots.chain(self.pending.iter().copied());
        let mut header = self.header.describing(slots.clone());
        if !header.slots().eq(slots) || known < properties.len() {
            let reason = self.disorder(properties);
            return Err(ar.error(ErrorKind::Invalid { reason }));
        }
        let in_keys =
            ar.keys().is_some() && !self.is_partial() && header.is_usual() && are_keys(properties);
        match in_keys {
            true => header.follows(ar)?,
            false => in_field(HEADER, ar, |ar| header.serialize(ar))?,
        }
        if in_keys && properties.is_empty() {
            ar.step(Step::Keyed(Keyed::Empty));
        }
        for Property { label, value } in properties {
            let Label::Slot { name, .. } = label else { continue };
            match value {
                Value::Zero if in_keys => in_name(name, ar, zero)?,
                Value::Zero => {}
                value => in_name(name, ar, |ar| value.serialize(ar))?,
            }
        }
        Ok(())
    }

    /// Why a list can't be stored in the order of its schema.
    #[cold]
    fn disorder(&self, properties: &[Property]) -> String {
        let stop = self.pending.iter().map(|(slot, _)| *slot).min();
        let behind = properties.iter().find_map(|property| match &property.label {
            Label::Slot { name, .. } if stop.is_some() && property.slot() >= stop => Some(name),
            _ => None,
        });
        match (stop, behind) {
            (Some(stop), Some(name)) => format!(
                "{name} of {} comes behind property {stop}, whose value the mappings do not describe, so that where it \
                 is to be stored is not known: open the package with mappings of its own version of the game",
                self.class
            ),
            _ => "properties out of the order of their schema".to_owned(),
        }
    }

    fn load<A: Archive + ?Sized>(
        &mut self,
        properties: &mut Vec<Property>,
        schema: &Schema,
        mappings: &Mappings,
        ar: &mut A,
    ) -> Result<()> {
        let keys = ar.keys().filter(|keys| keys.iter().all(|(key, _)| key != HEADER));
        let in_keys = keys.is_some();
        match keys {
            Some(keys) => {
                self.header = UnversionedHeader::default().describing(slots(schema, &keys, ar)?);
                self.header.follows(ar)?;
            }
            None => in_field(HEADER, ar, |ar| self.header.serialize(ar))?,
        }
        properties.clear();
        self.pending.clear();
        // Zeros take no bytes, but memory; the last ones of a file are few.
        let zeros = self.header.slots().filter(|(_, zero)| *zero).count();
        if zeros > 0 && !ar.peek(1).is_empty() {
            ar.claim(1, zeros * size_of::<Property>())?;
        }
        let wanted: Vec<_> = self.header.slots().collect();
        for (index, &(slot, zero)) in wanted.iter().enumerate() {
            let known = match schema.slots.get(slot as usize) {
                Some(Some(known)) if zero || !self.stops => known,
                Some(Some(known)) if can_load(known, mappings, ar)? => known,
                // A slot behind the last one says that the mappings are of another version: then all slots may be others.
                Some(_) if self.stops && keeps_rows(properties, ar.context()) => {
                    self.pending = wanted[index..].to_vec();
                    return Ok(());
                }
                _ => return Err(gap(schema, slot, ar)),
            };
            ar.claim(u64::from(!zero), size_of::<Property>())?;
            let mut value = Value::Zero;
            if zero && in_keys {
                in_name(&known.name, ar, self::zero)?;
            } else if !zero {
                value = load_value(known, mappings, ar)?;
            }
            properties.push(Property { label: Label::of_slot(slot, known), value });
        }
        Ok(())
    }
}

/// The value of one property.
fn load_value<A: Archive + ?Sized>(known: &Slot, mappings: &Mappings, ar: &mut A) -> Result<Value> {
    let of_type = TypeOf::Schema { schema: &known.schema, mappings, element: false };
    in_name(&known.name, ar, |ar| Value::load_typed(of_type, ar))
}

/// Whether the mappings know all that the value of a property holds: it is loaded, and the archive goes back.
/// Another error means that the list is not what it was taken for.
fn can_load<A: Archive + ?Sized>(known: &Slot, mappings: &Mappings, ar: &mut A) -> Result<bool> {
    let size = ar.peek(usize::MAX).len() as u64;
    let window = ar.open(Extent::Size(size))?;
    let found = match load_value(known, mappings, ar) {
        Ok(_) => Ok(true),
        Err(error) if is_gap(&error) => Ok(false),
        Err(error) => Err(error),
    };
    // Back to where it began, whatever was found.
    let back = Err(ar.error(ErrorKind::NonCanonical { form: "a value that is loaded twice" }));
    let _ = ar.close(window, back);
    found
}

/// Whether an error says that the mappings lack something, not that the bytes are wrong.
pub(in crate::property) fn is_gap(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound { what: noun::SCHEMA, .. })
}

/// Whether the names and objects that properties refer to are rows of the package: where the mappings are of
/// another class or version, numbers are read that are none.
fn keeps_rows(properties: &[Property], context: &Context) -> bool {
    let (names, imports, exports) = context.row_counts();
    let mut all = true;
    let mut check = |value: &Value| {
        all &= match value {
            Value::Name(name) => usize::try_from(name.index.value()).is_ok_and(|row| row < names),
            Value::Object(object) => match object.target() {
                ObjectRef::Null => true,
                ObjectRef::Import(row) => row < imports,
                ObjectRef::Export(row) => row < exports,
            },
            _ => true,
        };
    };
    properties.iter().for_each(|property| property.value.walk(&mut check));
    all
}

/// A property that the package stores and the mappings leave out or do not reach.
#[cold]
fn gap<A: Archive + ?Sized>(schema: &Schema, slot: u32, ar: &A) -> Error {
    let (name, count) = (schema.class.to_string(), schema.slots.len());
    let hint = match (slot as usize) < count {
        true => format!(" whole: the mappings leave out its property {slot}"),
        false => format!(
            " whole: the package stores its property {slot}, the mappings have {count} and seem to be of another \
             version of the game"
        ),
    };
    ar.error(ErrorKind::NotFound { what: noun::SCHEMA, name, hint })
}

/// Whether names say which properties these are: none of them comes again.
fn are_keys(properties: &[Property]) -> bool {
    let mut seen = HashSet::new();
    properties.iter().all(|property| match &property.label {
        Label::Slot { name, array_index: 0, .. } => &**name != HEADER && seen.insert(name),
        _ => false,
    })
}

/// The places in the schema of properties that are called by these keys, and whether they are zero.
fn slots<A: Archive + ?Sized>(
    schema: &Schema,
    keys: &[(String, bool)],
    ar: &A,
) -> Result<impl Iterator<Item = (u32, bool)> + Clone + use<A>> {
    let (mut found, mut next) = (Vec::with_capacity(keys.len()), 0);
    for (key, is_there) in keys {
        // They mostly stand in order.
        let is = |known: &Option<Slot>| {
            known.as_ref().is_some_and(|known| known.array_index == 0 && *known.name == **key)
        };
        let (before, behind) = schema.slots.split_at(next);
        let at = behind.iter().position(is).map(|at| next + at);
        let Some(at) = at.or_else(|| before.iter().position(is)) else {
            let (what, name) = (noun::PROPERTY, key.clone());
            let hint = format!("; {} has none of this name in the mappings", schema.class);
            return Err(ar.error(ErrorKind::NotFound { what, name, hint }));
        };
        found.push((at as u32, !is_there));
        next = at + 1;
    }
    found.sort_unstable();
    Ok(found.into_iter())
}

/// A value that is zero and takes no bytes.
fn zero<A: Archive + ?Sized>(ar: &mut A) -> Result<()> {
    ar.step(Step::Keyed(Keyed::Zero));
    Ok(())
}

/// Runs `inner` inside the step of one property.
fn in_name<A: Archive + ?Sized, R>(
    name: &Arc<str>,
    ar: &mut A,
    inner: impl FnOnce(&mut A) -> Result<R>,
) -> Result<R> {
    ar.enter(Step::Name(name));
    let result = inner(ar);
    ar.leave();
    result.map_err(|error| error.within(PathStep::Name(name.clone())))
}

/// The value of a struct.
pub(super) fn load_struct<A: Archive + ?Sized>(
    schema: &SchemaType,
    mappings: &Mappings,
    ar: &mut A,
) -> Result<PropertyList> {
    let name = match schema {
        SchemaType::Struct(name) => *name,
        _ => u32::MAX,
    };
    let schema = mappings.schema_of_name(name).ok_or_else(|| {
        let name = mappings.data().name(name).map_or_else(String::new, |name| name.to_string());
        unknown(&name, ar)
    })?;
    let (mut order, mut properties) = (SchemaOrder::of_class(schema.class.clone()), Vec::new());
    order.load(&mut properties, &schema, mappings, ar)?;
    Ok(PropertyList::in_order(order, properties))
}

#[cold]
fn unknown<A: Archive + ?Sized>(class: &str, ar: &A) -> Error {
    let name = class.to_owned();
    ar.error(ErrorKind::NotFound { what: noun::SCHEMA, name, hint: " in the mappings".to_owned() })
}
