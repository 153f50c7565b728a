//! Layouts as data: what a type stores, in which order, in which versions.
//!
//! The derive writes down what it knows; a type whose function is written by hand says so, and may say
//! more. Nothing of it is looked at while values are serialised.

use std::fmt;

use super::{Archived, Object, Role};
use crate::version::{Axis, Measure, Versions};

/// The layout of a type: [`Archived::LAYOUT`].
///
/// ```
/// use farchive::Archived;
/// use farchive::archive::layout::Shape;
///
/// /// One saved state of a file.
/// #[derive(Archived)]
/// struct Generation {
///     /// Rows of the export table.
///     export_count: u32,
///     #[since(322)]
///     net_object_count: u32,
/// }
///
/// let layout = Generation::LAYOUT;
/// assert_eq!((layout.name(), layout.doc), ("Generation".into(), "One saved state of a file."));
/// let Shape::Struct { fields } = layout.shape else { panic!("it is a struct") };
/// assert_eq!(fields[0].doc, "Rows of the export table.");
/// assert_eq!(fields[1].bounds[0].to_string(), "from 322");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    /// The type's path with its parameters.
    pub path: fn() -> &'static str,
    /// The documentation of the type: paragraphs of plain text, one a line.
    pub doc: &'static str,
    /// Its shape.
    pub shape: Shape,
}

/// The kind of the type, and its parts.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// Fields, one after the other.
    Struct {
        /// The stored ones, in their order.
        fields: &'static [Field],
    },
    /// A number, then the fields of the variant that it stands for.
    Enum {
        /// The integer that is stored: `u8` to `i64`.
        repr: &'static str,
        /// In the order in which they are declared.
        variants: &'static [Variant],
    },
    /// Its function is written by hand: fields are as its author lists them or as they are declared
    /// ([`Described`](crate::Described)); more or fewer may be stored, in another order.
    Manual {
        /// The parts as its author gives them.
        fields: &'static [Field],
        /// Bytes that each value takes in a version; `None` where not all take as many.
        size: fn(&Versions) -> Option<u64>,
    },
}

/// A field of a struct or variant.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// As errors and annotations name it; its number in a tuple.
    pub name: &'static str,
    /// The type as it is written.
    pub ty: &'static str,
    /// Its documentation.
    pub doc: &'static str,
    /// The versions that have it: those in which all bounds hold.
    pub bounds: &'static [Bound],
    /// The condition under which these versions have it, as it is written.
    pub when: Option<&'static str>,
    /// The function that stores it in another form than its type's own.
    pub with: Option<&'static str>,
    /// What it is for, where comparing and merging should not take it as it is.
    pub role: Option<Role>,
    /// The types that its type is made of, but for those of the language.
    pub links: &'static [Link],
}

/// A variant of an enum.
#[derive(Debug, Clone, Copy)]
pub struct Variant {
    /// Its name.
    pub name: &'static str,
    /// The number that is stored; 0 where [`Variant::is_other`].
    pub value: i64,
    /// Whether it keeps the numbers that no other variant has: its number is stored as it was loaded.
    pub is_other: bool,
    /// Its documentation.
    pub doc: &'static str,
    /// The versions that have it: those in which all bounds hold.
    pub bounds: &'static [Bound],
    /// The fields behind the number.
    pub fields: &'static [Field],
}

/// Which end of a range of versions a bound is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Edge {
    /// There from this version on.
    Since,
    /// Gone from this version on.
    Until,
}

/// One `since` or `until`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bound {
    /// Whether it starts or ends there.
    pub edge: Edge,
    /// The version that it is about.
    pub measure: Measure,
    /// The first version with the field, or without it again.
    pub value: i64,
    /// The constant that stands for the version.
    pub name: Option<&'static str>,
}

impl Bound {
    /// There from this version on; for types whose function is written by hand.
    #[inline]
    pub const fn since(axis: Axis, value: i64) -> Self {
        Self { edge: Edge::Since, measure: Measure::Axis(axis), value, name: None }
    }

    /// Gone from this version on; for types whose function is written by hand.
    #[inline]
    pub const fn until(axis: Axis, value: i64) -> Self {
        Self { edge: Edge::Until, measure: Measure::Axis(axis), value, name: None }
    }

    /// Whether `versions` are on the right side of it.
    pub fn holds(&self, versions: &Versions) -> bool {
        (versions.measure(self.measure) >= self.value) == (self.edge == Edge::Since)
    }
}

/// `from 322`, `until engine 7`.
impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.edge {
            Edge::Since => "from ",
            Edge::Until => "until ",
        })?;
        match self.measure {
            Measure::Axis(axis) if axis.name().is_empty() => {}
            Measure::Axis(axis) => write!(f, "{} ", axis.name())?,
            // The constant says which of the many it is.
            Measure::Custom(_) if self.name.is_some() => f.write_str("custom ")?,
            Measure::Custom(guid) => write!(f, "custom {guid} ")?,
        }
        match (self.measure, self.name) {
            (Measure::Custom(_), Some(name)) => write!(f, "{name} ({})", self.value),
            _ => write!(f, "{}", self.value),
        }
    }
}

/// A type that another one mentions.
#[derive(Debug, Clone, Copy)]
pub struct Link {
    /// Its layout; `None` where the type is not [`Archived`].
    pub layout: Option<fn() -> &'static Layout>,
    /// Makes its default, to be loaded; `None` where the type has none.
    pub value: Option<fn() -> Box<dyn Object>>,
}

impl Link {
    /// The link to a type.
    pub const fn of<T: Archived + Object + Default>() -> Self {
        Self { layout: Some(layout_of::<T>), value: Some(value_of::<T>) }
    }

    /// The type's layout, if it has one.
    #[inline]
    pub fn layout(&self) -> Option<&'static Layout> {
        self.layout.map(|layout| layout())
    }
}

impl Layout {
    /// The layout of a type whose function is written by hand; `path` is `std::any::type_name::<Self>`.
    #[inline]
    pub const fn manual(path: fn() -> &'static str) -> Self {
        Self { path, doc: "", shape: Shape::Manual { fields: &[], size: |_| None } }
    }

    /// The layout with what the type is.
    #[must_use]
    #[inline]
    pub const fn with_doc(mut self, doc: &'static str) -> Self {
        self.doc = doc;
        self
    }

    /// The layout with what its author says of its parts.
    #[must_use]
    #[inline]
    pub const fn with_parts(mut self, parts: &'static [Field]) -> Self {
        if let Shape::Manual { fields, .. } = &mut self.shape {
            *fields = parts;
        }
        self
    }

    /// The layout with the number of bytes that each value takes in a version; `None` where not all take
    /// as many.
    #[must_use]
    #[inline]
    pub const fn with_size(mut self, bytes: fn(&Versions) -> Option<u64>) -> Self {
        if let Shape::Manual { size, .. } = &mut self.shape {
            *size = bytes;
        }
        self
    }

    /// The type's name, with its parameters where it has any: `Door`, `Table<Row>`.
    #[inline]
    pub fn name(&self) -> String {
        short((self.path)())
    }

    /// The path of the type's definition without parameters: `game::level::Door`.
    #[inline]
    pub fn place(&self) -> &'static str {
        let path = (self.path)();
        path.split('<').next().unwrap_or(path)
    }

    /// The same within its crate: `level::Door`.
    #[inline]
    pub fn place_in_crate(&self) -> &'static str {
        let place = self.place();
        place.split_once("::").map_or(place, |(_, rest)| rest)
    }

    /// Every field, also those of variants.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> {
        let (fields, variants): (&'static [Field], &'static [Variant]) = match self.shape {
            Shape::Struct { fields } | Shape::Manual { fields, .. } => (fields, &[]),
            Shape::Enum { variants, .. } => (&[], variants),
        };
        fields.iter().chain(variants.iter().flat_map(|variant| variant.fields))
    }

    /// Every bound of the type itself.
    pub fn bounds(&self) -> impl Iterator<Item = &'static Bound> {
        let variants: &'static [Variant] = match self.shape {
            Shape::Enum { variants, .. } => variants,
            _ => &[],
        };
        let own = self.fields().flat_map(|field| field.bounds);
        own.chain(variants.iter().flat_map(|variant| variant.bounds))
    }
}

impl Field {
    /// A part of a type whose function is written by hand.
    #[inline]
    pub const fn plain(name: &'static str, ty: &'static str, doc: &'static str) -> Self {
        Self { name, ty, doc, bounds: &[], when: None, with: None, role: None, links: &[] }
    }

    /// A part of a type whose function is written by hand, with the link to the part's type.
    pub const fn of<T: Archived + Object + Default>(
        name: &'static str,
        ty: &'static str,
        doc: &'static str,
    ) -> Self {
        let links = Probe::<T>::LINKS;
        Self { name, ty, doc, bounds: &[], when: None, with: None, role: None, links }
    }

    /// The part with the versions that have it.
    #[must_use]
    #[inline]
    pub const fn within(mut self, bounds: &'static [Bound]) -> Self {
        self.bounds = bounds;
        self
    }

    /// Whether these versions have it, so far as bounds say.
    #[inline]
    pub fn is_in(&self, versions: &Versions) -> bool {
        self.bounds.iter().all(|bound| bound.holds(versions))
    }
}

impl Variant {
    /// The number that is stored, as text; `other` for those that no other variant has.
    pub fn number(&self) -> String {
        match self.is_other {
            true => "other".to_owned(),
            false => self.value.to_string(),
        }
    }

    /// Whether these versions have it.
    #[inline]
    pub fn is_in(&self, versions: &Versions) -> bool {
        self.bounds.iter().all(|bound| bound.holds(versions))
    }
}

/// A path without its modules, also within its parameters.
fn short(path: &str) -> String {
    let mut name = String::new();
    let mut word = 0;
    for char in path.chars() {
        match char {
            ':' => name.truncate(word),
            _ => name.push(char),
        }
        if !(char.is_alphanumeric() || char == '_' || char == ':') {
            word = name.len();
        }
    }
    name
}

fn layout_of<T: Archived>() -> &'static Layout {
    T::LAYOUT
}

fn value_of<T: Object + Default>() -> Box<dyn Object> {
    Box::new(T::default())
}

/// Finds out whether a type that the derive sees by name only is [`Archived`]: the constants of its own
/// are chosen before those of [`Unlinked`].
#[doc(hidden)]
#[derive(Debug)]
pub struct Probe<T: ?Sized>(std::marker::PhantomData<T>);

impl<T: Archived> Probe<T> {
    /// The layout's function.
    pub const LINK: Option<fn() -> &'static Layout> = Some(layout_of::<T>);
}

impl<T: Archived> Probe<T> {
    /// Whether it may hold values of its own type.
    pub const NESTS: bool = T::NESTS;
}

impl<T: Object + Default> Probe<T> {
    /// The function that makes a value.
    pub const VALUE: Option<fn() -> Box<dyn Object>> = Some(value_of::<T>);
}

impl<T: Archived + Object + Default> Probe<T> {
    /// The one link of a part.
    const LINKS: &'static [Link] = &[Link::of::<T>()];
}

/// The answer of [`Probe`] for every other type.
#[doc(hidden)]
pub trait Unlinked {
    /// No layout.
    const LINK: Option<fn() -> &'static Layout> = None;
    /// It may, for all that is known.
    const NESTS: bool = true;
    /// No value.
    const VALUE: Option<fn() -> Box<dyn Object>> = None;
}

impl<T: ?Sized> Unlinked for Probe<T> {}
