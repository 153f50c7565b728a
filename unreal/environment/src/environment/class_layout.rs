//! Sizes and offsets of properties in the memory of the 32-bit engines.

use std::collections::HashMap;

use super::classes::DEEPEST;
use super::{ClassInfo, Classes, FieldInfo, FieldType};
use crate::Engine;

/// Bytes that types take in memory, in programs of 32 bits. Those of maps, delegates and interfaces are
/// inferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// A name: 4, in UE3 with its number 8.
    pub name: u32,
    /// An object and a function.
    pub delegate: u32,
    /// A map.
    pub map: u32,
}

impl Sizes {
    /// The sizes of an engine.
    pub fn of(engine: Engine) -> Self {
        let (name, delegate, map) = engine.sizes_in_memory();
        Self { name, delegate, map }
    }
}

/// One field at its place.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PlacedField {
    /// Path of the class that declares it.
    pub declared_in: String,
    /// The field.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub field: FieldInfo,
    /// Bytes from the start of the object; from the end of the first unknown parent where there is one. In
    /// UE4 and UE5 its number.
    pub offset: u32,
    /// Bytes that it takes, all elements together; of a bool the four bytes that it shares. In UE4 and UE5 0.
    pub size: u32,
    /// Bit of a bool.
    pub bit: Option<u32>,
}

/// The properties of a class, inherited ones first.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MemoryLayout {
    /// The properties in the order of memory.
    pub fields: Vec<PlacedField>,
    /// Bytes of the whole.
    pub size: u32,
    /// Whether all parents and all structs are known: else offsets are relative, and sizes may be larger.
    pub complete: bool,
}

/// Places fields one behind the other.
#[derive(Debug, Clone, Copy, Default)]
struct FieldCursor {
    end: u32,
    /// Start and next bit of the word of the bools before.
    bools: Option<(u32, u32)>,
}

impl FieldCursor {
    fn place(&mut self, size: u32, align: u32) -> u32 {
        let start = self.end.next_multiple_of(align.max(1));
        self.end = start.saturating_add(size);
        self.bools = None;
        start
    }

    /// Bools share four bytes as long as they follow one another.
    fn place_bool(&mut self) -> (u32, u32) {
        let (start, bit) = match self.bools {
            Some((start, bit)) if bit < 32 => (start, bit),
            _ => (self.place(4, 4), 0),
        };
        self.bools = Some((start, bit + 1));
        (start, bit)
    }
}

impl Classes {
    /// The properties of a class with those that it inherits, at their places in memory; `None` when the
    /// class is not known.
    pub fn layout(&self, class: &str) -> Option<MemoryLayout> {
        let chain = self.chain(class);
        if chain.is_empty() {
            return None;
        }
        let mut layout =
            MemoryLayout { complete: self.is_rooted(class), ..MemoryLayout::default() };
        if self.is_ue4() {
            let fields = chain
                .into_iter()
                .rev()
                .flat_map(|class| class.fields.iter().map(|field| (class.path(), field.clone())));
            layout.fields = (0..)
                .zip(fields)
                .map(|(offset, (declared_in, field))| PlacedField {
                    declared_in,
                    field,
                    offset,
                    size: 0,
                    bit: None,
                })
                .collect();
            return Some(layout);
        }
        let mut sizer = Sizer { classes: self, known: HashMap::new(), complete: true };
        let mut cursor = FieldCursor::default();
        for class in chain.into_iter().rev() {
            sizer.place(class, &mut cursor, &mut layout);
        }
        layout.size = cursor.end;
        layout.complete &= sizer.complete;
        Some(layout)
    }

    /// Bytes of a struct and whether all of its fields are known.
    pub fn struct_size(&self, path: &str) -> Option<(u32, bool)> {
        self.structure(path)?;
        let mut sizer = Sizer { classes: self, known: HashMap::new(), complete: true };
        let (size, _) = sizer.structure(path, 0);
        Some((size, sizer.complete))
    }
}

struct Sizer<'a> {
    classes: &'a Classes,
    /// Size and alignment of structs.
    known: HashMap<String, (u32, u32)>,
    complete: bool,
}

impl Sizer<'_> {
    fn place(&mut self, class: &ClassInfo, cursor: &mut FieldCursor, layout: &mut MemoryLayout) {
        // A class begins a word of bools of its own.
        cursor.bools = None;
        for field in &class.fields {
            let (offset, size, bit) = self.place_field(field, cursor, 0);
            let (declared_in, field) = (class.path(), field.clone());
            layout.fields.push(PlacedField { declared_in, field, offset, size, bit });
        }
        cursor.end = cursor.end.next_multiple_of(4);
    }

    fn place_field(
        &mut self,
        field: &FieldInfo,
        cursor: &mut FieldCursor,
        depth: usize,
    ) -> (u32, u32, Option<u32>) {
        if field.field_type == FieldType::Bool && field.dimension == 1 {
            let (start, bit) = cursor.place_bool();
            return (start, 4, Some(bit));
        }
        let (size, align) = self.size(&field.field_type, depth);
        let size = size.saturating_mul(field.dimension);
        (cursor.place(size, align), size, None)
    }

    /// Size and alignment of a type.
    fn size(&mut self, field_type: &FieldType, depth: usize) -> (u32, u32) {
        let sizes = Sizes::of(self.classes.engine.unwrap_or(Engine::Ue1));
        match field_type {
            FieldType::Byte(_) => (1, 1),
            FieldType::Int | FieldType::Float | FieldType::Bool | FieldType::Pointer => (4, 4),
            FieldType::Object(_) | FieldType::Class(_) => (4, 4),
            FieldType::Interface(_) => (8, 4),
            FieldType::Name => (sizes.name, 4),
            FieldType::Str | FieldType::Array(_) => (12, 4),
            FieldType::FixedString(size) => (u32::try_from(*size).unwrap_or(0), 1),
            FieldType::Delegate => (sizes.delegate, 4),
            FieldType::Map(..) => (sizes.map, 4),
            FieldType::FixedArray(inner, count) => {
                let (size, align) = self.size(inner, depth + 1);
                (size.saturating_mul(u32::try_from(*count).unwrap_or(0)), align)
            }
            FieldType::Struct(path) => self.structure(path, depth),
            // Those of UE4 and UE5 have no places.
            _ => {
                self.complete = false;
                (4, 4)
            }
        }
    }

    fn structure(&mut self, path: &str, depth: usize) -> (u32, u32) {
        let key = path.to_ascii_lowercase();
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let classes = self.classes;
        let Some(structure) = classes.structure(path).filter(|_| depth < DEEPEST) else {
            let known = known_struct(path);
            self.complete &= known.is_some();
            return known.unwrap_or((4, 4));
        };
        // A struct that holds itself, in a damaged package, ends here.
        self.known.insert(key.clone(), (4, 4));
        let mut cursor = FieldCursor::default();
        if let Some(parent) = &structure.parent {
            let (size, align) = self.structure(parent, depth + 1);
            cursor.place(size, align);
        }
        for field in &structure.fields {
            self.place_field(field, &mut cursor, depth + 1);
        }
        let found = (cursor.end.next_multiple_of(4), 4);
        self.known.insert(key, found);
        found
    }
}

/// The structs of `Core` that everything uses, for when it is not there.
fn known_struct(path: &str) -> Option<(u32, u32)> {
    const KNOWN: &[(&str, u32)] = &[
        ("Vector", 12),
        ("Rotator", 12),
        ("Color", 4),
        ("Plane", 16),
        ("Vector2D", 8),
        ("Quat", 16),
        ("LinearColor", 16),
        ("Guid", 16),
        ("Coords", 48),
        ("Scale", 20),
        ("BoundingBox", 28),
        ("Matrix", 64),
    ];
    let name = path.strip_prefix("Core.Object.")?;
    let found = KNOWN.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map(|(_, size)| (*size, 4))
}
