//! The properties of a new object.

use crate::edit::Edit;
use crate::error::Result;
use crate::primitive::{Guid, PackageIndex};
use crate::property::{Property, PropertyKind, PropertyList, Type, Value};

/// Collects the properties of a new object; names are added to the package as they are needed.
///
/// ```
/// use unreal_packages::prelude::*;
/// use unreal_packages::edit::NewProperties;
/// use unreal_packages::generate::{Profile, create};
///
/// # fn main() -> unreal_packages::Result<()> {
/// let mut package = create(&Profile::UT99)?;
/// package.edit(|edit| {
///     let mut properties = NewProperties::new(edit);
///     properties.int("USize", 64)?.boolean("bMasked", true)?;
///     let list = properties.finish();
///     edit.add_plain_object("Thing", "Engine.Actor", list)
/// })?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct NewProperties<'a> {
    package: &'a mut Edit,
    list: Vec<Property>,
}

impl<'a> NewProperties<'a> {
    /// An empty list for an object of this package.
    pub fn new(package: &'a mut Edit) -> Self {
        Self { package, list: Vec::new() }
    }

    /// The list, ended by the package's `None`. The names in it stay also when nothing uses them yet.
    pub fn finish(self) -> PropertyList {
        self.package.keep_names();
        PropertyList::new(self.list, self.package.none_name())
    }

    fn push(&mut self, name: &str, known: &Type, value: Value) -> Result<&mut Self> {
        let made = Property::with_value(name, 0, known, value, self.package)?;
        self.list.push(made);
        Ok(self)
    }

    /// One byte.
    ///
    /// # Errors
    /// `BadText` when the version can't hold the name; so for all of these.
    pub fn byte(&mut self, name: &str, value: u8) -> Result<&mut Self> {
        self.push(name, &Type::new(PropertyKind::Byte), Value::Byte(value))
    }

    /// A value of an enum, in UE3, by its name.
    ///
    /// # Errors
    /// `BadText`.
    pub fn enumerator(&mut self, name: &str, enumeration: &str, value: &str) -> Result<&mut Self> {
        let value = self.package.add_object_name(value)?;
        self.push(name, &Type::byte_enum(enumeration), Value::Name(value))
    }

    /// An integer.
    ///
    /// # Errors
    /// `BadText`.
    pub fn int(&mut self, name: &str, value: i32) -> Result<&mut Self> {
        self.push(name, &Type::new(PropertyKind::Int), Value::Int(value))
    }

    /// A truth value.
    ///
    /// # Errors
    /// `BadText`.
    pub fn boolean(&mut self, name: &str, value: bool) -> Result<&mut Self> {
        self.push(name, &Type::new(PropertyKind::Bool), Value::Bool(value))
    }

    /// A number.
    ///
    /// # Errors
    /// `BadText`.
    pub fn float(&mut self, name: &str, value: f32) -> Result<&mut Self> {
        self.push(name, &Type::new(PropertyKind::Float), Value::Float(value))
    }

    /// A reference to an object.
    ///
    /// # Errors
    /// `BadText`.
    pub fn object(&mut self, name: &str, value: PackageIndex) -> Result<&mut Self> {
        self.push(name, &Type::new(PropertyKind::Object), Value::Object(value))
    }

    /// A name.
    ///
    /// # Errors
    /// `BadText`.
    pub fn name(&mut self, name: &str, value: &str) -> Result<&mut Self> {
        let value = self.package.add_object_name(value)?;
        self.push(name, &Type::new(PropertyKind::Name), Value::Name(value))
    }

    /// A string.
    ///
    /// # Errors
    /// `BadText`.
    pub fn string(&mut self, name: &str, value: &str) -> Result<&mut Self> {
        let text = self.package.string(value);
        self.push(name, &Type::new(PropertyKind::Str), Value::Str(Box::new(text)))
    }

    /// A colour; its bytes in the order in which they are stored.
    ///
    /// # Errors
    /// `BadText`.
    pub fn color(&mut self, name: &str, bytes: [u8; 4]) -> Result<&mut Self> {
        self.push(name, &Type::structure("Color"), Value::Color(bytes))
    }

    /// A GUID.
    ///
    /// # Errors
    /// `BadText`.
    pub fn guid(&mut self, name: &str, value: Guid) -> Result<&mut Self> {
        let parts = [value.a, value.b, value.c, value.d];
        let fields = parts.into_iter().map(|part| Value::Int(part as i32)).collect();
        self.push(name, &Type::structure("Guid"), Value::Fields(fields))
    }
}
