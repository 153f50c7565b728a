//! New classes of cooked blueprints, with the objects that hold their defaults.

use super::Edit;
use super::default_object::default_name;
use super::preload::PreloadDependencies;
use crate::error::Result;
use crate::object::Native;
use crate::object::ue4::structure::Struct;
use crate::object::ue4::structure::class::Class;
use crate::primitive::{ObjectFlags, PackageIndex};
use crate::property::PropertyList;

/// The class of the classes that blueprints are compiled to.
pub(crate) const GENERATED: &str = "/Script/Engine.BlueprintGeneratedClass";

/// A class of a cooked blueprint as it is to be.
pub(crate) struct NewClass<'a> {
    pub name: &'a str,
    /// The path of the class that it is made from.
    pub parent: &'a str,
    /// C++: `ClassFlags`.
    pub flags: u32,
    pub config_name: &'a str,
    /// The path of the class that its objects must lie in.
    pub within: &'a str,
}

impl Edit {
    /// Adds a class without properties and functions of its own, and the object with its defaults, which says nothing yet;
    /// the rows of both.
    ///
    /// Spec: ue4-5/05 §1.
    ///
    /// # Errors
    /// As [`Edit::add_object`].
    pub(crate) fn add_class(&mut self, new: &NewClass) -> Result<[usize; 2]> {
        let parent = self.class_reference(new.parent)?;
        let class = Class {
            base: Struct { super_struct: parent, ..Struct::default() },
            class_flags: new.flags,
            within: self.class_reference(new.within)?,
            config_name: self.add_object_name(new.config_name)?,
            dummy: self.none_name(),
            cooked: true,
            // It stands behind the class.
            class_default_object: PackageIndex::export(self.exports().len() + 1),
            ..Class::default()
        };
        let generated = self.class_reference(GENERATED)?;
        let blank = PropertyList::new(Vec::new(), self.none_name());
        self.transact(|edit| {
            let row = edit.append_export(PackageIndex::NULL, new.name, generated, Vec::new())?;
            edit.change_export(row, |export| {
                export.super_index = parent;
                export.object_flags = ObjectFlags::UE4_PUBLIC.with(ObjectFlags::UE4_TRANSACTIONAL);
                export.not_always_loaded_for_editor_game = false.into();
            });
            edit.give_body(row, None, blank.clone(), Native::Object(Box::new(class)))?;
            let (name, class) = (default_name(new.name), PackageIndex::export(row));
            let default = edit.append_export(PackageIndex::NULL, &name, class, Vec::new())?;
            // The form of its body depends on what it is. Both flags beside the first stand there from 4.11 on, in all 300
            // of the corpora.
            edit.change_export(default, |export| {
                export.object_flags = ObjectFlags::UE4_PUBLIC
                    .with(ObjectFlags::UE4_CLASS_DEFAULT_OBJECT)
                    .with(ObjectFlags::UE4_ARCHETYPE_OBJECT);
                export.not_always_loaded_for_editor_game = false.into();
                export.is_asset = false.into();
            });
            edit.give_body(default, None, blank, Native::None)?;
            edit.add_blank_native(default);
            let template = edit.template_of(parent)?;
            edit.change_export(default, |export| export.template_index = template);
            Ok([row, default])
        })
    }

    /// Says what must be there before a class is: its parent with the defaults of that, read before the class is read.
    ///
    /// # Errors
    /// `OutOfRange` for a table beyond what the header can count.
    ///
    /// Spec: ue4-5/03 §14.
    pub(crate) fn begin_preload_of_class(&mut self, row: usize) -> Result<()> {
        let Some(export) = self.tables().exports.get(row) else { return Ok(()) };
        let [class, template, parent] =
            [export.class_index, export.template_index, export.super_index];
        let default = self.template_of(parent)?;
        let loaded = |list: &[PackageIndex]| {
            list.iter().copied().filter(|index| self.is_preloaded(row, *index)).collect()
        };
        let lists = PreloadDependencies {
            serialized_before_serialization: loaded(&[parent, default]),
            serialized_before_creation: loaded(&[class, template]),
            created_before_creation: loaded(&[parent]),
            ..PreloadDependencies::default()
        };
        self.set_preload(row, &lists)?;
        self.settle_preload(row)
    }
}
