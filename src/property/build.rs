//! New properties: the tags of their types.

use std::sync::LazyLock;

use super::blank::Place;
use super::codec::{
    ARRAY_INNER_ADDED, COMPLETE_NAMES, Detail, ENUM_NAME_ADDED, NAMED_TYPE_ADDED, PropertyTag,
    SET_INNER_ADDED, is_early,
};
use super::structure::{StructStorage, Structure};
use super::{Layouts, Named, Property, PropertyKind, Type, TypeNode, Value};
use crate::Versions;
use crate::error::{ErrorKind, Result};
use crate::primitive::Name;

/// The package that a value is made for.
pub trait Naming {
    /// The versions of its bodies.
    fn versions(&self) -> &Versions;
    /// The name of this text, added where it is not there.
    ///
    /// # Errors
    /// `BadText` when the version can't hold it.
    fn name(&mut self, text: &str) -> Result<Name>;
    /// What is declared about structs.
    fn layouts(&self) -> &Layouts {
        static NOTHING: LazyLock<Layouts> = LazyLock::new(Layouts::default);
        &NOTHING
    }
    /// A soft path as bodies store it: `/Game/Folder/Asset.Asset:Sub`; empty for none.
    ///
    /// # Errors
    /// `BadText`; `Invalid` where the package can't have another path.
    fn soft_path(&mut self, text: &str) -> Result<Value>;
}

impl Property {
    /// A new property of this type for a tagged list of the package, with the value that stands for
    /// nothing: zero, empty, null. Names that its tag needs are added.
    ///
    /// # Errors
    /// `Unsupported` for a type that the package's versions do not have; `Invalid` where the type leaves
    /// out what the tag needs, and for an element that it has no room for; as [`Naming`].
    pub fn blank(
        name: &str,
        array_index: u32,
        property_type: &Type,
        naming: &mut dyn Naming,
    ) -> Result<Self> {
        let value = Value::blank(property_type, Place::Property, naming)?;
        Self::with_value(name, array_index, property_type, value, naming)
    }

    /// A new property of this type with this value, which must be of the type; as [`Property::blank`].
    ///
    /// # Errors
    /// As [`Property::blank`].
    pub fn with_value(
        name: &str,
        array_index: u32,
        property_type: &Type,
        mut value: Value,
        naming: &mut dyn Naming,
    ) -> Result<Self> {
        let index = i32::try_from(array_index)
            .map_err(|_| ErrorKind::OutOfRange { value: array_index.into(), bits: 31 })?;
        let row = naming.name(name)?;
        let tag = match is_early(naming.versions()) {
            true => PropertyTag::of_early_type(property_type, index, naming)?.ok_or_else(|| {
                let reason =
                    format!("'{name}' of type {property_type} can't be stored as element {index}");
                ErrorKind::Invalid { reason }
            })?,
            false => PropertyTag::of_type(property_type, index, naming)?,
        };
        if let Value::StructArray(structs) = &mut value {
            structs.name = row;
        }
        Ok(Self::from_parts(row, tag, value))
    }
}

impl PropertyTag {
    /// The tag in UE1 to UE3; `None` where there is no room for the index.
    fn of_early_type(
        known: &Type,
        array_index: i32,
        naming: &mut dyn Naming,
    ) -> Result<Option<Self>> {
        let file = naming.versions().file;
        if !known.kind().is_early() {
            let reason = format!("'{known}' is a type of Unreal Engine 4 and 5");
            return Err(ErrorKind::Unsupported { reason }.into());
        }
        let mut tag = Self::new(Name::default(), array_index);
        if file >= NAMED_TYPE_ADDED {
            tag.type_name = naming.name(known.class())?;
        }
        if known.kind() == PropertyKind::Struct {
            let named = known.name().ok_or_else(|| incomplete(known))?;
            tag.detail = Detail::Struct(naming.name(&named.name)?, None);
        }
        if file < NAMED_TYPE_ADDED {
            return Ok(tag.set_number(known).then_some(tag));
        }
        if known.kind() == PropertyKind::Byte && file >= ENUM_NAME_ADDED {
            let name = known.name().map_or("None", |named| &named.name);
            tag.detail = Detail::Enum(naming.name(name)?);
        }
        Ok(Some(tag))
    }

    pub(super) fn of_type(known: &Type, array_index: i32, naming: &mut dyn Naming) -> Result<Self> {
        let type_name = naming.name(tag_class(known))?;
        let (ue4, ue5) = (naming.versions().ue4, naming.versions().ue5);
        let mut tag = Self::new(type_name, array_index);
        if ue5 >= COMPLETE_NAMES {
            let mut nodes = Vec::new();
            tree(known, naming, &mut nodes)?;
            if nodes.len() > 1 {
                tag.detail = Detail::Tree(nodes);
            }
            tag.set_flags(has_native(known, naming.versions()));
            return Ok(tag);
        }
        let class = |at: usize, naming: &mut dyn Naming| match known.inner().get(at) {
            Some(inner) => naming.name(tag_class(inner)),
            None => Err(incomplete(known)),
        };
        tag.detail = match known.kind() {
            PropertyKind::Unknown => return Err(incomplete(known)),
            PropertyKind::Struct => {
                let named = known.name().ok_or_else(|| incomplete(known))?;
                let guid = (!named.guid.is_zero()).then(|| Box::new(named.guid));
                Detail::Struct(naming.name(&named.name)?, guid)
            }
            PropertyKind::Byte | PropertyKind::Enum => {
                let name = known.name().map_or("None", |named| &named.name);
                Detail::Enum(naming.name(name)?)
            }
            PropertyKind::Array if ue4 >= ARRAY_INNER_ADDED => Detail::Inner(class(0, naming)?),
            PropertyKind::Set if ue4 >= SET_INNER_ADDED => Detail::Inner(class(0, naming)?),
            PropertyKind::Map if ue4 >= SET_INNER_ADDED => {
                Detail::Pair(class(0, naming)?, class(1, naming)?)
            }
            PropertyKind::Optional => Detail::Inner(class(0, naming)?),
            _ => Detail::None,
        };
        Ok(tag)
    }
}

/// The class that tags name: that of the stored form, not of what may be referred to.
fn tag_class(known: &Type) -> &str {
    match known.class() {
        "ClassProperty" | "ObjectPtrProperty" | "ClassPtrProperty" => "ObjectProperty",
        "SoftClassProperty" => "SoftObjectProperty",
        "AssetClassProperty" => "AssetObjectProperty",
        class => class,
    }
}

/// The complete type name: each name, then its inner types.
fn tree(known: &Type, naming: &mut dyn Naming, nodes: &mut Vec<TypeNode>) -> Result<()> {
    let at = nodes.len();
    let name = naming.name(tag_class(known))?;
    nodes.push(TypeNode { name, inner_count: 0 });
    let mut count = 0;
    if let Some(named) = known.name() {
        count += 1;
        let package = package_of(named, known.kind());
        let inner_count = i32::from(!package.is_empty());
        nodes.push(TypeNode { name: naming.name(&named.name)?, inner_count });
        if inner_count > 0 {
            nodes.push(TypeNode { name: naming.name(package)?, inner_count: 0 });
        }
        if !named.guid.is_zero() {
            count += 1;
            let guid = named.guid.to_string().replace('-', "");
            nodes.push(TypeNode { name: naming.name(&guid)?, inner_count: 0 });
        }
    } else if matches!(
        known.kind(),
        PropertyKind::Struct | PropertyKind::Enum | PropertyKind::Unknown
    ) {
        return Err(incomplete(known));
    }
    let wanted = match known.kind() {
        PropertyKind::Array | PropertyKind::Set | PropertyKind::Optional | PropertyKind::Enum => 1,
        PropertyKind::Map => 2,
        _ => 0,
    };
    if known.inner().len() != wanted {
        return Err(incomplete(known));
    }
    for inner in known.inner() {
        count += 1;
        tree(inner, naming, nodes)?;
    }
    if let Some(node) = nodes.get_mut(at) {
        node.inner_count = count;
    }
    Ok(())
}

/// The package of a struct: the core's where its layout is the engine's own and nothing else is known.
fn package_of(named: &Named, kind: PropertyKind) -> &str {
    const CORE: &[&str] = &[
        "Box",
        "Color",
        "DateTime",
        "FrameNumber",
        "Guid",
        "Int",
        "LinearColor",
        "Matrix",
        "Plane",
        "Quat",
        "Rotator",
        "Soft",
        "Sphere",
        "Timespan",
        "Transform",
        "TwoVectors",
        "Uint",
        "Vector",
    ];
    let starts = |known: &str| {
        named.name.get(..known.len()).is_some_and(|start| start.eq_ignore_ascii_case(known))
    };
    let own = Structure::of_name(&named.name) != Structure::OTHER
        || named.name.eq_ignore_ascii_case("Transform");
    match named.package.as_str() {
        "" if kind == PropertyKind::Struct && own && CORE.iter().any(|known| starts(known)) => {
            "/Script/CoreUObject"
        }
        package => package,
    }
}

/// Whether a struct of the type is stored in a form of its own.
fn has_native(known: &Type, versions: &Versions) -> bool {
    let own = known.kind() == PropertyKind::Struct
        && !matches!(Structure::of_name(known.type_name()).layout(versions), StructStorage::Tagged);
    own || known.inner().iter().any(|inner| has_native(inner, versions))
}

#[cold]
pub(super) fn incomplete(known: &Type) -> crate::Error {
    let reason = format!("the type '{known}' leaves out what its tag needs");
    ErrorKind::Invalid { reason }.into()
}
