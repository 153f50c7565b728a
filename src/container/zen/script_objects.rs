//! The objects of compiled code that a game's containers know: `global.utoc`.

use std::collections::HashMap;

use super::{NameBatch, ZenName, ZenReference, ZenTarget, hash};
use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::primitive::array;
use crate::{Archive, Archived, Described, Loader, Result, Versions};

/// Where objects lie in one another deeper than this, they do in a circle.
const DEEPEST: usize = 64;
/// The bits of a row that say of which list of names it is.
const LIST: u32 = 3 << 30;

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
    /// What packages refer to it by.
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

/// Script objects by what packages refer to them by.
#[derive(Debug, Clone, Default)]
pub struct ScriptPaths {
    objects: HashMap<u64, Named>,
}

/// An object with its name.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    pub name: String,
    /// The object around it by the same hash; `None` for packages.
    pub outer: Option<u64>,
    /// Name and package of its class, where they are known.
    pub class: Option<(String, String)>,
}

impl ScriptPaths {
    /// Of the chunk of script objects in `global.utoc`.
    ///
    /// # Errors
    /// What does not fit, with its field.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut objects = ScriptObjects::default();
        objects.serialize(&mut Loader::new(bytes, Versions::ue4_and_5(522, 0)))?;
        Ok(Self::new(&objects))
    }

    /// Of these objects.
    pub fn new(objects: &ScriptObjects) -> Self {
        let script = |reference: ZenReference| match reference.target() {
            ZenTarget::Script(hash) => Some(hash),
            _ => None,
        };
        let mut named = HashMap::with_capacity(objects.rows.len());
        for row in &objects.rows {
            let text = objects.names.texts.get((row.name.row & !LIST) as usize);
            let (Some(text), Some(hash)) = (text, script(row.global)) else { continue };
            let name = match row.name.number {
                0 => text.clone(),
                number => format!("{text}_{}", number - 1),
            };
            named.insert(hash, Named { name, outer: script(row.outer), class: None });
        }
        let classes = objects.rows.iter().filter_map(|row| script(row.default_of));
        let classes: std::collections::HashSet<u64> = classes.collect();
        let of = |hash: &u64| {
            let object: &Named = named.get(hash)?;
            let class = |name: &str, package: &str| Some((name.to_owned(), package.to_owned()));
            let Some(outer) = object.outer else { return class("Package", "/Script/CoreUObject") };
            if classes.contains(hash) {
                return class("Class", "/Script/CoreUObject");
            }
            let package = named.get(&outer).filter(|outer| outer.outer.is_none())?;
            class(object.name.strip_prefix("Default__")?, &package.name)
        };
        let known: Vec<_> = named.keys().map(|hash| (*hash, of(hash))).collect();
        for (hash, class) in known {
            if let Some(object) = named.get_mut(&hash) {
                object.class = class;
            }
        }
        Self { objects: named }
    }

    /// The object of this hash.
    pub(crate) fn get(&self, hash: u64) -> Option<&Named> {
        self.objects.get(&hash)
    }

    /// Adds an object by its path, `/Script/Engine.Actor`, with everything around it.
    pub fn add(&mut self, path: &str, class: Option<(&str, &str)>) {
        let class = class.map(|(name, package)| (name.to_owned(), package.to_owned()));
        let (outer, name) = match path.rsplit_once(['.', ':']) {
            Some((outer, name)) => {
                self.add_outer(outer);
                (Some(hash::of_script_object(outer)), name)
            }
            None => (None, path),
        };
        let named = Named { name: name.to_owned(), outer, class };
        self.objects.entry(hash::of_script_object(path)).or_insert(named);
    }

    fn add_outer(&mut self, path: &str) {
        let mut path = path;
        for _ in 0..DEEPEST {
            let outer = path.rsplit_once(['.', ':']);
            let class =
                outer.is_none().then(|| ("Package".to_owned(), "/Script/CoreUObject".to_owned()));
            let name = outer.map_or(path, |(_, name)| name).to_owned();
            let around = outer.map(|(outer, _)| hash::of_script_object(outer));
            let named = Named { name, outer: around, class };
            self.objects.entry(hash::of_script_object(path)).or_insert(named);
            match outer {
                Some((outer, _)) => path = outer,
                None => return,
            }
        }
    }
}
