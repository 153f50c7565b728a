//! From class name to type.

use super::script_object::ScriptObject;
use super::text::{MetaData, ObjectRedirector, TextBuffer};
use super::ue4::class_defaults::{self, ClassDefaults};
use super::ue4::remainder::Remainder;
use super::{Facts, Maker, Native, Shape, ue1, ue2, ue3, ue4};
use crate::archive::layout::Link;
use crate::version::{Engine, Versions};

/// A class whose objects have data of their own.
pub(super) struct ClassEntry {
    pub name: &'static str,
    pub maker: Maker,
    /// The data's type.
    pub link: Link,
}

/// A table of classes: `"Name" => Type;`, with a maker behind the type where it needs facts.
macro_rules! classes {
    (@maker $type:ty) => { $crate::object::registry::object::<$type> };
    (@maker $type:ty, $maker:expr) => { $maker };
    ($($name:literal => $type:ty $(, $maker:expr)?;)*) => {
        &[$($crate::object::registry::ClassEntry {
            name: $name,
            maker: classes!(@maker $type $(, $maker)?),
            link: $crate::archive::layout::Link::of::<$type>(),
        }),*]
    };
}
pub(super) use classes;

/// The classes of several engines.
const COMMON: &[ClassEntry] = classes! {
    "TextBuffer" => TextBuffer;
    "MetaData" => MetaData;
    "ObjectRedirector" => ObjectRedirector;
};

/// The class of this name, in any case.
pub(super) fn find(table: &[ClassEntry], class: &str) -> Option<Maker> {
    table.iter().find(|entry| entry.name.eq_ignore_ascii_case(class)).map(|entry| entry.maker)
}

/// The types of the data of all classes.
pub(crate) fn class_links() -> impl Iterator<Item = Link> {
    let tables = [&[COMMON], ue1::CLASSES, ue2::CLASSES, ue3::CLASSES, ue4::CLASSES];
    tables.into_iter().flatten().flat_map(|table| table.iter()).map(|entry| entry.link)
}

/// What makes the native part of objects of this class; `None` where the name says nothing, and a parent
/// has to be asked ([`parent_of`]).
pub fn maker_for(class: &str, versions: &Versions) -> Option<Maker> {
    if let Engine::Ue4 | Engine::Ue5 = versions.engine() {
        return ue4::maker_for(class, versions);
    }
    if ScriptObject::blank(class).is_some() {
        return Some(|facts| match ScriptObject::blank(facts.class) {
            Some(object) => Native::Script(Box::new(object)),
            None => Native::None,
        });
    }
    find(COMMON, class).or_else(|| match versions.engine() {
        Engine::Ue1 => ue1::maker_for(class, versions),
        // UE2 keeps the classes of UE1 that it does not have its own way.
        Engine::Ue2 => ue2::maker_for(class, versions).or_else(|| ue1::maker_for(class, versions)),
        _ => ue3::maker_for(class, versions),
    })
}

/// What makes the native part of objects whose class nobody has described, and of the defaults of classes.
pub(crate) fn maker_without_class(default_object: bool, versions: &Versions) -> Option<Maker> {
    match versions.engine() {
        Engine::Ue1 | Engine::Ue2 | Engine::Ue3 => None,
        Engine::Ue4 | Engine::Ue5 if !default_object => Some(object::<Remainder>),
        Engine::Ue4 | Engine::Ue5 => {
            class_defaults::are_present(versions).then_some(object::<ClassDefaults>)
        }
    }
}

/// A maker for classes whose type needs no facts.
pub(crate) fn object<T: crate::Object + Default>(_: &Facts<'_>) -> Native {
    Native::Object(Box::new(T::default()))
}

/// The class that an engine class derives from, where its body is the parent's.
pub fn parent_of(class: &str, versions: &Versions) -> Option<&'static str> {
    let tables: &[&[(&str, &str)]] = match versions.engine() {
        Engine::Ue1 => &[ue1::PARENTS],
        Engine::Ue2 => &[ue2::PARENTS, ue1::PARENTS],
        Engine::Ue4 | Engine::Ue5 => ue4::PARENTS,
        Engine::Ue3 => ue3::PARENTS,
    };
    let mut pairs = tables.iter().flat_map(|table| table.iter());
    pairs.find(|(child, _)| child.eq_ignore_ascii_case(class)).map(|(_, parent)| *parent)
}

impl Shape {
    /// Whether objects of a class with this name are components (spec: ue1-3/11 §11.0 R3).
    pub fn is_component(class: &str) -> bool {
        let ends = |end: &str| {
            class.len() >= end.len()
                && class
                    .get(class.len() - end.len()..)
                    .is_some_and(|tail| tail.eq_ignore_ascii_case(end))
        };
        let starts = class.get(..12).is_some_and(|head| head.eq_ignore_ascii_case("Distribution"));
        ends("Component") || starts
    }
}
