//! Structs that are stored without tags: from their layout to values.

mod special;

use super::load::soft_path;
use crate::archive::{Span, Step};
use crate::error::Result;
use crate::primitive::{Guid, Name, PackageIndex};
use crate::property::structure::{Special, StructStorage, has_large_world};
use crate::property::value::{Elements, InstancedStruct, Value, load_count};
use crate::property::{Delegate, PropertyList};
use crate::{Archive, ArchiveExt, Archived};

/// Elements of a layout that are kept plainly.
pub(in crate::property) fn elements(layout: StructStorage) -> Option<Elements> {
    Some(match layout {
        StructStorage::Floats(2) => Elements::Float2(Vec::new()),
        StructStorage::Floats(3) => Elements::Float3(Vec::new()),
        StructStorage::Floats(4) => Elements::Float4(Vec::new()),
        StructStorage::Doubles(2) => Elements::Double2(Vec::new()),
        StructStorage::Doubles(3) => Elements::Double3(Vec::new()),
        StructStorage::Doubles(4) => Elements::Double4(Vec::new()),
        StructStorage::Ints(1) => Elements::Int(Vec::new()),
        StructStorage::Ints(2) => Elements::Int2(Vec::new()),
        StructStorage::Ints(3) => Elements::Int3(Vec::new()),
        StructStorage::Color => Elements::Color(Vec::new()),
        StructStorage::Guid => Elements::Guid(Vec::new()),
        _ => return None,
    })
}

/// Loads a struct of this layout, which is not that of tags; `odd` in the rarer of two forms.
pub(in crate::property) fn load<A: Archive + ?Sized>(
    layout: StructStorage,
    odd: bool,
    ar: &mut A,
) -> Result<Value> {
    let repeated = |value: Value, count: u8| Value::Fields(vec![value; count.into()]);
    if odd && !layout.has_two_forms() {
        return Err(super::unknown(ar));
    }
    let mut value = match layout {
        StructStorage::Floats(2) => Value::Float2([0.0; 2]),
        StructStorage::Floats(3) => Value::Float3([0.0; 3]),
        StructStorage::Floats(4) => Value::Float4([0.0; 4]),
        StructStorage::Floats(count) => repeated(Value::Float(0.0), count),
        StructStorage::Doubles(2) => Value::Double2([0.0; 2]),
        StructStorage::Doubles(3) => Value::Double3([0.0; 3]),
        StructStorage::Doubles(4) => Value::Double4(Box::default()),
        StructStorage::Doubles(count) => repeated(Value::Double(0.0), count),
        StructStorage::Ints(1) => Value::Int(0),
        StructStorage::Ints(2) => Value::Int2([0; 2]),
        StructStorage::Ints(3) => Value::Int3([0; 3]),
        StructStorage::Ints(count) => repeated(Value::Int(0), count),
        StructStorage::Color => Value::Color([0; 4]),
        StructStorage::Guid => Value::Guid(Guid::default()),
        StructStorage::Fields(letters) => {
            let mut fields = Fields::new(letters, ar);
            fields.letters(letters)?;
            return Ok(fields.value());
        }
        StructStorage::Special(Special::Instanced) => return InstancedStruct::load(ar),
        StructStorage::Special(special) => {
            let mut fields = Fields::new("", ar);
            fields.special(special, odd)?;
            return Ok(fields.value());
        }
        StructStorage::Tagged | StructStorage::Reals(_) | StructStorage::By(_) => Value::default(),
    };
    value.serialize(ar)?;
    Ok(value)
}

/// The fields of a struct while they are being loaded.
struct Fields<'a, A: Archive + ?Sized> {
    ar: &'a mut A,
    values: Vec<Value>,
    /// There is only one field, which stands for the struct.
    single: bool,
}

impl<'a, A: Archive + ?Sized> Fields<'a, A> {
    fn new(letters: &str, ar: &'a mut A) -> Self {
        let group = letters.starts_with('[') && letters.find(']') == Some(letters.len() - 1);
        Self { ar, values: Vec::new(), single: letters.len() == 1 || group }
    }

    /// A single value stands for itself.
    fn value(mut self) -> Value {
        match self.values.pop() {
            Some(value) if self.single => value,
            last => {
                self.values.extend(last);
                Value::Fields(self.values)
            }
        }
    }

    /// Runs `inner` inside the step of the next field.
    fn step<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.single {
            return inner(self);
        }
        let index = self.values.len();
        self.ar.enter(Step::Index(index));
        let result = inner(self);
        self.ar.leave();
        result.map_err(|error| error.at_index(index))
    }

    fn one(&mut self, mut value: Value) -> Result<&Value> {
        let index = self.values.len();
        self.ar.claim(1, size_of::<Value>())?;
        self.step(|fields| value.serialize(fields.ar))?;
        self.values.push(value);
        Ok(&self.values[index])
    }

    fn letters(&mut self, letters: &str) -> Result<()> {
        let mut rest = letters;
        while let Some(letter) = rest.chars().next() {
            rest = &rest[letter.len_utf8()..];
            if letter == '[' {
                let (group, behind) = rest.split_once(']').unwrap_or((rest, ""));
                self.group(group)?;
                rest = behind;
            } else {
                let value = self.blank(letter);
                self.one(value)?;
            }
        }
        Ok(())
    }

    fn blank(&self, letter: char) -> Value {
        let wide = has_large_world(self.ar.versions());
        match letter {
            'b' => Value::Byte(0),
            'h' => Value::UInt16(0),
            'i' => Value::Int(0),
            'u' => Value::UInt32(0),
            'q' => Value::Int64(0),
            'Q' => Value::UInt64(0),
            'r' if wide => Value::Double(0.0),
            'f' | 'r' => Value::Float(0.0),
            'd' => Value::Double(0.0),
            'n' => Value::Name(Name::default()),
            'o' => Value::Object(PackageIndex::NULL),
            's' => Value::Str(Box::default()),
            't' => Value::Text(Box::default()),
            'p' => soft_path(self.ar),
            'T' => Value::Tagged(PropertyList::default()),
            'g' => Value::Guid(Guid::default()),
            'c' => Value::Color([0; 4]),
            // Two numbers: numerator and denominator.
            'F' => Value::Int2([0; 2]),
            _ => Value::Delegate(Delegate::default()),
        }
    }

    /// A counted group.
    fn group(&mut self, letters: &str) -> Result<()> {
        let elements = self.step(|fields| fields.group_elements(letters))?;
        self.values.push(Value::Array(elements));
        Ok(())
    }

    fn group_elements(&mut self, letters: &str) -> Result<Elements> {
        let count = load_count("count", self.ar)?;
        let plain = match letters {
            "n" => Some(Elements::Name(Vec::new())),
            "i" => Some(Elements::Int(Vec::new())),
            "b" => Some(Elements::Bytes(Span::default())),
            _ => None,
        };
        if let Some(plain) = plain {
            return plain.load_plain(count, self.ar);
        }
        self.ar.claim(count as u64, size_of::<Value>())?;
        let mut values = Vec::with_capacity(count);
        for index in 0..count {
            self.ar.enter(Step::Index(index));
            let mut fields = Fields::new(letters, &mut *self.ar);
            let result = fields.letters(letters);
            let value = fields.value();
            self.ar.leave();
            result.map_err(|error| error.at_index(index))?;
            values.push(value);
        }
        Ok(Elements::Values(values))
    }
}
