//! Default values.

use crate::archive::{Archived, Remap};
use crate::compile::{ClassId, Diagnostic};
use crate::error::{Error, Result};
use crate::make::declare::ClassMaker;
use crate::make::defaults::{KnownValues, ValueRules};
use crate::make::text::ClassSource;
use crate::object::Native;
use crate::object::script_object::ScriptObject;
use crate::primitive::{NameRemap, ObjectRef, PackageIndex};
use crate::property::{Property, PropertyList};
use crate::version::UnrealVersions;

use super::outcome::SetObject;
use super::rows::CodeRows;
use super::target::CodeTarget;

impl ClassMaker<'_> {
    /// Reads default values as they are written, those that the class above has as well.
    pub(super) fn values(
        &mut self,
        source: &ClassSource,
        class: ClassId,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let name = self.symbols.class(class).name.clone();
        self.draft.create("Class", &name, PackageIndex::NULL);
        let rules = ValueRules { keeps_all: true, ..ValueRules::default() };
        self.defaults(source, class, &mut KnownValues::default(), rules, diagnostics);
    }
}

impl CodeRows<'_> {
    /// Puts default values into their class, or into the object that holds them.
    pub fn put_values(&mut self, target: &CodeTarget) -> Result<SetObject> {
        let draft = self.draft;
        let class = draft.find("Class", &target.class);
        let holder = draft.objects.iter().position(|it| {
            draft.text(it.name).eq_ignore_ascii_case(&format!("Default__{}", target.class))
        });
        let inner = draft.objects.iter().any(|it| {
            let lies_in =
                |row: Option<usize>| row.is_some_and(|row| it.outer == PackageIndex::export(row));
            lies_in(class) || lies_in(holder)
        });
        if inner {
            let reason = "objects within default values are not replaced; set them with `upk set`";
            return Err(Error::invalid(format!("'{}': {reason}", target.path)));
        }
        let of_class = class.and_then(|row| draft.script(row));
        let list = match (holder, of_class) {
            (Some(row), _) => draft.objects[row].properties.clone(),
            (None, Some(ScriptObject::Class(class))) => class.defaults.clone(),
            _ => PropertyList::default(),
        };
        let list = self.properties(&list)?;
        let holds = self.script(target.class_row);
        let row = match &holds {
            Some(ScriptObject::Class(class)) if holder.is_some() => {
                match class.class_default_object.target() {
                    ObjectRef::Export(row) => row,
                    _ => return Err(Error::invalid("the class has no object for default values")),
                }
            }
            _ => target.class_row,
        };
        let decoded = self.edit.decode(row)?;
        let old = match &decoded.body.native {
            Native::Script(object) => match &**object {
                ScriptObject::Class(class) => Some(class.defaults.clone()),
                _ => None,
            },
            _ => decoded.body.properties.clone(),
        };
        let old = old.ok_or_else(|| Error::invalid("the default values can't be read"))?;
        let properties = in_order(list.properties, &old.properties);
        let sizes = [old.properties.len() as u64, properties.len() as u64];
        let is_changed = self.owned(&old)?.properties != properties;
        if is_changed {
            self.edit.change_body(row, |body| {
                match &mut body.native {
                    Native::Script(object) => {
                        if let ScriptObject::Class(class) = &mut **object {
                            class.defaults.properties = properties;
                        }
                    }
                    _ => {
                        if let Some(list) = &mut body.properties {
                            list.properties = properties;
                        }
                    }
                }
                Ok(())
            })?;
        }
        let (added, removed) = (Vec::new(), Vec::new());
        Ok(SetObject { object: target.path.clone(), is_changed, sizes, added, removed })
    }
}

impl CodeRows<'_> {
    /// The list with strings that own their bytes, so that it can be compared with a new one.
    fn owned(&self, list: &PropertyList) -> Result<PropertyList> {
        let mut list = list.clone();
        let same = |row: i32| Some(row);
        let versions = self.edit.versions().of_bodies();
        let remap = Remap::names_and_objects(versions, &same, &same);
        let mut remap = remap.with_context(self.edit.decoding_context()).materializing();
        list.serialize(&mut remap)?;
        Ok(list)
    }
}

/// Values that were there stand where they stood, new ones behind them.
fn in_order(mut new: Vec<Property>, old: &[Property]) -> Vec<Property> {
    let place = |it: &Property| {
        old.iter().position(|old| old.name() == it.name() && old.array_index() == it.array_index())
    };
    new.sort_by_key(|it| place(it).unwrap_or(usize::MAX));
    new
}
