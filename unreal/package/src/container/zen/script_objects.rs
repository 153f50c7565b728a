//! The objects of compiled code that a game's containers know: `global.utoc`.

use std::collections::{HashMap, HashSet};

use super::{ImportedObject, NameBatch, ZenName, ZenReference, ZenTarget, hash};
use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::primitive::array;
use crate::version::UnrealVersions;
use crate::{Archive, Archived, Described, Loader, Result, Versions};

/// Where objects lie in one another deeper than this, they do in a circle.
const DEEPEST: usize = 64;
/// The bits of a row that say of which list of names it is.
const LIST: u32 = 3 << 30;
/// The prefix of the names of default objects.
const DEFAULT: &str = "Default__";

/// All objects of compiled code: names, then a row for each (u32 count before them).
///
/// Spec: ue4-5/11 §8.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct ScriptObjects {
    /// The names of the objects.
    pub names: NameBatch,
    /// The objects in the order in which they were registered.
    pub rows: Vec<ScriptObjectEntry>,
}

/// An object of compiled code, 32 bytes.
///
/// Spec: ue4-5/11 §8. C++: `FScriptObjectEntry`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ScriptObjectEntry {
    /// Its name; the highest bits of the row say that it is of this list.
    pub name: ZenName,
    /// The number by which packages refer to it.
    pub global: ZenReference,
    /// The object around it; nothing for packages.
    pub outer: ZenReference,
    /// The class whose defaults it is or lies in.
    pub default_of: ZenReference,
}

impl Archived for ScriptObjects {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("names", ar, |ar| self.names.serialize(ar))?;
        in_field("rows", ar, |ar| array::counted_u32(&mut self.rows, ar))
    }
}

/// Objects of compiled code by what packages refer to them by.
#[derive(Debug, Clone, Default)]
pub struct ScriptPaths {
    objects: HashMap<u64, NamedScript>,
}

/// An object with its name.
#[derive(Debug, Clone)]
struct NamedScript {
    name: Box<str>,
    /// The object around it; `None` for packages.
    outer: Option<u64>,
    class: Class,
}

/// The class of an object, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Class {
    Unknown,
    /// It is a package, or a class.
    Core(&'static str),
    /// It is the default object of a class in its package.
    DefaultOf,
    Known(Box<str>),
}

impl ScriptPaths {
    /// Of the chunk of script objects in `global.utoc`: from 5.0 on.
    ///
    /// # Errors
    /// The field that does not fit.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut objects = ScriptObjects::default();
        objects.serialize(&mut Loader::new(bytes, Versions::ue4_and_5(522, 0)))?;
        Ok(Self::new(&objects))
    }

    /// Of the chunks `LoaderGlobalNames` and `LoaderInitialLoadMeta` of UE4.
    ///
    /// # Errors
    /// The field that does not fit.
    pub fn from_ue4(names: &[u8], objects: &[u8]) -> Result<Self> {
        let loader = |bytes| Loader::new(bytes, Versions::ue4_and_5(522, 0));
        let mut all = ScriptObjects::default();
        let named = all.names.serialize_characters(None, &mut loader(names));
        named.map_err(|error| error.in_field("names"))?;
        let read = array::counted_u32(&mut all.rows, &mut loader(objects));
        read.map_err(|error| error.in_field("rows"))?;
        Ok(Self::new(&all))
    }

    /// Of these objects.
    pub fn new(objects: &ScriptObjects) -> Self {
        let script = |reference: ZenReference| match reference.target() {
            ZenTarget::Script(hash) => Some(hash),
            _ => None,
        };
        let classes: HashSet<u64> =
            objects.rows.iter().filter_map(|row| script(row.default_of)).collect();
        let mut named = HashMap::with_capacity(objects.rows.len());
        for row in &objects.rows {
            let text = objects.names.texts.get((row.name.row & !LIST) as usize);
            let (Some(text), Some(hash)) = (text, script(row.global)) else { continue };
            let name = match row.name.number {
                0 => text.as_str().into(),
                number => format!("{text}_{}", number - 1).into(),
            };
            let outer = script(row.outer);
            let class = match outer {
                None => Class::Core("Package"),
                Some(_) if classes.contains(&hash) => Class::Core("Class"),
                Some(_) if text.starts_with(DEFAULT) => Class::DefaultOf,
                Some(_) => Class::Unknown,
            };
            named.insert(hash, NamedScript { name, outer, class });
        }
        Self { objects: named }
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// The object of this hash.
    pub fn find(&self, hash: u64) -> Option<ImportedObject> {
        let object = self.objects.get(&hash)?;
        let (mut names, mut outer) = (vec![&*object.name], object.outer);
        while let Some(hash) = outer {
            let around = self.objects.get(&hash).filter(|_| names.len() < DEEPEST)?;
            names.push(&around.name);
            outer = around.outer;
        }
        let class = match &object.class {
            Class::Core(name) => Some(format!("/Script/CoreUObject.{name}")),
            // Others are parts of defaults, whose classes are not known.
            Class::DefaultOf if names.len() == 2 => {
                object.name.strip_prefix(DEFAULT).map(|name| format!("{}.{name}", names[1]))
            }
            Class::Known(path) => Some(path.to_string()),
            Class::DefaultOf | Class::Unknown => None,
        };
        names.reverse();
        Some(ImportedObject { path: names.join("."), class })
    }

    /// Adds an object by its path, `/Script/Engine.Actor`, with everything around it.
    pub fn add(&mut self, path: &str, class: Option<&str>) {
        let mut class = class.map_or(Class::Unknown, |path| Class::Known(path.into()));
        let mut path = path;
        for _ in 0..DEEPEST {
            let around = path.rsplit_once(['.', ':']);
            let name = around.map_or(path, |(_, name)| name).into();
            let outer = around.map(|(outer, _)| hash::of_script_object(outer));
            if outer.is_none() {
                class = Class::Core("Package");
            }
            let known = self.objects.entry(hash::of_script_object(path));
            let known = known.or_insert_with(|| NamedScript { name, outer, class: Class::Unknown });
            if known.class == Class::Unknown {
                known.class = class;
            }
            let Some((outer, _)) = around else { return };
            (path, class) = (outer, Class::Unknown);
        }
    }
}
