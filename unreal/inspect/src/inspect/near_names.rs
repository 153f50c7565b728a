//! Names near that of a property that is not there.

use super::meaning::ObjectLookup;
use super::values::Values;
use crate::error::near::{did_you_mean, nearest, suggests};
use crate::error::{Error, ErrorKind, noun};
use crate::inspect::meaning::ReferenceTexts;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::{EngineClasses, Mappings, Surroundings};

/// Classes are followed this far.
const DEEPEST: usize = 64;

impl Values<'_> {
    /// An error that says what else may be meant, if it is about a property that is not there.
    pub(super) fn with_near(&self, row: usize, error: Error) -> Error {
        match error.kind() {
            ErrorKind::NotFound {
                what: what @ (noun::PROPERTY | noun::DECLARATION),
                name,
                hint,
            } if !suggests(hint) => {
                let hint = format!("{hint}{}", self.meant_instead(row, name));
                ErrorKind::NotFound { what: *what, name: name.clone(), hint }.into()
            }
            _ => error,
        }
    }

    /// The hint of an error for a name that is no property of an object: the object of that name elsewhere,
    /// properties with a name that is near, objects that are near where a level was named.
    pub(super) fn meant_instead(&self, row: usize, name: &str) -> String {
        if let Some(object) = self.object_instead(row, name) {
            return format!("; did you mean the object '{object}'?");
        }
        let near = self.near_properties(row, name);
        if !near.is_empty() {
            return did_you_mean(&near);
        }
        let class = self.package.class_path(row);
        match class.ends_with(".Level") || class.ends_with(".World") {
            true => did_you_mean(&self.package.near_exports(name)),
            false => String::new(),
        }
    }

    /// Properties that the object's classes are known to declare, with a name that is near.
    pub(super) fn near_properties(&self, row: usize, name: &str) -> Vec<String> {
        let names = self.declared_names(row).into_iter();
        nearest(name, names.filter(|known| !known.eq_ignore_ascii_case(name)))
    }

    /// The object outside of this one that has the name of a property that is not there: objects of levels
    /// are looked for within `MyLevel`, where they stand in maps of UE3 only. What scripts declare is none.
    fn object_instead(&self, row: usize, name: &str) -> Option<String> {
        let near = self.package.export_called(name)?;
        let ObjectRef::Export(found) = near.target() else { return None };
        let class = self.package.class_path(found);
        let declared = ["Core.", "/Script/CoreUObject."].iter().any(|core| class.starts_with(core));
        let within =
            self.package.tables().exports.get(found)?.outer_index == PackageIndex::export(row);
        (found != row && !declared && !within).then(|| self.package.path(near))
    }

    /// The names of all properties that the object's classes are known to declare.
    pub fn declared_names(&self, row: usize) -> Vec<String> {
        let (package, context) = (self.package, self.package.decoding_context());
        let mut names: Vec<String> = Vec::new();
        let exports = &package.tables().exports;
        let class = exports.get(row).map(|export| export.class_index).unwrap_or_default();
        let scope = if class.is_null() { PackageIndex::export(row) } else { class };
        for class in package.ancestors(scope) {
            let ObjectRef::Export(class) = class.target() else { break };
            let layout = package.class_layout(class, &context);
            let declared = layout.into_iter().flat_map(|layout| layout.properties);
            names.extend(declared.map(|declared| declared.name.to_string()));
        }
        let lookup = ObjectLookup::reading(package, context, row);
        let chain = lookup.scope_chain();
        for class in &chain {
            let mut known = package.class_layouts().class(class);
            for _ in 0..DEEPEST {
                let Some(layout) = known else { break };
                names.extend(layout.properties.iter().map(|declared| declared.name.to_string()));
                known = package.class_layouts().class(&layout.parent);
            }
            for mappings in [lookup.own(), lookup.mappings()].into_iter().flatten() {
                mapped_names(mappings, class, &mut names);
            }
        }
        if let Some(engine) = EngineClasses::of(package.versions()) {
            names.extend(engine.property_names(chain.iter().map(String::as_str)));
        }
        names
    }
}

/// The properties that mappings know of a class and of those that it derives from.
fn mapped_names(mappings: &Mappings, class: &str, names: &mut Vec<String>) {
    let data = mappings.data();
    let mut class = class.to_owned();
    for _ in 0..DEEPEST {
        let is =
            |name: &u32| data.name(*name).is_some_and(|name| name.eq_ignore_ascii_case(&class));
        let Some(known) = data.structs.iter().find(|known| is(&known.name)) else { break };
        let properties = known.properties.iter().filter_map(|property| data.name(property.name));
        names.extend(properties.map(|name| name.to_string()));
        let Some(parent) = data.name(known.super_struct) else { break };
        class = parent.to_string();
    }
}
