//! Structs that are stored without tags: from their layout to values.

use super::elements::Elements;
use super::structure::{Layout, Special, Structure, has_large_world};
use super::value::{InstancedStruct, Opaque, Value, load_count, soft_path};
use super::{Delegate, PropertyList};
use crate::archive::{Ahead, Kind as SpanKind, Span, Step, in_field};
use crate::error::Result;
use crate::primitive::{Guid, Name, PackageIndex};
use crate::property::unversioned::UnversionedList;
use crate::version::custom::{BLUEPRINTS, FORTNITE_MAIN, FRAMEWORK, RELEASE};
use crate::{Archive, Archived};

/// What stands before instanced structs of early versions.
const EARLY_MARK: u32 = 0xABAB_ABAB;
/// First UE5 version whose material inputs refer to their expression in cooked packages.
const COOKED_EXPRESSIONS: u32 = 1007;
/// A map, as the container of a pin.
const MAP_CONTAINER: u8 = 3;

/// Elements of a layout that are kept plainly.
pub(super) fn elements(layout: Layout) -> Option<Elements> {
    Some(match layout {
        Layout::Floats(2) => Elements::Float2(Vec::new()),
        Layout::Floats(3) => Elements::Float3(Vec::new()),
        Layout::Floats(4) => Elements::Float4(Vec::new()),
        Layout::Doubles(2) => Elements::Double2(Vec::new()),
        Layout::Doubles(3) => Elements::Double3(Vec::new()),
        Layout::Doubles(4) => Elements::Double4(Vec::new()),
        Layout::Ints(1) => Elements::Int(Vec::new()),
        Layout::Ints(2) => Elements::Int2(Vec::new()),
        Layout::Ints(3) => Elements::Int3(Vec::new()),
        Layout::Color => Elements::Color(Vec::new()),
        Layout::Guid => Elements::Guid(Vec::new()),
        _ => return None,
    })
}

/// Loads a struct of this layout, which is not that of tags.
pub(super) fn load<A: Archive + ?Sized>(
    layout: Layout,
    size: Option<u64>,
    ar: &mut A,
) -> Result<Value> {
    let repeated = |value: Value, count: u8| Value::Fields(vec![value; count.into()]);
    let mut value = match layout {
        Layout::Floats(2) => Value::Float2([0.0; 2]),
        Layout::Floats(3) => Value::Float3([0.0; 3]),
        Layout::Floats(4) => Value::Float4([0.0; 4]),
        Layout::Floats(count) => repeated(Value::Float(0.0), count),
        Layout::Doubles(2) => Value::Double2([0.0; 2]),
        Layout::Doubles(3) => Value::Double3([0.0; 3]),
        Layout::Doubles(4) => Value::Double4(Box::default()),
        Layout::Doubles(count) => repeated(Value::Double(0.0), count),
        Layout::Ints(1) => Value::Int(0),
        Layout::Ints(2) => Value::Int2([0; 2]),
        Layout::Ints(3) => Value::Int3([0; 3]),
        Layout::Ints(count) => repeated(Value::Int(0), count),
        Layout::Color => Value::Color([0; 4]),
        Layout::Guid => Value::Guid(Guid::default()),
        Layout::Fields(letters) => {
            let mut fields = Fields::new(letters, ar);
            fields.letters(letters)?;
            return Ok(fields.value());
        }
        Layout::Special(Special::Instanced) => return load_instanced(ar),
        Layout::Special(special) => {
            let mut fields = Fields::new("", ar);
            fields.special(special, size)?;
            return Ok(fields.value());
        }
        Layout::Tagged | Layout::Reals(_) | Layout::By(_) => Value::default(),
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

    fn number(&mut self) -> Result<u32> {
        match self.one(Value::UInt32(0))? {
            Value::UInt32(number) => Ok(*number),
            _ => Ok(0),
        }
    }

    fn byte(&mut self) -> Result<u8> {
        match self.one(Value::Byte(0))? {
            Value::Byte(number) => Ok(*number),
            _ => Ok(0),
        }
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
        let count = load_count(self.ar)?;
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

    fn special(&mut self, special: Special, size: Option<u64>) -> Result<()> {
        match special {
            Special::PerPlatform(letter) => {
                let cooked = self.number()? != 0;
                let value = self.blank(letter);
                self.one(value)?;
                let editor = self.ar.versions().has_editor_only_data();
                if !cooked && (editor || size.is_some_and(|size| size > 8)) {
                    let letters: &str = match letter {
                        'f' => "nf",
                        'F' => "nF",
                        'u' => "nu",
                        _ => "ni",
                    };
                    self.group(letters)?;
                }
                Ok(())
            }
            Special::UniqueNetId => match self.number()? {
                0 => Ok(()),
                _ if self.is_string(size) => self.letters("s"),
                _ => self.letters("ns"),
            },
            Special::Input(constant) => self.input(constant),
            Special::Named => match self.one(Value::Str(Box::default()))? {
                Value::Str(name) if !name.is_empty() => self.letters("T"),
                _ => Ok(()),
            },
            Special::FontData => match self.number()? {
                0 => self.letters("T"),
                _ => {
                    let face = self.one(Value::Object(PackageIndex::NULL))?;
                    let inline = matches!(face, Value::Object(index) if index.is_null());
                    self.letters(if inline { "sbbi" } else { "i" })
                }
            },
            Special::PinType => self.pin_type(),
            Special::Channel(letter) => self.channel(letter),
            Special::Instanced => Ok(()),
        }
    }

    /// Whether a string is all that is left of a struct of this size; its first number has been read.
    fn is_string(&self, size: Option<u64>) -> bool {
        if let Some(ahead) = self.ar.ahead() {
            return ahead == Ahead::Values(1);
        }
        let length = self.ar.peek_number(&[], 4).map_or(0, |length| length as u32 as i32);
        let unit = if length < 0 { 2 } else { 1 };
        size == Some(8 + u64::from(length.unsigned_abs()) * unit)
    }

    /// Packages without editor data name the expression, others refer to it (spec: ue4-5/04 §6).
    fn input(&mut self, constant: &str) -> Result<()> {
        let versions = self.ar.versions();
        let refers = versions.has_editor_only_data() || versions.ue5 >= COOKED_EXPRESSIONS;
        let named = versions.custom(&FRAMEWORK) >= 31;
        self.letters(if refers { "oi" } else { "i" })?;
        self.letters(if named { "n" } else { "s" })?;
        self.letters(if refers { "iiiii" } else { "iiiiin" })?;
        self.letters(constant)
    }

    /// Spec: ue4-5/05 §4.
    fn pin_type(&mut self) -> Result<()> {
        let versions = self.ar.versions();
        let framework = versions.custom(&FRAMEWORK);
        let (blueprints, release) = (versions.custom(&BLUEPRINTS), versions.custom(&RELEASE));
        let ue5_release = versions.custom(&crate::version::custom::UE5_RELEASE);
        let (ue4, editor) = (versions.ue4, versions.has_editor_only_data());
        let wraps = release >= 32;
        let text = if framework >= 31 { "n" } else { "s" };
        let terminal = |fields: &mut Self| {
            fields.letters(text)?;
            fields.letters(text)?;
            fields.letters(if wraps { "ouuu" } else { "ouu" })
        };
        self.letters(text)?;
        self.letters(text)?;
        self.letters("o")?;
        if framework >= 26 {
            if self.byte()? == MAP_CONTAINER {
                terminal(self)?;
            }
        } else {
            if blueprints >= 6 {
                if self.number()? != 0 {
                    terminal(self)?;
                }
                self.number()?;
            }
            self.number()?;
        }
        self.letters("uu")?;
        self.letters(if ue4 >= 355 { "ong" } else { "" })?;
        self.letters(if ue4 >= 456 { "u" } else { "" })?;
        self.letters(if wraps { "u" } else { "" })?;
        self.letters(if ue5_release >= 36 && editor { "u" } else { "" })
    }

    /// Spec: ue4-5/09 §12.
    fn channel(&mut self, letter: char) -> Result<()> {
        let show_curve = self.ar.versions().custom(&FORTNITE_MAIN) >= 53;
        self.letters("bbi[i]")?;
        let each = self.number()?;
        let count = self.number()?;
        let mut keys = Box::<Span>::default();
        let length = u64::from(each) * u64::from(count);
        self.step(|fields| fields.ar.serialize_span(&mut keys, length, SpanKind::Payload))?;
        self.values.push(Value::Keys(keys));
        self.letters(if letter == 'd' { "duii" } else { "fuii" })?;
        self.letters(if show_curve { "u" } else { "" })
    }
}

/// An instanced struct; the bytes of the struct itself are a list of tags or stay as they are.
fn load_instanced<A: Archive + ?Sized>(ar: &mut A) -> Result<Value> {
    let mut instanced = InstancedStruct::default();
    let early = ar.peek_number(&[], 4) == Some(EARLY_MARK.into());
    instanced.early_version = early.then_some(0);
    serialize_instanced(&mut instanced, ar)?;
    Ok(Value::Instanced(Box::new(instanced)))
}

pub(super) fn serialize_instanced<A: Archive + ?Sized>(
    instanced: &mut InstancedStruct,
    ar: &mut A,
) -> Result<()> {
    if let Some(version) = &mut instanced.early_version {
        let mut mark = EARLY_MARK;
        in_field("mark", ar, |ar| ar.serialize_u32(&mut mark))?;
        in_field("version", ar, |ar| ar.serialize_u8(version))?;
    }
    in_field("struct", ar, |ar| instanced.structure.serialize(ar))?;
    let size_at = ar.position();
    let mut size = 0_u32;
    in_field("size", ar, |ar| ar.serialize_u32(&mut size))?;
    let start = ar.position();
    if ar.is_loading() {
        instanced.value = load_instance(&instanced.structure, size.into(), ar)?;
        return Ok(());
    }
    in_field("value", ar, |ar| instanced.value.serialize(ar))?;
    match ar.is_saving() {
        true => super::list::settle(size_at, start, ar),
        false => Ok(()),
    }
}

/// A list of tags or of the mappings' properties, or what the engine stores in its own way.
fn load_instance<A: Archive + ?Sized>(
    structure: &PackageIndex,
    size: u64,
    ar: &mut A,
) -> Result<Value> {
    if size == 0 {
        return Ok(Value::default());
    }
    let name = ar.context().object_name(structure).unwrap_or_default();
    let mut span = Span::default();
    if let Some(Ahead::Span(SpanKind::Opaque, length)) = ar.ahead() {
        in_field("value", ar, |ar| ar.serialize_span(&mut span, length, SpanKind::Opaque))?;
        return Ok(Value::Opaque(Box::new(Opaque { span, error: None })));
    }
    let window = ar.open(size)?;
    let mut value = Value::default();
    let result = in_field("value", ar, |ar| {
        value = match Structure::of_name(&name).layout(ar.versions()) {
            Layout::Tagged if ar.versions().unversioned_properties => {
                let mut list = UnversionedList::blank(&name);
                list.serialize(ar)?;
                Value::Unversioned(Box::new(list))
            }
            Layout::Tagged => {
                let mut list = PropertyList::default();
                list.serialize(ar)?;
                Value::Tagged(list)
            }
            layout => load(layout, Some(size), ar)?,
        };
        Ok(())
    });
    let Err(error) = ar.close(window, result) else { return Ok(value) };
    if ar.states() {
        return Err(error);
    }
    in_field("value", ar, |ar| ar.serialize_span(&mut span, size, SpanKind::Opaque))?;
    Ok(Value::Opaque(Box::new(Opaque { span, error: Some(error.into()) })))
}
