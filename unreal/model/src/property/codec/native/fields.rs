//! The fields of structs that are stored without tags.

use crate::archive::{Span, Step, at_index};
use crate::error::Result;
use crate::primitive::{Guid, Name, PackageIndex};
use crate::property::codec::load::soft_path;
use crate::property::structure::has_large_world;
use crate::property::value::{Elements, Value, load_count};
use crate::property::{Delegate, PropertyList};
use crate::{Archive, ArchiveExt, Archived};

/// The fields of a struct while they are being loaded.
pub(super) struct Fields<'a, A: Archive + ?Sized> {
    pub ar: &'a mut A,
    pub values: Vec<Value>,
    /// There is only one field, which stands for the struct.
    single: bool,
}

impl<'a, A: Archive + ?Sized> Fields<'a, A> {
    pub fn new(letters: &str, ar: &'a mut A) -> Self {
        let group = letters.starts_with('[') && letters.find(']') == Some(letters.len() - 1);
        Self { ar, values: Vec::new(), single: letters.len() == 1 || group }
    }

    /// A single value stands for itself.
    pub fn value(mut self) -> Value {
        match self.values.pop() {
            Some(value) if self.single => value,
            last => {
                self.values.extend(last);
                Value::Fields(self.values)
            }
        }
    }

    /// Runs `inner` inside the step of the next field.
    pub fn step<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.single {
            return inner(self);
        }
        let index = self.values.len();
        self.ar.enter(Step::Index(index));
        let result = inner(self);
        self.ar.leave();
        result.map_err(|error| error.at_index(index))
    }

    pub fn one(&mut self, mut value: Value) -> Result<&Value> {
        let index = self.values.len();
        self.ar.claim(1, size_of::<Value>())?;
        self.step(|fields| value.serialize(fields.ar))?;
        self.values.push(value);
        Ok(&self.values[index])
    }

    pub fn letters(&mut self, letters: &str) -> Result<()> {
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

    pub fn blank(&self, letter: char) -> Value {
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
            'T' => Value::List(PropertyList::default()),
            'g' => Value::Guid(Guid::default()),
            'c' => Value::Color([0; 4]),
            // Two numbers: numerator and denominator.
            'F' => Value::Int2([0; 2]),
            _ => Value::Delegate(Delegate::default()),
        }
    }

    /// A counted group.
    pub fn group(&mut self, letters: &str) -> Result<()> {
        let elements = self.step(|fields| fields.group_elements(letters))?;
        self.values.push(Value::Array(elements));
        Ok(())
    }

    /// A counted group of elements that `each` loads.
    pub fn group_of(&mut self, each: fn(&mut Fields<'_, A>) -> Result<()>) -> Result<()> {
        let elements = self.step(|fields| {
            let count = load_count("count", fields.ar)?;
            fields.ar.claim(count as u64, size_of::<Value>())?;
            let mut values = Vec::with_capacity(count);
            for index in 0..count {
                values.push(at_index(index, fields.ar, |ar| {
                    let mut fields = Fields::new("", ar);
                    each(&mut fields)?;
                    Ok(fields.value())
                })?);
            }
            Ok(Elements::Values(values))
        })?;
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
            values.push(at_index(index, self.ar, |ar| {
                let mut fields = Fields::new(letters, ar);
                fields.letters(letters)?;
                Ok(fields.value())
            })?);
        }
        Ok(Elements::Values(values))
    }
}
