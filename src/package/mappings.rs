//! The mappings that bodies of UE4 and UE5 are decoded with, kept until something changes that they are
//! made from.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use bytes::Bytes;

use crate::archive::Context;
use crate::package::Package;
use crate::package::claim::Claims;
use crate::primitive::SoftObjectPath;
use crate::property::mappings::Mappings;
use crate::property::{ClassLayout, Layouts};
use crate::table::{DataResources, Export, Import, NameEntry};
use crate::version::Versions;

/// The mappings of a package as they were made last: declarations are decoded for them, and what was
/// given may be large.
#[derive(Default)]
pub(in crate::package) struct KeptMappings(Mutex<Option<Arc<Kept>>>);

/// Mappings and what they were made from.
struct Kept {
    origin: Origin,
    mappings: Arc<Mappings>,
}

/// All that decides what mappings of a package hold, but the bodies that were changed.
struct Origin {
    source: Bytes,
    versions: Versions,
    names: Vec<NameEntry>,
    imports: Vec<Import>,
    exports: Vec<Export>,
    soft_object_paths: Vec<SoftObjectPath>,
    data_resources: Option<DataResources>,
    claims: Arc<Claims>,
    given: Option<Arc<Mappings>>,
    /// Weak, so that the package may go on changing its own; its address stays taken.
    known: Weak<Layouts>,
    /// Rows of the exports that declare something.
    declaring: Vec<usize>,
}

impl Origin {
    /// What the package's mappings are made from now. `None` while the typed form of a declaring export
    /// takes the place of its bytes: that can't be compared.
    fn of(package: &Package, declaring: Vec<usize>) -> Option<Self> {
        if !bytes_count(&declaring, package) {
            return None;
        }
        Some(Self {
            source: package.source.clone(),
            versions: package.versions.clone(),
            names: package.tables.names.clone(),
            imports: package.tables.imports.clone(),
            exports: package.tables.exports.clone(),
            soft_object_paths: package.soft_object_paths().to_vec(),
            data_resources: package.tables.further.data_resources.clone(),
            claims: package.claims(),
            given: package.mappings().cloned(),
            known: Arc::downgrade(&package.known),
            declaring,
        })
    }

    /// Whether the package's mappings would be made from the same now.
    fn is_of(&self, package: &Package) -> bool {
        let given = match (&self.given, package.mappings()) {
            (Some(given), Some(now)) => Arc::ptr_eq(given, now),
            (given, now) => given.is_none() && now.is_none(),
        };
        given
            && self.known.as_ptr() == Arc::as_ptr(&package.known)
            && Arc::ptr_eq(&self.claims, &package.claims())
            && self.source.as_ptr_range() == package.source.as_ptr_range()
            && self.versions == package.versions
            && self.data_resources == package.tables.further.data_resources
            && self.soft_object_paths == package.soft_object_paths()
            && self.names == package.tables.names
            && self.imports == package.tables.imports
            && self.exports == package.tables.exports
            && bytes_count(&self.declaring, package)
    }
}

/// Whether every declaring export is what its bytes say.
fn bytes_count(declaring: &[usize], package: &Package) -> bool {
    !declaring.iter().any(|row| package.bodies.decoded.contains_key(row))
}

impl KeptMappings {
    fn get(&self) -> Option<Arc<Kept>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn keep(&self, kept: Option<Kept>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = kept.map(Arc::new);
    }
}

impl Clone for KeptMappings {
    fn clone(&self) -> Self {
        Self(Mutex::new(self.get()))
    }
}

impl fmt::Debug for KeptMappings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeptMappings")
    }
}

impl Package {
    /// The mappings that bodies are decoded with: what this package declares, what others do that it knows
    /// of, and those that were given to it. `context` is [`Package::value_context`] where it is there
    /// already.
    pub(crate) fn all_mappings(&self, context: Option<&Arc<Context>>) -> Option<Arc<Mappings>> {
        let kept = &self.kept_mappings;
        if let Some(kept) = kept.get()
            && kept.origin.is_of(self)
        {
            return Some(kept.mappings.clone());
        }
        let declaring = self.declaring();
        if declaring.is_empty() && self.known.classes().next().is_none() {
            return self.mappings().cloned();
        }
        let own = match context {
            Some(context) => self.schemas_of(&declaring, context),
            None => self.schemas_of(&declaring, &self.value_context()),
        };
        let mappings = self.mappings_with(&own)?;
        let origin = Origin::of(self, declaring);
        kept.keep(origin.map(|origin| Kept { origin, mappings: mappings.clone() }));
        Some(mappings)
    }

    /// What was given, behind what this package and others declare.
    fn mappings_with(&self, own: &[ClassLayout]) -> Option<Arc<Mappings>> {
        #[cfg(test)]
        tests::MADE.set(tests::MADE.get() + 1);
        let mut declared = own.iter().chain(self.known.classes()).peekable();
        if declared.peek().is_none() {
            return self.mappings().cloned();
        }
        let given = self.mappings().map(|mappings| mappings.data().clone());
        let mut data = given.unwrap_or_default();
        data.declare(declared);
        Some(Arc::new(Mappings::new(data)))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::edit::Edit;
    use crate::generate::Builder;
    use crate::object::ue4::field::{Declaration, Field, FieldData};
    use crate::object::ue4::structure::Struct;
    use crate::object::ue4::structure::class::Class;
    use crate::package::OpenOptions;
    use crate::package::decode::native_as_mut;
    use crate::primitive::{Name, PackageFlags};
    use crate::property::mappings::{MappingData, MappingName, MappingStruct};
    use crate::{Archived, EngineRelease, Saver};

    thread_local! {
        /// How often mappings were made on this thread.
        pub(super) static MADE: Cell<usize> = const { Cell::new(0) };
    }

    /// What the engine declares: the class of classes, which has no properties.
    fn engine() -> Arc<Mappings> {
        let class = MappingStruct { super_struct: u32::MAX, ..MappingStruct::default() };
        let names = vec![MappingName("BlueprintGeneratedClass".into())];
        Arc::new(Mappings::new(MappingData { names, structs: vec![class], ..Default::default() }))
    }

    /// A cooked package with a class that declares `Health`, and an object of the class whose health is 5.
    fn hero() -> Package {
        let release = EngineRelease::new(5, 4);
        let declaration = Declaration { name: Name::new(1), array_dim: 1, ..Default::default() };
        let declaration = Declaration { data: FieldData::None, ..declaration };
        let health = Field { type_name: Name::new(2), declaration: Some(Box::new(declaration)) };
        let base = Struct { properties: vec![health], ..Struct::default() };
        let flags = PackageFlags::FILTER_EDITOR_ONLY
            .with(PackageFlags::UE4_COOKED)
            .with(PackageFlags::UNVERSIONED_PROPERTIES);
        let build = |class: Vec<u8>| {
            let held = [&[0, 3], &5_i32.to_le_bytes()[..], &[0; 4]].concat();
            let names = ["None", "Health", "IntProperty", "Mana"].into_iter();
            let bytes = names
                .fold(Builder::for_versions(release.versions()).flags(flags), Builder::name)
                .export("BP_Hero_C", "/Script/Engine.BlueprintGeneratedClass", class)
                .export("Ann", "BP_Hero_C", held)
                .build();
            OpenOptions::new().mappings(engine()).open_bytes(bytes.unwrap()).unwrap()
        };
        let mut saver = Saver::new(build(Vec::new()).versions().of_bodies());
        Class { base, ..Class::default() }.serialize(&mut saver).unwrap();
        // No properties of its own, no GUID.
        build([&[0, 1, 0, 0, 0, 0], &saver.into_bytes()[..]].concat())
    }

    fn made<T>(change: impl FnOnce() -> T) -> (usize, T) {
        let before = MADE.get();
        let done = change();
        (MADE.get() - before, done)
    }

    fn text(package: &Package, property: &str) -> Option<String> {
        package.values().property("Ann", property).ok().map(|value| value.text)
    }

    #[test]
    fn a_hundred_changes_make_mappings_once() {
        let mut package = hero();
        assert_eq!(made(|| text(&package, "Health")).0, 1);
        for value in 0..100 {
            let text_of = |edit: &mut Edit| {
                let (count, done) = made(|| edit.set_property("Ann", "Health", &value.to_string()));
                assert_eq!(count, 0);
                done
            };
            package.edit(text_of).unwrap();
            assert_eq!(made(|| text(&package, "Health")), (0, Some(value.to_string())));
        }
        assert_eq!(made(|| text(&package.clone(), "Health")), (0, Some("99".to_owned())));
    }

    #[test]
    fn mappings_follow_what_they_are_made_from() {
        let mut package = hero();
        assert_eq!(text(&package, "Health").as_deref(), Some("5"));
        // Names.
        package.edit(|edit| edit.rename_name("Health", "Strength")).unwrap();
        let found = (text(&package, "Health"), text(&package, "Strength"));
        assert_eq!(found, (None, Some("5".to_owned())));
        // What was given, and what others declare.
        package.use_mappings(engine());
        assert_eq!(made(|| text(&package, "Strength")).0, 1);
        package.add_class_layouts(&hero().layouts());
        assert_eq!(made(|| text(&package, "Strength")).0, 1);
        assert_eq!(made(|| text(&package, "Strength")).0, 0);
        // The class itself, and back to what it was.
        let before = package.clone();
        let row = package.find_export("BP_Hero_C").unwrap();
        package.add_class_layouts(&Layouts::default());
        let changed = package.edit(|edit| {
            edit.change_body(row, |body| {
                let class = native_as_mut::<Class>(body).unwrap();
                class.base.properties[0].declaration.as_mut().unwrap().name = Name::new(3);
                Ok(())
            })
        });
        changed.unwrap();
        // Bodies that are decoded already are what they were; opened again they go by what is declared now.
        let again = package.reopened(package.to_bytes().unwrap().into()).unwrap();
        assert_eq!(text(&again, "Mana").as_deref(), Some("5"));
        assert_eq!(text(&before, "Mana"), None);
        assert_eq!(made(|| text(&before, "Strength")), (0, Some("5".to_owned())));
    }
}
