//! Declarations of a property of an object, or of a field of a struct.
//!
//! The first that knows it says it: what the package and those around it declare or the mappings say, what the
//! object itself shows, the engine's own classes, what other objects of the class and other structs show, and
//! at last the type that the caller gives.

use super::meaning::ObjectLookup;
use super::siblings::Search;
use crate::error::{Error, ErrorKind, Result, noun};
use crate::inspect::meaning::ReferenceTexts;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::{
    Declared, EngineClasses, KnownProperty, Naming, Property, PropertyKind, Surroundings, Type,
};
use crate::version::UnrealVersions;

impl ObjectLookup<'_> {
    /// The declaration of a property that is there, for what its tag leaves out.
    pub(super) fn declared_of(&self, structure: Option<&str>, name: &str) -> Result<Declared> {
        if let Some(declared) = self.stored_declaration(structure, name)? {
            return Ok(declared);
        }
        self.of_engine(structure, name).ok_or_else(|| self.unknown(structure, name))
    }

    /// The declaration of a property that is added.
    pub(super) fn declaration_of(
        &self,
        structure: Option<&str>,
        name: &str,
        given: Option<&Type>,
    ) -> Result<KnownProperty> {
        if let Some(declared) = self.stored_declaration(structure, name)? {
            let sample = match self.says_all(&declared.property) {
                true => None,
                false => self.shown(structure, name),
            };
            let declared = reconcile(declared, given)?;
            return Ok(KnownProperty { declared, sample });
        }
        let mut search = Search::new(self.package(), name);
        if let Ok(decoded) = self.package().decode(self.row) {
            search.in_body(&decoded.body, &self.within);
        }
        let sample = match search.found {
            Some(found) => Some(found),
            None => match self.of_engine(structure, name) {
                Some(declared) => {
                    let declared = reconcile(declared, given)?;
                    return Ok(KnownProperty { declared, sample: None });
                }
                None => self.shown(structure, name),
            },
        };
        if let Some(sample) = sample {
            let declared = self.of_sample(&sample, name);
            let place = structure.map_or("in other objects of its class", |_| "beside it");
            if let Some(given) = given.filter(|given| !declared.property.agrees_with(given)) {
                let known = &declared.property;
                let reason = format!("'{name}' is stored as {known} {place}, not as {given}");
                return Err(Error::invalid(reason));
            }
            return Ok(KnownProperty { declared, sample: Some(sample) });
        }
        let Some(mut given) = given else { return Err(self.unknown(structure, name)) };
        // The engine's tables know the elements of many arrays.
        if is_open(given)
            && let Some(known) = self.layouts().property(name, given.kind())
        {
            given = known;
        }
        let declared = Declared { dimension: u32::MAX, ..Declared::of_type(name, given.clone()) };
        Ok(KnownProperty { declared, sample: None })
    }

    /// Whether schemas declare what classes and structs hold, and not layouts of their own.
    pub(super) fn has_schemas(&self) -> bool {
        self.package().versions().has_object_versions()
    }

    /// The declaration in the package itself, those around it, and mappings. `None` where none of them has it.
    fn stored_declaration(&self, structure: Option<&str>, name: &str) -> Result<Option<Declared>> {
        match (self.has_schemas(), structure) {
            (true, structure) => self.of_schema(structure, name),
            (false, Some(structure)) => self.of_struct(structure, name),
            (false, None) => self.package().declared_property(self.row, name, &self.context),
        }
    }

    /// The declaration of a field of a struct of UE1 to UE3.
    fn of_struct(&self, structure: &str, name: &str) -> Result<Option<Declared>> {
        let Some(layout) = self.layouts().structure(structure) else { return Ok(None) };
        match layout.fields.iter().find(|field| field.name.eq_ignore_ascii_case(name)) {
            Some(field) => Ok(Some(field.clone())),
            None => {
                let names: Vec<_> = layout.fields.iter().map(|field| &*field.name).collect();
                let hint = format!("; struct {structure} has {}", names.join(", "));
                Err(ErrorKind::NotFound { what: noun::FIELD, name: name.to_owned(), hint }.into())
            }
        }
    }

    /// The declaration of a property of UE4 or UE5: of the object, or of the struct of this name.
    fn of_schema(&self, structure: Option<&str>, name: &str) -> Result<Option<Declared>> {
        let classes = self.classes(structure);
        let known = [self.own(), self.mappings()].into_iter().flatten();
        let found = known
            .flat_map(|known| classes.iter().map(move |class| known.property_type(class, name)))
            .flatten()
            .next();
        if let Some((property, dimension)) = found {
            return Ok(Some(Declared { dimension, ..Declared::of_type(name, property) }));
        }
        let class = classes.first().cloned().unwrap_or_default();
        match self.mappings().is_some_and(|mappings| mappings.knows(&class)) {
            false => Ok(None),
            true => {
                let hint = format!("; {class} declares no such property");
                let (what, name) = (noun::DECLARATION, name.to_owned());
                Err(ErrorKind::NotFound { what, name, hint }.into())
            }
        }
    }

    /// The struct, or the classes of the object.
    pub(super) fn classes(&self, structure: Option<&str>) -> Vec<String> {
        match structure {
            Some(structure) => vec![structure.to_owned()],
            None => self.scope_chain(),
        }
    }

    /// The classes that say what the object holds: its class and those that it derives from; of a class, which
    /// holds its own defaults before UE3, itself first.
    pub(super) fn scope_chain(&self) -> Vec<String> {
        let package = self.package();
        let exports = &package.tables().exports;
        if exports.get(self.row).is_none_or(|export| !export.class_index.is_null()) {
            return package.class_chain(self.row);
        }
        let own = PackageIndex::export(self.row);
        package.ancestors(own).map(|class| package.object_name(class)).collect()
    }

    /// The declaration in the engine's own classes and structs.
    fn of_engine(&self, structure: Option<&str>, name: &str) -> Option<Declared> {
        let engine = EngineClasses::of(self.package().versions())?;
        let classes = self.classes(structure);
        engine.property(classes.iter().map(String::as_str), structure.is_some(), name)
    }

    /// The enum of a byte of UE1 to UE3, whose tag leaves it out.
    pub(super) fn enum_of_byte(&self, structure: Option<&str>, name: &str) -> Option<String> {
        let of_type =
            |known: &Type| Some(known.type_name().to_owned()).filter(|name| !name.is_empty());
        let package = self.package();
        if structure.is_none() {
            let exports = &package.tables().exports;
            let class = exports.get(self.row)?.class_index;
            let own = PackageIndex::export(self.row);
            for class in package.ancestors(if class.is_null() { own } else { class }) {
                let ObjectRef::Export(row) = class.target() else { break };
                if let Some(found) = package.declared_enum(row, name, &self.context) {
                    return Some(found);
                }
            }
            for class in self.scope_chain() {
                let known = package.class_layouts().class(&class);
                if let Some(declared) = known.and_then(|known| known.property(name)) {
                    return of_type(&declared.property);
                }
            }
        }
        let layout = structure.and_then(|structure| self.layouts().structure(structure));
        let mut fields = layout.iter().flat_map(|layout| &layout.fields);
        if let Some(field) = fields.find(|field| field.name.eq_ignore_ascii_case(name)) {
            let known = field.enumeration.as_ref().map(|known| known.name.to_string());
            return known.or_else(|| of_type(&field.property));
        }
        let declared = self.of_engine(structure, name)?;
        of_type(&declared.property)
    }

    /// The property of this name in other objects of the class, or in other structs of the name.
    fn shown(&self, structure: Option<&str>, name: &str) -> Option<Property> {
        let mut search = Search::new(self.package(), name);
        search.in_class(self.row, &self.within);
        if let (None, Some(structure)) = (&search.found, structure.filter(|name| !name.is_empty()))
        {
            search.in_structs(structure);
        }
        search.found
    }

    fn of_sample(&self, sample: &Property, name: &str) -> Declared {
        let known = self.type_of(sample).unwrap_or_else(|| Type::unknown("unknown"));
        // Before UE4 nothing tells a static array from a single value.
        let is_static = !self.has_schemas() || sample.array_index() > 0;
        let dimension = if is_static { u32::MAX } else { 1 };
        Declared { dimension, ..Declared::of_type(name, known) }
    }

    /// Whether a type says what a tag and the elements of a new value need.
    fn says_all(&self, known: &Type) -> bool {
        let vague = |known: &Type| {
            matches!(known.kind(), PropertyKind::Struct | PropertyKind::Enum)
                && known.type_name().is_empty()
        };
        !(is_open(known) || vague(known) || known.inner().iter().any(vague))
    }

    fn unknown(&self, structure: Option<&str>, name: &str) -> Error {
        let (what, name) = (noun::DECLARATION, name.to_owned());
        let hint = match structure {
            Some(structure) => {
                return Error::invalid(format!(
                    "field '{name}' is not stored, and struct '{structure}' is not known, so nothing \
                     says its type: state it, as in {name}:int"
                ));
            }
            None if self.has_schemas() => {
                let class = self.classes(None).first().cloned().unwrap_or_default();
                format!(
                    ": it is not stored, and nothing declares what {class} has; state its type, or \
                     open the package with mappings"
                )
            }
            None => {
                let mut class = self.package().class_path(self.row);
                if class.is_empty() || class.eq_ignore_ascii_case("Core.Class") {
                    // The defaults of a class lack what one that it derives from declares.
                    class = self.scope_chain().last().cloned().unwrap_or_default();
                }
                format!(
                    ": it is not stored, and its class {class} lies in a package that is not known; \
                     state the type"
                )
            }
        };
        ErrorKind::NotFound { what, name, hint }.into()
    }
}

/// Whether the type leaves out what the container holds.
fn is_open(known: &Type) -> bool {
    matches!(known.kind(), PropertyKind::Array | PropertyKind::Map) && known.inner().is_empty()
}

/// A declared type and a given one, if they agree: the one that says more, with what only the other one says. Mappings, say,
/// do not know the packages of structs and enums, which tags from UE5 1012 on name.
fn reconcile(mut declared: Declared, given: Option<&Type>) -> Result<Declared> {
    let Some(given) = given else { return Ok(declared) };
    if !declared.property.agrees_with(given) {
        let (name, known) = (&declared.name, &declared.property);
        return Err(Error::invalid(format!("'{name}' is declared as {known}, not as {given}")));
    }
    declared.property = match is_open(&declared.property) {
        true => given.clone(),
        false => declared.property.completed_by(given),
    };
    Ok(declared)
}
