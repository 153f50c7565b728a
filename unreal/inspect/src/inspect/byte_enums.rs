//! The enums of bytes of UE1 to UE3: what the package, the packages around it or the engine's classes declare.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::meaning::ObjectLookup;
use crate::archive::{Context, Record, RecordValue};
use crate::package::{ByteEnum, ByteEnums, Package};
use crate::property::Surroundings;

/// The enums of the bytes of a package's objects, each searched for once.
///
/// ```
/// use unreal_packages::generate::Builder;
/// use unreal_packages::inspect::PackageEnums;
/// use unreal_packages::package::ByteEnums;
///
/// # fn main() -> unreal_packages::Result<()> {
/// let bytes = Builder::new(69).import("Engine.Light", "Core.Class").export("Lamp", "Engine.Light", [0]).build()?;
/// let package = unreal_packages::Package::from_bytes(bytes)?;
/// let kinds = PackageEnums::new(&package).enum_of(0, None, "LightType").expect("the engine declares it");
/// assert_eq!(kinds.value(1), Some("LT_Steady"));
/// let mut document = Vec::new();
/// package.to_json_with(&mut document, true, &PackageEnums::new(&package))?;
/// # Ok(())
/// # }
/// ```
pub struct PackageEnums<'a> {
    package: &'a Package,
    context: Arc<Context>,
    /// From UE4 on tags say the enum.
    tags_say: bool,
    properties: RefCell<HashMap<ByteKey, Option<Arc<ByteEnum>>>>,
    enums: RefCell<HashMap<String, Option<Arc<ByteEnum>>>>,
}

/// The step of a tag behind the path of its property.
const TAG: &str = ".tag";

/// The class of an object, or the struct of a field, and the name of the property.
type ByteKey = (i32, String, String);

impl fmt::Debug for PackageEnums<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PackageEnums").finish_non_exhaustive()
    }
}

impl<'a> PackageEnums<'a> {
    /// The enums that the objects of this package have.
    pub fn new(package: &'a Package) -> Self {
        Self::with_context(package, package.decoding_context())
    }

    pub(super) fn with_context(package: &'a Package, context: Arc<Context>) -> Self {
        let (properties, enums) = (RefCell::default(), RefCell::default());
        let tags_say = ObjectLookup::reading(package, context.clone(), 0).has_schemas();
        Self { package, context, tags_say, properties, enums }
    }

    /// Says in the records of a body what the values of its bytes are called.
    pub(super) fn name_values(&self, row: usize, records: &mut [Record]) {
        if self.tags_say {
            return;
        }
        let prefix = format!("bodies[{row}].");
        // The paths of properties, which have tags, with the structs that these say.
        let mut tags: HashMap<String, String> = HashMap::new();
        for record in records {
            let Some(path) = record.path.strip_prefix(&prefix) else { continue };
            let is_last = |(_, rest): &(&str, &str)| rest.is_empty() || rest.starts_with('.');
            if let Some((property, _)) = path.rsplit_once(TAG).filter(is_last) {
                let structure = tags.entry(property.to_owned()).or_default();
                if let RecordValue::Reference { .. } = record.value {
                    structure.clone_from(&record.meaning);
                }
                continue;
            }
            let (RecordValue::Integer(number), true) = (&record.value, tags.contains_key(path))
            else {
                continue;
            };
            let Ok(number) = u8::try_from(*number) else { continue };
            if record.end - record.start != 1 {
                continue;
            }
            let (owner, name) = match path.rsplit_once('.') {
                Some((owner, name)) => (Some(owner), name),
                None => (None, path),
            };
            let bare = |text: &str| text.split('[').next().unwrap_or_default().to_owned();
            let structure = owner.map(|owner| tags.get(owner).cloned().unwrap_or_default());
            let found = self.enum_of(row, structure.as_deref(), &bare(name));
            if let Some(value) = found.as_ref().and_then(|known| known.value(number)) {
                record.meaning = value.to_owned();
            }
        }
    }

    fn find(&self, row: usize, structure: Option<&str>, name: &str) -> Option<Arc<ByteEnum>> {
        let lookup = ObjectLookup::reading(self.package, self.context.clone(), row);
        let found = lookup.enum_of(structure, name)?;
        if let Some(known) = self.enums.borrow().get(&found) {
            return known.clone();
        }
        let values = lookup.enum_values(&found);
        let made = values.and_then(|values| byte_enum(found.clone(), &values)).map(Arc::new);
        self.enums.borrow_mut().insert(found, made.clone());
        made
    }
}

impl ByteEnums for PackageEnums<'_> {
    fn enum_of(&self, row: usize, structure: Option<&str>, name: &str) -> Option<Arc<ByteEnum>> {
        if self.tags_say {
            return None;
        }
        let class = self.package.tables().exports.get(row)?.class_index;
        let scope = match structure {
            Some(_) => 0,
            None if class.is_null() => i32::try_from(row).ok()?.checked_add(1)?,
            None => class.value(),
        };
        let lower = |text: &str| text.to_ascii_lowercase();
        let key = (scope, structure.map(lower).unwrap_or_default(), lower(name));
        if let Some(known) = self.properties.borrow().get(&key) {
            return known.clone();
        }
        let found = self.find(row, structure, name);
        self.properties.borrow_mut().insert(key, found.clone());
        found
    }
}

/// The names by number; `None` for an enum without a value that fits into a byte.
fn byte_enum(name: String, values: &[(String, u64)]) -> Option<ByteEnum> {
    let mut names: Vec<Option<String>> = Vec::new();
    for (value, number) in values {
        let Ok(number) = u8::try_from(*number).map(usize::from) else { continue };
        if names.len() <= number {
            names.resize(number + 1, None);
        }
        names[number].get_or_insert_with(|| value.clone());
    }
    (!names.is_empty()).then_some(ByteEnum { name, values: names })
}
