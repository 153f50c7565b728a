//! Decoding bodies of UE4 and UE5: what is known about an object before its body is read.

use std::sync::Arc;

use bytes::Bytes;

use crate::archive::Context;
use crate::object::modern::{class_defaults, class_defaults::ClassDefaults};
use crate::object::{Maker, PrologueShape, Shape, maker_for, modern};
use crate::package::Package;
use crate::primitive::{ObjectFlags, PackageIndex};
use crate::property::Layouts;
use crate::property::mappings::Mappings;
use crate::version::threshold::ue4;

impl Package {
    /// Uses these mappings when bodies are decoded from now on: unversioned packages leave names and types
    /// of properties out.
    pub fn use_mappings(&mut self, mappings: Arc<Mappings>) {
        if let Some(modern) = &mut self.modern {
            modern.mappings = Some(mappings);
        }
    }

    /// The mappings in use.
    pub fn mappings(&self) -> Option<&Arc<Mappings>> {
        self.modern.as_ref()?.mappings.as_ref()
    }

    /// Names and what they mean to properties, soft paths, names of objects, mappings.
    pub(in crate::package) fn modern_decoding_context(&self) -> Arc<Context> {
        let mut context = Context::new(self.source.clone(), self.names.clone())
            .with_roles()
            .with_soft_object_paths(self.soft_object_paths())
            .with_objects(
                self.imports.iter().map(|import| import.object_name),
                self.modern_exports().iter().map(|export| export.object_name),
            )
            .with_data_resources(
                self.modern()
                    .and_then(|modern| modern.data_resources.as_ref())
                    .map_or_else(Vec::new, |resources| resources.rows.clone()),
            );
        if self.versions.ue4 < ue4::ARRAY_PROPERTY_INNER_TAGS {
            context = context.with_layouts(Arc::new(Layouts::of_engine(&self.versions)));
        }
        let context = Arc::new(context.with_mappings(self.mappings().cloned()));
        match self.mappings() {
            Some(mappings) if self.versions.unversioned_properties => {
                match self.own_mappings(mappings, &context) {
                    Some(own) => Arc::new((*context).clone().with_mappings(Some(Arc::new(own)))),
                    None => context,
                }
            }
            _ => context,
        }
    }

    /// What is known now, after names, objects and paths were added at the ends of their tables; `source`
    /// starts with the package's own bytes.
    pub(in crate::package) fn modern_context_now(
        &self,
        before: &Context,
        source: Bytes,
    ) -> Context {
        let context = match before.name_count() == self.names.len() {
            true => before.clone().with_longer_source(source),
            false => Context::new(source, self.names.clone())
                .with_roles()
                .with_layouts(before.shared_layouts())
                .with_data_resources(before.data_resources())
                .with_mappings(before.mappings().cloned()),
        };
        context.with_soft_object_paths(self.soft_object_paths()).with_objects(
            self.imports.iter().map(|import| import.object_name),
            self.modern_exports().iter().map(|export| export.object_name),
        )
    }

    /// What decides the parts of a body.
    pub(in crate::package) fn modern_shape(&self, row: usize, chain: &[String]) -> Shape {
        let (start, size) = self.body_range(row);
        let Some(export) = self.modern_exports().get(row) else { return Shape::default() };
        let flag = ObjectFlags::MODERN_CLASS_DEFAULT_OBJECT.0;
        let default_object = export.object_flags.0 & flag != 0;
        let is_class = export.class_index.is_null();
        let made = chain
            .iter()
            .filter(|_| !default_object && !is_class)
            .find_map(|class| Some((class.clone(), maker_for(class, &self.versions)?)));
        let own: Maker = |_| crate::object::Native::Object(Box::new(ClassDefaults::default()));
        let (class, maker) = match made {
            Some((class, maker)) => (class, Some(maker)),
            None if !default_object => (String::new(), Some(modern::remainder as Maker)),
            None => (String::new(), class_defaults::are_present(&self.versions).then_some(own)),
        };
        // Text about the source file stands first (spec: ue4-5/05).
        let import_data =
            |class: &String| class.ends_with("ImportData") && !class.starts_with("Interchange");
        let prologue = PrologueShape {
            class: chain.first().cloned().unwrap_or_default(),
            default_object,
            import_data: chain.iter().any(import_data),
            start: u64::try_from(export.script_serialization_start_offset)
                .ok()
                .filter(|&start| start < size)
                .unwrap_or(0),
        };
        Shape {
            class,
            name: self.object_name(PackageIndex::export(row)),
            maker,
            prologue: (!is_class).then_some(prologue),
            end: start + size,
            ..Shape::default()
        }
    }
}
