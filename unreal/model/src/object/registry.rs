//! From class name to type.

use std::sync::LazyLock;

use super::script_object::ScriptObject;
use super::ue4::class_defaults::{self, ClassDefaults};
use super::ue4::remainder::Remainder;
use super::{Facts, Maker, Native, Shape, ue1, ue2, ue3, ue4};
use crate::archive::layout::Link;
use crate::version::{Engine, UnrealVersions, Versions};

/// The classes of a folder, and the types of its files that no class's fields lead to.
pub(super) struct Room {
    pub classes: &'static [ClassEntry],
    pub types: &'static [Link],
}

/// A class whose objects have data of their own.
pub(super) struct ClassEntry {
    /// The name, or the form that the names of a family have: `Head*`, `*Tail`, `Head*Tail`, `*Middle*`.
    pub name: &'static str,
    /// Which packages have it.
    pub is_in: fn(&Versions) -> bool,
    pub maker: Maker,
    /// The data's type.
    pub link: Option<Link>,
}

/// The files of a folder with their classes: a new class is a new file and its line here.
///
/// ```text
/// classes! {
///     pub mod texture { "Texture" => Texture; }
/// }
/// ```
///
/// declares the module and says that objects of the class hold a `texture::Texture`. `if` and a function of
/// the versions stand behind the name of a class that not all packages have, `(facts)` behind a type whose
/// `prepared` makes it from what is known before it is loaded. Types that no class's fields lead to stand
/// behind `also`. What a file without `pub` declares belongs to the folder's own module.
macro_rules! classes {
    ($(mod $module:ident $body:tt)*) => {
        $(mod $module; pub use $module::*;)*
        classes!(@room $($module $body)*);
    };
    ($(pub mod $module:ident $body:tt)*) => {
        $(pub mod $module;)*
        classes!(@room $($module $body)*);
    };
    (@room $($module:ident {
        $($name:literal $(if $is_in:ident)? $(=> $type:ident $(($facts:ident))?)?;)*
        $(also $($more:ident),+;)?
    })*) => {
        /// The classes of this folder.
        pub(in crate::object) const ROOM: $crate::object::registry::Room = $crate::object::registry::Room {
            classes: &[$($($crate::object::registry::ClassEntry {
                name: $name,
                is_in: classes!(@is_in $($is_in)?),
                maker: classes!(@maker $($module $type $($facts)?)?),
                link: classes!(@link $($module $type)?),
            },)*)*],
            types: &[$($($($crate::archive::layout::Link::of::<$module::$more>(),)+)?)*],
        };
    };
    (@is_in) => { |_| true };
    (@is_in $is_in:ident) => { $is_in };
    (@maker) => { |_| $crate::object::Native::None };
    (@maker $module:ident $type:ident) => { $crate::object::registry::object::<$module::$type> };
    (@maker $module:ident $type:ident $facts:ident) => { |$facts| $module::$type::prepared($facts).into() };
    (@link) => { None };
    (@link $module:ident $type:ident) => { Some($crate::archive::layout::Link::of::<$module::$type>()) };
}
pub(super) use classes;

/// The rooms whose classes packages of this engine have.
fn rooms(engine: Engine) -> &'static [&'static Room] {
    match engine {
        Engine::Ue1 => &[&super::ROOM, &ue1::ROOM],
        // UE2 keeps the classes of UE1 that it does not have its own way.
        Engine::Ue2 => &[&super::ROOM, &ue2::ROOM, &ue1::ROOM],
        Engine::Ue3 => &[&super::ROOM, &ue3::asset::ROOM, &ue3::world::ROOM],
        Engine::Ue4 | Engine::Ue5 => ue4::ROOMS,
    }
}

/// The classes of an engine, in the order in which they are asked.
struct Classes {
    /// By the length of their names.
    named: Vec<Vec<&'static ClassEntry>>,
    /// Entries whose names are forms.
    formed: Vec<&'static ClassEntry>,
}

impl Classes {
    fn of(engine: Engine) -> &'static Self {
        static KNOWN: [LazyLock<Classes>; 4] = [
            LazyLock::new(|| Classes::new(Engine::Ue1)),
            LazyLock::new(|| Classes::new(Engine::Ue2)),
            LazyLock::new(|| Classes::new(Engine::Ue3)),
            LazyLock::new(|| Classes::new(Engine::Ue4)),
        ];
        let [ue1, ue2, ue3, ue4] = &KNOWN;
        match engine {
            Engine::Ue1 => ue1,
            Engine::Ue2 => ue2,
            Engine::Ue3 => ue3,
            Engine::Ue4 | Engine::Ue5 => ue4,
        }
    }

    fn new(engine: Engine) -> Self {
        let entries = || rooms(engine).iter().flat_map(|room| room.classes);
        let longest = entries().map(|entry| entry.name.len()).max().unwrap_or_default();
        let mut named = vec![Vec::new(); longest + 1];
        entries().for_each(|entry| named[entry.name.len()].push(entry));
        Self { named, formed: entries().filter(|entry| entry.name.contains('*')).collect() }
    }

    /// The entries of this name.
    fn named(&self, class: &str) -> impl Iterator<Item = &'static ClassEntry> {
        let known = self.named.get(class.len()).map_or(&[][..], Vec::as_slice);
        known.iter().copied().filter(move |entry| entry.name.eq_ignore_ascii_case(class))
    }
}

/// The types of the data of all classes, and those that stand beside them.
#[doc(hidden)]
pub fn class_links() -> impl Iterator<Item = Link> {
    let rooms = [Engine::Ue2, Engine::Ue3, Engine::Ue4].into_iter().flat_map(rooms);
    rooms.flat_map(|room| {
        let data = room.classes.iter().filter_map(|entry| entry.link);
        data.chain(room.types.iter().copied())
    })
}

/// The maker of the native part of objects of this class; `None` where the name says nothing, and a parent
/// has to be asked ([`parent_of`]).
pub fn maker_for(class: &str, versions: &Versions) -> Option<Maker> {
    let engine = versions.engine();
    if !matches!(engine, Engine::Ue4 | Engine::Ue5)
        && let Some(maker) = ScriptObject::maker(class)
    {
        return Some(maker);
    }
    let known = Classes::of(engine);
    let is_in = |entry: &&ClassEntry| (entry.is_in)(versions);
    let named = known.named(class).find(is_in);
    // A parent is asked before the form of the name, which is the last resort.
    let formed = || match parent_of(class, versions) {
        Some(_) => None,
        None => {
            let entries = known.formed.iter().copied();
            let formed = entries.filter_map(|entry| Some((fit(entry.name, class)?, entry)));
            Some(formed.filter(|(_, entry)| is_in(entry)).max_by_key(|(fit, _)| *fit)?.1)
        }
    };
    named.or_else(formed).map(|entry| entry.maker)
}

/// How well the name of a class has this form, if it does: one that says how names start counts before one
/// that says how they end or what stands in them, then the longer one.
fn fit(form: &str, class: &str) -> Option<(bool, usize)> {
    if let Some((head, tail)) = form.split_once('*')
        && !head.is_empty()
        && !tail.is_empty()
    {
        let fits = class.len() >= head.len() + tail.len();
        let fits = fits && class.starts_with(head) && class.ends_with(tail);
        return fits.then_some((true, form.len()));
    }
    if let Some(middle) = form.strip_prefix('*').and_then(|form| form.strip_suffix('*')) {
        return class.contains(middle).then_some((false, form.len()));
    }
    let starts = form.strip_suffix('*').is_some_and(|head| {
        class.get(..head.len()).is_some_and(|start| start.eq_ignore_ascii_case(head))
    });
    let ends = form.strip_prefix('*').is_some_and(|tail| class.ends_with(tail));
    (starts || ends).then_some((starts, form.len()))
}

/// The maker of the native part of objects without a described class, and of the defaults of classes.
#[doc(hidden)]
pub fn maker_without_class(default_object: bool, versions: &Versions) -> Option<Maker> {
    match versions.engine() {
        Engine::Ue1 | Engine::Ue2 | Engine::Ue3 => None,
        Engine::Ue4 | Engine::Ue5 if !default_object => Some(object::<Remainder>),
        Engine::Ue4 | Engine::Ue5 => {
            class_defaults::are_present(versions).then_some(object::<ClassDefaults>)
        }
    }
}

/// A maker for classes whose type needs no facts.
#[doc(hidden)]
pub fn object<T: crate::Object + Default>(_: &Facts<'_>) -> Native {
    Native::Object(Box::new(T::default()))
}

/// The class that an engine class derives from, where its body is the parent's.
pub fn parent_of(class: &str, versions: &Versions) -> Option<&'static str> {
    let tables: &[&[(&str, &str)]] = match versions.engine() {
        Engine::Ue1 => &[],
        Engine::Ue2 => &[ue2::PARENTS],
        Engine::Ue3 => &[ue3::asset::PARENTS, ue3::world::PARENTS],
        Engine::Ue4 | Engine::Ue5 => &[ue4::PARENTS],
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
