//! Objects within the defaults of classes of UE3: new ones, and those that classes above have.
//!
//! Spec: ue1-3/16 §16.8.

use crate::compile::ClassId;
use crate::object::script_object::ScriptObject;
use crate::primitive::{Map, ObjectFlags, ObjectRef, PackageIndex};

use super::super::declare::ClassMaker;
use super::super::named::import_named;
use super::block::ValueBlock;
use super::given::Given;

const OBJECT: u64 = 0x0007_0004;
/// Those that only the editor shows.
const EDITOR_ONLY: u64 = 0x0004_0004;
const EDITOR_ONLY_CLASSES: &[&str] =
    &["ArrowComponent", "SpriteComponent", "PathRenderingComponent"];

/// An object that the defaults of the class above have.
#[derive(Debug, Clone)]
pub(super) struct InheritedObject {
    pub name: String,
    pub class: String,
    pub archetype: PackageIndex,
}

impl ClassMaker<'_> {
    /// The objects within the defaults of the class above.
    pub(super) fn inherited_objects(&mut self, class: ClassId) -> Vec<InheritedObject> {
        let Some(above) = self.symbols.base(class) else { return Vec::new() };
        let name = self.symbols.class(above).name.clone();
        if self.symbols.is_own(above) {
            let Some(outer) = self.draft.find(&name, &format!("Default__{name}")) else {
                return Vec::new();
            };
            let outer = PackageIndex::export(outer);
            let rows = 0..self.draft.objects.len();
            let inner = rows.filter(|row| self.draft.objects[*row].outer == outer);
            return inner
                .map(|row| InheritedObject {
                    name: self.draft.text(self.draft.objects[row].name),
                    class: self.draft.object_class(row),
                    archetype: PackageIndex::export(row),
                })
                .collect();
        }
        let around = format!("{}.Default__{name}", self.symbols.package(above));
        let found: Vec<_> = self.objects.within(&around).cloned().collect();
        let draft = &mut self.draft;
        found
            .iter()
            .map(|object| {
                let last = |text: &String| text.rsplit('.').next().unwrap_or_default().to_owned();
                InheritedObject {
                    name: last(&object.path),
                    class: object.classes.last().map(last).unwrap_or_default(),
                    archetype: import_named(draft, object),
                }
            })
            .collect()
    }

    /// Objects of the class above that the block does not name are there again.
    pub(super) fn repeat_objects(
        &mut self,
        holder: usize,
        block: &ValueBlock,
        inherited: &[InheritedObject],
    ) {
        let outer_path = self.draft.path_of(PackageIndex::export(holder)).unwrap_or_default();
        for object in inherited {
            if block.objects.iter().any(|it| it.name.eq_ignore_ascii_case(&object.name)) {
                continue;
            }
            let Some(class) = self.symbols.find_class(&object.class) else { continue };
            let path = format!("{outer_path}.{}", object.name);
            // One that nothing refers to any more is not stored.
            if self.former.is_some_and(|former| !former.has_object(&path)) {
                continue;
            }
            let of = self.class_reference(class);
            let flags = self.inner_flags(&path, &object.class, object.archetype);
            let holder = PackageIndex::export(holder);
            let row = self.draft.create_object(of, &object.class, &path, holder);
            self.draft.objects[row].flags = flags;
            self.draft.objects[row].archetype = object.archetype;
            let mut given = Given::new();
            self.add_replacement(class, &mut given);
            self.draft.objects[row].properties = self.list(class, &given);
        }
    }

    /// The flags of an object: those of an older package, of what it comes from, or of its class.
    pub(super) fn inner_flags(
        &self,
        path: &str,
        class: &str,
        archetype: PackageIndex,
    ) -> ObjectFlags {
        if let Some(flags) = self.former.and_then(|former| former.inner_flags(path)) {
            return flags;
        }
        if let ObjectRef::Export(row) = archetype.target() {
            return self.draft.objects[row].flags;
        }
        match EDITOR_ONLY_CLASSES.iter().any(|it| it.eq_ignore_ascii_case(class)) {
            true => self.flags(EDITOR_ONLY),
            false => self.flags(OBJECT),
        }
    }

    /// Lists the components of a class by name: those of the class above first.
    pub(super) fn map_components(&mut self, class: ClassId, of: usize, holder: usize) {
        let outer = PackageIndex::export(holder);
        let rows: Vec<usize> = (0..self.draft.objects.len())
            .filter(|row| self.draft.objects[*row].outer == outer)
            .collect();
        let mut components: Vec<(String, usize)> = Vec::new();
        for row in rows {
            let class = self.draft.object_class(row);
            if self.symbols.find_class(&class).is_some_and(|id| self.is_component(id)) {
                components.push((self.draft.text(self.draft.objects[row].name), row));
            }
        }
        let order = self.component_order(class);
        components.sort_by_key(|(name, _)| {
            let is = |it: &String| it.eq_ignore_ascii_case(name);
            order.iter().position(is).unwrap_or(usize::MAX)
        });
        let map = components
            .into_iter()
            .map(|(_, row)| (self.draft.objects[row].name, PackageIndex::export(row)))
            .collect();
        if let Some(ScriptObject::Class(found)) = self.draft.script_mut(of) {
            found.component_default_objects = Map(map);
        }
    }

    /// The names of components in the order of the class above.
    fn component_order(&self, class: ClassId) -> Vec<String> {
        let name = &self.symbols.class(class).name;
        let former = self.former.map(|former| former.components(name)).unwrap_or_default();
        if !former.is_empty() {
            return former.to_vec();
        }
        let Some(above) = self.symbols.base(class) else { return Vec::new() };
        let name = &self.symbols.class(above).name;
        let Some(row) = self.draft.find("Class", name).filter(|_| self.symbols.is_own(above))
        else {
            return self.facts.class(name).map(|it| it.components.clone()).unwrap_or_default();
        };
        match self.draft.script(row) {
            Some(ScriptObject::Class(found)) => {
                let names = found.component_default_objects.0.iter();
                names.map(|(name, _)| self.draft.text(*name)).collect()
            }
            _ => Vec::new(),
        }
    }
}
