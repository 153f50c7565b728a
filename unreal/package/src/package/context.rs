//! The context in which a package's bodies are decoded.

use std::sync::Arc;

use crate::archive::Context;
use crate::object::Prologue;
use crate::object::ue4::bulk::BulkDataStart;
use crate::package::Package;
use crate::primitive::{NameContext, PackageFlags};
use crate::property::mappings::Mappings;
use crate::property::{Layouts, PackageContext};
use crate::script::KeptGrammar;
use crate::table::Summary;
use crate::version::UnrealVersions;
use crate::version::threshold::{ue4, ue5};

impl Package {
    /// Uses these mappings when bodies are decoded from now on: unversioned packages leave names and types
    /// of properties out.
    pub fn use_mappings(&mut self, mappings: Arc<Mappings>) {
        if Prologue::is_in(&self.versions) {
            self.mappings = Some(mappings);
            self.caches.forget();
        }
    }

    /// The mappings in use.
    pub fn mappings(&self) -> Option<&Arc<Mappings>> {
        self.mappings.as_ref()
    }

    /// The knowledge for decoding bodies: names, declarations of the package and of others, mappings.
    #[doc(hidden)]
    pub fn decoding_context(&self) -> Arc<Context> {
        if let Some(former) = &self.former {
            return former.context();
        }
        let tables = &self.tables;
        let counts = (tables.names.len(), tables.imports.len(), tables.exports.len());
        let fits = |known: &Arc<Context>| {
            known.row_counts() == counts
                && known.soft_object_paths().len() == self.soft_object_paths().len()
        };
        self.caches.context.get_or(fits, || self.make_decoding_context())
    }

    /// The same knowledge, made anew.
    pub(in crate::package) fn make_decoding_context(&self) -> Arc<Context> {
        let context = self.value_context();
        match self.versions.unversioned_properties() {
            true => {
                let mappings = self.all_mappings(Some(&context));
                Arc::new((*context).clone().with_mappings(mappings))
            }
            false => context,
        }
    }

    /// The same for archives of the bytes of bodies: offsets of bulk data are counted from where it starts. Other
    /// archives (documents, comparisons) have them as the model does, independent of the header.
    pub(in crate::package) fn with_bulk_data_start(
        &self,
        summary: &Summary,
        context: &Arc<Context>,
    ) -> Arc<Context> {
        // From then on the table of data resources says where payloads stand, and stays as it is stored.
        let is_counted =
            self.versions.has_tiled_layout() && self.tables.further.data_resources.is_none();
        let start = BulkDataStart::new(summary.bulk_data_start_offset);
        match is_counted {
            true => Arc::new((**context).clone().with(start)),
            false => context.clone(),
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
        if self.versions.ue5() < ue5::PROPERTY_TAG_COMPLETE_TYPE_NAME {
            context = context.with_layouts(self.element_layouts());
        }
        Arc::new(context.with_mappings(self.mappings().cloned()).with(KeptGrammar::default()))
    }

    /// Types of containers' elements, which tags leave out: all of them before UE4 (spec: ue1-3/05 §5.3), sets and maps
    /// of structs below UE5 1012.
    fn element_layouts(&self) -> Arc<Layouts> {
        if self.versions.ue4() >= ue4::ARRAY_PROPERTY_INNER_TAGS {
            return self.known.clone();
        }
        let names = Arc::new(self.named_context());
        let mut layouts = self.own_layouts(&names);
        layouts.merge(&self.known);
        layouts.complete();
        // Some structs are stored without tags in cooked packages only.
        let cooked = self.tables.summary.package_flags.contains(PackageFlags::COOKED);
        let versions = self.versions.clone().with_cooked(self.versions.cooked() || cooked);
        // Games change what the engine declares.
        layouts.fill_from(&Layouts::of_engine(&versions));
        Arc::new(layouts)
    }
}
