//! The types of properties.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::PropertyKind;
use super::codec::delegate_or_string;
use crate::error::{Error, ErrorKind, Result, noun};
use crate::primitive::Guid;
use crate::version::Versions;

/// The type of a property: its class, the struct or enum, and inner types.
///
/// As text: `int`, `struct:Vector`, `enum:EMode`, `array:name`, `map:name:struct:Row`; the class of the
/// property (`IntProperty`) does as well. A struct or enum may stand with its package:
/// `struct:/Script/CoreUObject.Vector`; the alternate form (`{:#}`) writes the package where it is known.
///
/// ```
/// use unreal_packages::property::Type;
///
/// # fn main() -> unreal_packages::Result<()> {
/// let scores = Type::map(Type::of_class("NameProperty")?, Type::of_class("IntProperty")?);
/// assert_eq!(scores, "map:name:int".parse()?);
/// assert_eq!(Type::array(Type::structure("Vector")).to_string(), "array:struct:Vector");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Type {
    class: Cow<'static, str>,
    kind: PropertyKind,
    named: Option<Arc<Named>>,
    inner: Vec<Type>,
}

/// A struct or enum.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// The package that it is from (`/Script/Engine`), which tags have from UE5 1012; empty where it is
    /// not known.
    pub package: String,
    /// The GUID of a struct that the project made.
    pub guid: Guid,
}

/// Words that differ from the class of the property in lower case.
const WORDS: &[(&str, &str)] = &[
    ("string", "StrProperty"),
    ("fixed-string", "StringProperty"),
    ("utf8-string", "Utf8StrProperty"),
    ("ansi-string", "AnsiStrProperty"),
    ("soft-object", "SoftObjectProperty"),
    ("soft-class", "SoftClassProperty"),
    ("weak-object", "WeakObjectProperty"),
    ("lazy-object", "LazyObjectProperty"),
    ("asset-object", "AssetObjectProperty"),
    ("asset-class", "AssetClassProperty"),
    ("object-ptr", "ObjectPtrProperty"),
    ("class-ptr", "ClassPtrProperty"),
    ("field-path", "FieldPathProperty"),
    ("multicast-delegate", "MulticastDelegateProperty"),
    ("multicast-inline-delegate", "MulticastInlineDelegateProperty"),
    ("multicast-sparse-delegate", "MulticastSparseDelegateProperty"),
];
/// A byte that is the value of an enum.
const BYTE_ENUM: &str = "byte-enum";
/// Types nest this deep.
const DEEPEST: usize = 8;

impl Type {
    /// The type of a kind that needs no more, or of which no more is known.
    pub const fn new(kind: PropertyKind) -> Self {
        Self { class: Cow::Borrowed(kind.class()), kind, named: None, inner: Vec::new() }
    }

    /// The type of a property class that needs no more: `IntProperty`, `TextProperty`, `ObjectProperty`.
    ///
    /// # Errors
    /// `NotFound` for a class that is not known or that needs a struct, an enum or inner types.
    pub fn of_class(class: &str) -> Result<Self> {
        let found = Self::of_known_class(class).ok_or_else(|| unknown(class))?;
        match found.kind {
            PropertyKind::Struct
            | PropertyKind::Enum
            | PropertyKind::Optional
            | PropertyKind::Array
            | PropertyKind::Set
            | PropertyKind::Map => Err(unknown(class)),
            _ => Ok(found),
        }
    }

    /// The type of a property class, perhaps without what a tag leaves out.
    #[doc(hidden)]
    pub fn of_known_class(class: &str) -> Option<Self> {
        let (class, kind) = super::kind::known_class(class)?;
        Some(Self { class: Cow::Borrowed(class), ..Self::new(kind) })
    }

    /// An unknown class.
    #[doc(hidden)]
    pub fn unknown(class: &str) -> Self {
        Self { class: Cow::Owned(class.to_owned()), ..Self::new(PropertyKind::Unknown) }
    }

    /// A struct by its name, or by its path (`/Script/Engine.TableRow`).
    pub fn structure(name: &str) -> Self {
        Self::of_name(Self::new(PropertyKind::Struct), name)
    }

    /// An enum by its name or path; its values are stored as a byte.
    pub fn enumeration(name: &str) -> Self {
        let byte = Self::new(PropertyKind::Byte);
        Self::of_name(Self::new(PropertyKind::Enum), name).of_inner(vec![byte])
    }

    /// This enum, stored as another number in unversioned packages.
    #[must_use]
    pub fn over(self, underlying: Self) -> Self {
        self.of_inner(vec![underlying])
    }

    /// A byte that is a value of this enum.
    pub fn byte_enum(name: &str) -> Self {
        Self::of_name(Self::new(PropertyKind::Byte), name)
    }

    /// Elements of this type.
    pub fn array(element: Self) -> Self {
        Self::new(PropertyKind::Array).of_inner(vec![element])
    }

    /// Elements of this type, each once.
    pub fn set(element: Self) -> Self {
        Self::new(PropertyKind::Set).of_inner(vec![element])
    }

    /// Keys and values.
    pub fn map(key: Self, value: Self) -> Self {
        Self::new(PropertyKind::Map).of_inner(vec![key, value])
    }

    /// An optional value.
    pub fn optional(value: Self) -> Self {
        Self::new(PropertyKind::Optional).of_inner(vec![value])
    }

    /// This struct or enum with its package and GUID.
    #[must_use]
    pub fn with_name(mut self, named: Named) -> Self {
        self.named = Some(Arc::new(named));
        self
    }

    /// This struct, enum or byte with the name or path of its struct or enum.
    #[doc(hidden)]
    pub fn of_name(self, path: &str) -> Self {
        let (package, name) = match path.rsplit_once('.') {
            Some((package, name)) if path.starts_with('/') => (package, name),
            _ => ("", path),
        };
        let (name, package) = (name.to_owned(), package.to_owned());
        self.with_name(Named { name, package, guid: Guid::default() })
    }

    #[doc(hidden)]
    pub fn of_inner(mut self, inner: Vec<Self>) -> Self {
        self.inner = inner;
        self
    }

    /// The number that stands for the type in a UE1 or UE2 tag (spec: ue1-3/05 §5.3).
    pub(super) fn number(&self, versions: &Versions) -> Option<u8> {
        Some(match self.kind {
            PropertyKind::Byte => 1,
            PropertyKind::Int => 2,
            PropertyKind::Bool => 3,
            PropertyKind::Float => 4,
            PropertyKind::Object if &*self.class == "ClassProperty" => 8,
            PropertyKind::Object => 5,
            PropertyKind::Name => 6,
            // Delegates of UE2 have the number that strings of a fixed size had.
            kind if kind == delegate_or_string(versions) => 7,
            PropertyKind::Array => 9,
            PropertyKind::Struct => 10,
            PropertyKind::Str => 13,
            PropertyKind::Map => 14,
            _ => return None,
        })
    }

    /// The class of the property: `IntProperty`.
    pub fn class(&self) -> &str {
        &self.class
    }

    /// How its values are stored.
    pub fn kind(&self) -> PropertyKind {
        self.kind
    }

    /// The struct, or the enum of an enum or byte.
    pub fn name(&self) -> Option<&Named> {
        self.named.as_deref()
    }

    /// The types of elements, of keys and values, or of the number behind an enum.
    pub fn inner(&self) -> &[Self] {
        &self.inner
    }

    /// How many types it is: itself and those within it.
    #[doc(hidden)]
    pub fn count(&self) -> usize {
        1 + self.inner.iter().map(Self::count).sum::<usize>()
    }

    /// The name of the struct or enum; empty where it is not known.
    pub fn type_name(&self) -> &str {
        self.named.as_deref().map_or("", |named| &named.name)
    }

    /// The same with what another type of the same values says and this one does not: packages and GUIDs of structs and
    /// enums, what containers hold.
    #[doc(hidden)]
    #[must_use]
    pub fn completed_by(mut self, other: &Self) -> Self {
        if let (Some(own), Some(more)) = (&mut self.named, &other.named)
            && own.name.eq_ignore_ascii_case(&more.name)
        {
            let named = Arc::make_mut(own);
            if named.package.is_empty() {
                named.package.clone_from(&more.package);
            }
            if named.guid.is_zero() {
                named.guid = more.guid;
            }
        }
        if self.inner.is_empty() {
            self.inner.clone_from(&other.inner);
        }
        for (own, more) in self.inner.iter_mut().zip(&other.inner) {
            *own = own.clone().completed_by(more);
        }
        self
    }

    /// Whether values of both are stored alike: what is known of one may be less than of the other.
    pub fn agrees_with(&self, other: &Self) -> bool {
        let names = (self.type_name(), other.type_name());
        let named = names.0.is_empty()
            || names.1.is_empty()
            || names.0.eq_ignore_ascii_case(names.1)
            || !matches!(self.kind, PropertyKind::Struct | PropertyKind::Enum | PropertyKind::Byte);
        let inner = self.kind == PropertyKind::Enum
            || self.inner.iter().zip(&other.inner).all(|(one, other)| one.agrees_with(other));
        self.kind == other.kind && named && inner
    }
}

fn unknown(text: &str) -> Error {
    let hint = "; known are byte, int, bool, float, object, class, name, string, fixed-string, \
                struct:NAME, array:TYPE, map:TYPE:TYPE, and in UE4 and UE5 also byte-enum:NAME, \
                enum:NAME, int8, int16, int64, uint16, uint32, uint64, double, text, soft-object, \
                soft-class, weak-object, interface, delegate, set:TYPE, optional:TYPE"
        .to_owned();
    ErrorKind::NotFound { what: noun::TYPE, name: text.to_owned(), hint }.into()
}

#[cfg(feature = "json")]
impl Type {
    /// The type that a text says of a tag, which may leave out what an array or a map holds.
    ///
    /// # Errors
    /// `NotFound`.
    #[doc(hidden)]
    pub fn of_tag(text: &str) -> Result<Self> {
        match WORDS.iter().find(|(word, _)| *word == text) {
            Some((_, class @ ("ArrayProperty" | "MapProperty"))) => {
                Self::of_known_class(class).ok_or_else(|| unknown(text))
            }
            _ => text.parse(),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = WORDS.iter().find(|(_, class)| class.eq_ignore_ascii_case(&self.class));
        match (known, self.kind, &self.named) {
            (_, PropertyKind::Byte, Some(_)) => f.write_str(BYTE_ENUM)?,
            (Some((word, _)), ..) => f.write_str(word)?,
            _ => {
                let word = self.class.strip_suffix("Property").unwrap_or(&self.class);
                f.write_str(&word.to_ascii_lowercase())?;
            }
        }
        match &self.named {
            Some(named) if f.alternate() && !named.package.is_empty() => {
                write!(f, ":{}.{}", named.package, named.name)?;
            }
            Some(named) => write!(f, ":{}", named.name)?,
            None => {}
        }
        for inner in self.inner.iter().filter(|_| self.kind != PropertyKind::Enum) {
            f.write_str(":")?;
            inner.fmt(f)?;
        }
        Ok(())
    }
}

impl FromStr for Type {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut words = text.split(':');
        let found = parse(&mut words, text, DEEPEST)?;
        match words.next() {
            None => Ok(found),
            Some(_) => Err(unknown(text)),
        }
    }
}

/// One type: the words behind it that belong to it are used up.
fn parse<'a>(words: &mut impl Iterator<Item = &'a str>, text: &str, depth: usize) -> Result<Type> {
    let error = || unknown(text);
    let depth = depth.checked_sub(1).ok_or_else(error)?;
    let word = words.next().ok_or_else(error)?.trim();
    if word.eq_ignore_ascii_case(BYTE_ENUM) {
        return Ok(Type::byte_enum(words.next().ok_or_else(error)?));
    }
    let known = WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
    let found = match known {
        Some((_, class)) => Type::of_known_class(class),
        None => {
            Type::of_known_class(word).or_else(|| Type::of_known_class(&format!("{word}Property")))
        }
    };
    let found = found.ok_or_else(error)?;
    Ok(match found.kind {
        PropertyKind::Struct => {
            Type::structure(words.next().filter(|n| !n.is_empty()).ok_or_else(error)?)
        }
        PropertyKind::Enum => {
            Type::enumeration(words.next().filter(|n| !n.is_empty()).ok_or_else(error)?)
        }
        PropertyKind::Array | PropertyKind::Set | PropertyKind::Optional => {
            let inner = parse(words, text, depth)?;
            if (found.kind, inner.kind) == (PropertyKind::Array, PropertyKind::Array) {
                return Err(error());
            }
            found.of_inner(vec![inner])
        }
        PropertyKind::Map => {
            let (key, value) = (parse(words, text, depth)?, parse(words, text, depth)?);
            found.of_inner(vec![key, value])
        }
        _ => found,
    })
}
