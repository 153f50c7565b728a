//! Facts about classes of other packages beside their symbols: flags and masks that classes inherit.

use std::collections::HashMap;

use crate::inspect::{PackageValues, PropertyValue};
use crate::object::Native;
use crate::object::script_object::ScriptObject;
use crate::package::Package;
use crate::primitive::PackageIndex;
use crate::property::{Layouts, PropertyKind, Value};
use crate::version::{Engine, UnrealVersions};

use super::text::{ClassSource, text_crc};
use crate::object::text::TextBuffer;
use crate::package::native_as;
use crate::primitive::ObjectRef;

/// The state flag of classes of UE3 without a state that begins by itself.
const AUTO_STATE: u32 = 2;

/// Facts that a class hands down to those that extend it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ClassFacts {
    pub flags: u32,
    pub probe_mask: u64,
    pub config_name: String,
    /// The class that its objects lie in: its package and name.
    pub within: Option<(String, String)>,
    pub hide_categories: Vec<String>,
    /// Categories that are not sorted, opened, closed, and groups of the class (UE3).
    pub other_categories: [Vec<String>; 4],
    /// Whether variables stay as the text has them (UE3).
    pub forces_order: bool,
    /// Whether it or a class above it has a state that begins by itself (UE3).
    pub has_auto_state: bool,
    /// The names of its components.
    pub components: Vec<String>,
    /// Whether only its text is known, or nothing.
    pub is_partial: bool,
    /// The number that stands for its text.
    pub text_crc: u32,
    /// The dynamic arrays that its defaults store, by names in small letters, as text, without one of elements whose type
    /// nothing says (UE3). `None` where its defaults are not at hand.
    pub arrays: Option<HashMap<String, Option<String>>>,
}

/// The facts of functions: their flags and places in replication conditions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct FunctionFacts {
    pub flags: u32,
    pub rep_offset: u16,
}

/// Facts by the names of classes in small letters.
#[derive(Debug, Clone, Default)]
pub(super) struct KnownFacts {
    classes: HashMap<String, ClassFacts>,
    /// By the path from the class on.
    functions: HashMap<String, FunctionFacts>,
    /// The mask of the probes of states, by the path from the class on.
    states: HashMap<String, (u64, u64)>,
    /// What the packages so far declare, for the values of those that build on them (UE3).
    layouts: Layouts,
}

impl KnownFacts {
    /// Adds what a package declares; what is known of a class already stays.
    pub fn add(&mut self, package: &Package) {
        let mut package = package.clone();
        if package.versions().engine() >= Engine::Ue3 {
            package.add_class_layouts(&self.layouts);
            self.layouts.merge(&package.layouts());
        }
        package.decode_where(|class| {
            ScriptObject::blank(class).is_some() || class.eq_ignore_ascii_case("TextBuffer")
        });
        for row in 0..package.exports().len() {
            let index = PackageIndex::export(row);
            let Some(Native::Script(object)) = package.decoded(row).map(|it| &it.body.native)
            else {
                continue;
            };
            let path = package.path(index).to_lowercase();
            match &**object {
                ScriptObject::Class(class) => {
                    let names = |names: &[crate::Name]| {
                        names.iter().map(|name| package.name_text(*name)).collect::<Vec<_>>()
                    };
                    let hidden = match class.hide_categories_old.is_empty() {
                        true => names(&class.hide_categories),
                        false => names(&class.hide_categories_old),
                    };
                    let config = class.config_name.get().map(|name| package.name_text(name));
                    let facts = ClassFacts {
                        flags: class.class_flags,
                        probe_mask: class.base.probe_mask_64 | u64::from(class.base.probe_mask),
                        config_name: config.unwrap_or_default(),
                        within: None,
                        forces_order: class.force_script_order != 0,
                        other_categories: [
                            names(&class.dont_sort_categories),
                            names(&class.auto_expand_categories),
                            names(&class.auto_collapse_categories),
                            names(&class.class_groups),
                        ],
                        has_auto_state: class.base.state_flags & AUTO_STATE == 0,
                        components: class
                            .component_default_objects
                            .0
                            .iter()
                            .map(|(name, _)| package.name_text(*name))
                            .collect(),
                        is_partial: false,
                        hide_categories: hidden,
                        text_crc: class_text(&package, class.base.base.script_text),
                        arrays: default_arrays(&package, class.class_default_object),
                    };
                    self.classes.entry(path).or_insert(facts);
                }
                ScriptObject::Function(function) => {
                    let (flags, rep_offset) = (function.function_flags, function.rep_offset);
                    self.functions.entry(path).or_insert(FunctionFacts { flags, rep_offset });
                }
                ScriptObject::State(state) => {
                    let probes = state.probe_mask_64 | u64::from(state.probe_mask);
                    let masks = (probes, state.ignore_mask);
                    self.states.entry(path).or_insert(masks);
                }
                _ => {}
            }
        }
    }

    /// Adds what the text of a class says of it.
    pub fn add_text(&mut self, name: &str, source: &ClassSource) {
        let text_crc = text_crc(source.script_text());
        self.set_class(name, ClassFacts { text_crc, is_partial: true, ..ClassFacts::default() });
    }

    pub fn class(&self, name: &str) -> Option<&ClassFacts> {
        self.classes.get(&name.to_lowercase())
    }

    pub fn set_class(&mut self, name: &str, facts: ClassFacts) {
        self.classes.insert(name.to_lowercase(), facts);
    }

    pub fn function(&self, path: &str) -> Option<FunctionFacts> {
        self.functions.get(&path.to_lowercase()).copied()
    }

    pub fn set_function(&mut self, path: &str, facts: FunctionFacts) {
        self.functions.insert(path.to_lowercase(), facts);
    }

    /// The masks of a state: what it listens to, what it does not ignore.
    pub fn state(&self, path: &str) -> Option<(u64, u64)> {
        self.states.get(&path.to_lowercase()).copied()
    }

    pub fn set_state(&mut self, path: &str, masks: (u64, u64)) {
        self.states.insert(path.to_lowercase(), masks);
    }
}

/// The dynamic arrays that an object with the defaults of a class of UE3 stores, as text.
fn default_arrays(
    package: &Package,
    holder: PackageIndex,
) -> Option<HashMap<String, Option<String>>> {
    let ObjectRef::Export(row) = holder.target() else { return None };
    if package.versions().engine() < Engine::Ue3 {
        return None;
    }
    let properties = package.values().properties(&format!("#{row}")).ok()?;
    let arrays = properties.into_iter().filter(|it| it.property_type.kind() == PropertyKind::Array);
    let text = |it: PropertyValue| {
        let is_known = matches!(it.value, Some(Value::Array(_)) | None);
        (it.path.to_lowercase(), is_known.then_some(it.text))
    };
    Some(arrays.map(text).collect())
}

/// The number of the text in a buffer; 0 where there is none.
fn class_text(package: &Package, buffer: PackageIndex) -> u32 {
    let ObjectRef::Export(row) = buffer.target() else { return 0 };
    let text = package.decoded(row).and_then(|it| native_as::<TextBuffer>(&it.body));
    let text = text.and_then(|it| it.text.text(package.source()).ok());
    text.map_or(0, |text| text_crc(&text))
}
