//! What classes derive from, as far as it is known.

use super::meaning::ObjectLookup;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::{EngineClasses, Surroundings};

/// Classes are followed this far.
const DEEPEST: usize = 64;
/// The class that all others derive from.
const ROOT: &str = "Object";

impl ObjectLookup<'_> {
    /// The classes that an object is of, its own first; `None` where one of them is not known.
    pub(super) fn classes_of(&self, object: PackageIndex) -> Option<Vec<String>> {
        let tables = self.package().tables();
        match object.target() {
            ObjectRef::Null => None,
            ObjectRef::Export(row) => match tables.exports.get(row)?.class_index {
                class if class.is_null() => self.classes_from("Class".to_owned()),
                class => self.ancestry(class),
            },
            ObjectRef::Import(row) => {
                let class = tables.imports.get(row)?.class_name;
                self.classes_from(self.package().name_text(class))
            }
        }
    }

    /// A class and all that it derives from; `None` where one of them is not known.
    pub(super) fn ancestry(&self, class: PackageIndex) -> Option<Vec<String>> {
        let exports = &self.package().tables().exports;
        let (mut chain, mut index) = (Vec::new(), class);
        while let ObjectRef::Export(row) = index.target() {
            if chain.len() >= DEEPEST {
                return None;
            }
            chain.push(self.package().object_name(index));
            index = exports.get(row)?.super_index;
        }
        match (index.is_null(), chain.last()) {
            (false, _) => {
                chain.extend(self.classes_from(self.package().object_name(index))?);
                Some(chain)
            }
            // Only the first of all derives from nothing.
            (true, Some(last)) => last.eq_ignore_ascii_case(ROOT).then_some(chain),
            (true, None) => None,
        }
    }

    fn classes_from(&self, class: String) -> Option<Vec<String>> {
        let mut chain = vec![class];
        while chain.len() < DEEPEST {
            let class = chain.last()?;
            if class.eq_ignore_ascii_case(ROOT) {
                return Some(chain);
            }
            let parent = self.parent_of(class)?;
            chain.push(parent);
        }
        None
    }

    fn parent_of(&self, class: &str) -> Option<String> {
        let package = self.package();
        let given = || self.mappings()?.parent_of(class);
        let own = || self.own()?.parent_of(class);
        let around = || package.class_layouts().parent_of(class);
        let declared = || Some(&*package.class_layouts().class(class)?.parent);
        let engine = || EngineClasses::of(package.versions())?.parent_of(class);
        let found = given().or_else(own).or_else(around).or_else(declared).or_else(engine);
        let native = || EngineClasses::native_parent_of(package.versions(), class);
        found.filter(|parent| !parent.is_empty()).or_else(native).map(str::to_owned)
    }
}
