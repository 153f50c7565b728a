//! Decoding bodies of UE4 and UE5: what is known about an object before its body is read.

use std::sync::Arc;

use bytes::Bytes;

use crate::archive::Context;
use crate::object::ue4::{class_defaults, class_defaults::ClassDefaults, remainder};
use crate::object::{Maker, PrologueShape, Shape};
use crate::package::Package;
use crate::package::decode::Family;
use crate::primitive::ObjectFlags;
use crate::property::Layouts;
use crate::property::mappings::Mappings;
use crate::version::threshold::{ue4, ue5};

impl Package {
    /// Uses these mappings when bodies are decoded from now on: unversioned packages leave names and types
    /// of properties out.
    pub fn use_mappings(&mut self, mappings: Arc<Mappings>) {
        if self.versions.has_object_versions() {
            self.mappings = Some(mappings);
        }
    }

    /// The mappings in use.
    pub fn mappings(&self) -> Option<&Arc<Mappings>> {
        self.mappings.as_ref()
    }

    /// The context that bodies are decoded in.
    pub(in crate::package) fn body_context(&self) -> Arc<Context> {
        let context = self.value_context();
        match self.versions.unversioned_properties {
            true => {
                let mappings = self.all_mappings(Some(&context));
                Arc::new((*context).clone().with_mappings(mappings))
            }
            false => context,
        }
    }

    /// Names and what they mean to properties, soft paths, names of objects, the mappings that were given.
    pub(in crate::package) fn value_context(&self) -> Arc<Context> {
        let mut context = self
            .named_context()
            .with_soft_object_paths(self.soft_object_paths())
            .with_objects(
                self.tables.imports.iter().map(|import| import.object_name),
                self.tables.exports.iter().map(|export| export.object_name),
            )
            .with_data_resources(
                self.tables
                    .further
                    .data_resources
                    .as_ref()
                    .map_or_else(Vec::new, |resources| resources.rows.clone()),
            );
        if self.versions.ue4 < ue4::ARRAY_PROPERTY_INNER_TAGS {
            let mut layouts = Layouts::clone(&self.known);
            layouts.fill_from(&Layouts::of_engine(&self.versions));
            context = context.with_layouts(Arc::new(layouts));
        } else if self.versions.ue5 < ue5::PROPERTY_TAG_COMPLETE_TYPE_NAME {
            context = context.with_layouts(self.known.clone());
        }
        Arc::new(context.with_mappings(self.mappings().cloned()))
    }

    /// What is known now, after names, objects and paths were added at the ends of their tables; `source`
    /// starts with the package's own bytes.
    pub(crate) fn value_context_now(&self, before: &Context, source: Bytes) -> Context {
        let context = match before.name_count() == self.tables.names.len() {
            true => before.clone().with_longer_source(source),
            false => Context::new(source, self.tables.names.clone())
                .with_paths_as_strings(before.paths_are_strings())
                .with_layouts(before.shared_layouts())
                .with_data_resources(before.data_resources())
                .with_mappings(before.mappings().cloned()),
        };
        context.with_soft_object_paths(self.soft_object_paths()).with_objects(
            self.tables.imports.iter().map(|import| import.object_name),
            self.tables.exports.iter().map(|export| export.object_name),
        )
    }

    /// What decides the parts of a body.
    pub(super) fn shape_with_prologue(&self, row: usize, family: &Family) -> Shape {
        let (start, size) = self.body_range(row);
        let Some(export) = self.tables.exports.get(row) else { return Shape::default() };
        let flag = ObjectFlags::UE4_CLASS_DEFAULT_OBJECT.0;
        let default_object = export.object_flags.0 & flag != 0;
        let is_class = export.class_index.is_null();
        let made = family.made.clone().filter(|_| !default_object && !is_class);
        let own: Maker = |_| crate::object::Native::Object(Box::new(ClassDefaults::default()));
        let (class, maker) = match made {
            Some((class, maker)) => (class, Some(maker)),
            None if !default_object => (Arc::default(), Some(remainder as Maker)),
            None => (Arc::default(), class_defaults::are_present(&self.versions).then_some(own)),
        };
        let prologue = PrologueShape {
            class: family.class.clone(),
            default_object,
            import_data: family.import_data,
            start: u64::try_from(export.script_serialization_start_offset)
                .ok()
                .filter(|&start| start < size)
                .unwrap_or(0),
        };
        Shape {
            class,
            name: export.object_name,
            maker,
            prologue: (!is_class).then_some(prologue),
            end: start + size,
            ..Shape::default()
        }
    }
}
