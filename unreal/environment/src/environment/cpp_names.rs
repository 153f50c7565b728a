//! C++ names of classes, structs and enums: no two things of one name, also across headers.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::classes::DEEPEST;
use super::cpp_name::{first_part, free_identifier, identifier, identifier_part, last_part};
use super::{ClassInfo, Classes, EnumInfo, FieldType};

/// The C++ names of everything that a package and those before it declare, by path in lower case.
///
/// Script has names of structs, enums and their values per class, C++ for all: where one is taken, the
/// name of the class or the enum comes before it. Packages are named in the order of their dependencies,
/// so that a header gives the same names as the headers of the packages that it builds on.
#[derive(Debug, Default)]
pub(super) struct CppNames {
    types: HashMap<String, String>,
    values: HashMap<String, Vec<String>>,
    constants: HashMap<String, Vec<String>>,
}

/// Where a type stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CppPlace {
    /// In a class or struct, whose memory the engine clears itself.
    Member,
    /// Among the parameters of a function, or inside another type.
    Parameter,
}

impl CppNames {
    /// The names for a package and those that it builds on.
    pub fn of(classes: &Classes, package: &str) -> Self {
        let mut names = Self::default();
        let mut taken = HashSet::new();
        for package in packages_in_order(classes, package) {
            names.package(classes, &package, &mut taken);
        }
        names
    }

    fn package(&mut self, classes: &Classes, package: &str, taken: &mut HashSet<String>) {
        let is_own = |path: &str| first_part(path).eq_ignore_ascii_case(package);
        let mut own: Vec<&ClassInfo> = classes.iter().filter(|it| is_own(&it.package)).collect();
        // Those that the engine writes have the first choice.
        own.sort_by_key(|class| (!class.native, class.is_noexport()));
        for class in &own {
            let name = free_identifier(default_class_name(classes, &class.path()), taken);
            self.types.insert(class.path().to_ascii_lowercase(), name);
        }
        for class in &own {
            for path in &class.structs {
                self.named('F', path, &class.name, taken);
            }
            for path in class.enums.iter().filter(|_| class.native) {
                self.named('\0', path, &class.name, taken);
                if let Some(enumeration) = classes.enumeration(path) {
                    self.values(enumeration, taken);
                }
            }
            if class.native {
                let names = class.constants.iter().map(|(name, _)| {
                    let plain = format!("UCONST_{}", identifier_part(name));
                    let longer = || {
                        format!("UCONST_{}_{}", identifier_part(&class.name), identifier_part(name))
                    };
                    first_free(plain, longer, taken)
                });
                let names = names.collect();
                self.constants.insert(class.path().to_ascii_lowercase(), names);
            }
        }
        for structure in classes.structs().filter(|it| is_own(&it.package)) {
            self.named('F', &structure.full_path(), "", taken);
        }
    }

    fn named(&mut self, prefix: char, path: &str, class: &str, taken: &mut HashSet<String>) {
        let key = path.to_ascii_lowercase();
        if self.types.contains_key(&key) {
            return;
        }
        let (plain, longer) = match prefix {
            'F' => (
                struct_name(path),
                format!("F{}_{}", identifier_part(class), identifier_part(last_part(path))),
            ),
            _ => {
                let name = identifier(last_part(path));
                (name.clone(), format!("{}_{name}", identifier(class)))
            }
        };
        self.types.insert(key, first_free(plain, || longer, taken));
    }

    /// The values of an enum, with the one that counts them at the end where the package does not hold it.
    fn values(&mut self, enumeration: &EnumInfo, taken: &mut HashSet<String>) {
        let key = enumeration.path.to_ascii_lowercase();
        if self.values.contains_key(&key) {
            return;
        }
        let prefix = self.types.get(&key).cloned().unwrap_or_default();
        let counts = enumeration.values.last().is_some_and(|last| ends_with_max(last));
        let first = enumeration.values.first().and_then(|first| first.split_once('_'));
        let count = first.filter(|_| !counts).map(|(group, _)| format!("{group}_MAX"));
        let values = enumeration.values.iter().chain(&count);
        let values = values.map(|value| {
            first_free(identifier(value), || format!("{prefix}_{}", identifier_part(value)), taken)
        });
        let values = values.collect();
        self.values.insert(key, values);
    }

    /// The values of an enum; one more than it has where the last counts them.
    pub fn enum_values(&self, path: &str) -> &[String] {
        self.values.get(&path.to_ascii_lowercase()).map_or(&[], Vec::as_slice)
    }

    /// The macros for the constants of a class, in their order.
    pub fn constants(&self, class: &str) -> &[String] {
        self.constants.get(&class.to_ascii_lowercase()).map_or(&[], Vec::as_slice)
    }

    /// The name of an enum.
    pub fn enumeration(&self, path: &str) -> String {
        let known = self.types.get(&path.to_ascii_lowercase()).cloned();
        known.unwrap_or_else(|| identifier(last_part(path)))
    }

    /// The name of a struct: `FVector`.
    pub fn structure(&self, path: &str) -> String {
        let known = self.types.get(&path.to_ascii_lowercase()).cloned();
        known.unwrap_or_else(|| struct_name(path))
    }

    /// The name of a class: `AActor`, `UObject`.
    pub fn class(&self, classes: &Classes, path: &str) -> String {
        let known = self.types.get(&path.to_ascii_lowercase()).cloned();
        known.unwrap_or_else(|| default_class_name(classes, path))
    }

    /// A type as C++ writes it; of static arrays that of an element.
    pub fn type_text(
        &self,
        classes: &Classes,
        field_type: &FieldType,
        place: CppPlace,
        depth: usize,
    ) -> String {
        if depth > DEEPEST {
            return "void*".to_owned();
        }
        let inner = |field_type: &FieldType| match field_type {
            // A struct may hold an array of itself.
            FieldType::Struct(path) => format!("struct {}", self.structure(path)),
            other => self.type_text(classes, other, CppPlace::Parameter, depth + 1),
        };
        let is_member = place == CppPlace::Member;
        match field_type {
            FieldType::Byte(_) => "BYTE".to_owned(),
            FieldType::Int => "INT".to_owned(),
            FieldType::Bool if is_member || depth > 0 => "UBOOL".to_owned(),
            FieldType::Bool => "BITFIELD".to_owned(),
            FieldType::Float => "FLOAT".to_owned(),
            FieldType::Object(path) => format!("class {}*", self.class(classes, path)),
            FieldType::Class(_) => "class UClass*".to_owned(),
            FieldType::Interface(path) => {
                format!("TScriptInterface<class I{}>", identifier_part(last_part(path)))
            }
            FieldType::Name => "FName".to_owned(),
            FieldType::Str if is_member => "FStringNoInit".to_owned(),
            FieldType::Str => "FString".to_owned(),
            FieldType::Delegate => "FScriptDelegate".to_owned(),
            FieldType::Struct(path) => self.structure(path),
            FieldType::Array(element) => {
                let cleared =
                    is_member && classes.engine.is_some_and(|it| it.clears_arrays_itself());
                format!("TArray{}<{}>", if cleared { "NoInit" } else { "" }, inner(element))
            }
            FieldType::FixedArray(element, _) => self.type_text(classes, element, place, depth + 1),
            FieldType::Map(key, value) => format!("TMap<{}, {}>", inner(key), inner(value)),
            _ => "void*".to_owned(),
        }
    }
}

/// The packages that a package builds on, first those that build on nothing; itself last.
fn packages_in_order(classes: &Classes, package: &str) -> Vec<String> {
    let mut needs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for class in classes.iter() {
        let needed = class.parent.iter().map(|parent| first_part(parent).to_ascii_lowercase());
        needs.entry(class.package.to_ascii_lowercase()).or_default().extend(needed);
    }
    for needed in needs.values_mut() {
        needed.sort();
        needed.dedup();
    }
    let (mut order, mut seen) = (Vec::new(), HashSet::new());
    let mut open = vec![(package.to_ascii_lowercase(), false)];
    while let Some((package, is_done)) = open.pop() {
        if is_done {
            order.push(package);
        } else if seen.insert(package.clone()) {
            open.push((package.clone(), true));
            let needed = needs.get(&package).into_iter().flatten().rev();
            open.extend(needed.map(|name| (name.clone(), false)));
        }
    }
    order
}

fn first_free(
    plain: String,
    longer: impl FnOnce() -> String,
    taken: &mut HashSet<String>,
) -> String {
    if taken.insert(plain.clone()) {
        return plain;
    }
    free_identifier(identifier(&longer()), taken)
}

fn ends_with_max(value: &str) -> bool {
    value.to_ascii_uppercase().ends_with("_MAX")
}

fn struct_name(path: &str) -> String {
    identifier(&format!("F{}", last_part(path)))
}

/// A class's name with `A` if it is an actor, else `U`.
fn default_class_name(classes: &Classes, path: &str) -> String {
    let is_actor = |name: &str| name.eq_ignore_ascii_case("Actor");
    let chain = classes.chain(path);
    let parent = chain.last().and_then(|class| class.parent.as_deref());
    let actor = is_actor(last_part(path))
        || chain.iter().any(|class| is_actor(&class.name))
        || parent.is_some_and(|parent| is_actor(last_part(parent)));
    format!("{}{}", if actor { 'A' } else { 'U' }, identifier_part(last_part(path)))
}
