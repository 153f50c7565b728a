//! New packages and new objects, made through their typed form.

use bytes::Bytes;

use super::edit::next_row;
use super::{Decoded, Package};
use crate::archive::{Archived, Kind, Object, References};
use crate::error::{ErrorKind, Result};
use crate::object::{Body, Native};
use crate::primitive::{FString, Guid, Index, Name, ObjectFlags, PackageFlags, PackageIndex};
use crate::property::{Property, PropertyList, Value};
use crate::table::{DependsRow, Export, Generation, VersionWord};
use crate::version::{Engine, Profile, Versions, threshold};

impl Package {
    /// A new package of this game with nothing in it but the name `None`; its GUID is a new one.
    ///
    /// It has no source: save it to get a file.
    ///
    /// # Errors
    /// `OutOfRange` for versions that no header can hold.
    pub fn create(profile: &Profile) -> Result<Self> {
        let mut package =
            Self::create_for(profile.versions.clone(), profile.flags, Guid::random())?;
        package.summary.engine_version = profile.engine_version;
        Ok(package)
    }

    /// The same of any version.
    pub(super) fn create_for(versions: Versions, flags: PackageFlags, guid: Guid) -> Result<Self> {
        let mut package = Self::empty(Bytes::new());
        let file = versions.file;
        let word = |version: u32| {
            u16::try_from(version)
                .map_err(|_| ErrorKind::OutOfRange { value: version.into(), bits: 16 })
        };
        package.summary.version =
            VersionWord { file: word(file)?, licensee: word(versions.licensee)? };
        package.versions = versions;
        package.summary.package_flags = flags;
        if file < threshold::HERITAGE_REMOVED {
            package.summary.heritage_count = 1;
            if file >= threshold::HERITAGE_GUID_ADDED {
                package.heritage.push(guid);
            }
        } else {
            package.summary.guid = guid;
            package.summary.generations.push(Generation::default());
        }
        if file >= threshold::FOLDER_NAME_ADDED {
            package.summary.folder_name = FString::new("None");
        }
        // Offsets that are above zero are settled when the sections have their places.
        package.summary.name_offset = 1;
        package.summary.import_offset = 1;
        package.summary.export_offset = 1;
        package.add_name("None")?;
        Ok(package)
    }

    /// A reference to the class of this path (`Engine.Texture`, or a class of this package), imported if
    /// it is not there; null for `Core.Class`, the class of classes.
    ///
    /// # Errors
    /// As [`Package::add_import`].
    pub fn add_class(&mut self, path: &str) -> Result<PackageIndex> {
        if path.eq_ignore_ascii_case("Core.Class") {
            return Ok(PackageIndex::NULL);
        }
        match self.find(path) {
            Some(index) => Ok(index),
            None => self.add_import(path, "Core.Class"),
        }
    }

    /// Adds a group, with the groups around it, or returns the one that is there; null for no group.
    ///
    /// # Errors
    /// `Invalid` for an empty part, or when something else has the name; `BadText`.
    pub fn add_group(&mut self, path: &str) -> Result<PackageIndex> {
        let mut copy = self.clone();
        let index = copy.group_chain(path)?;
        *self = copy;
        Ok(index)
    }

    fn group_chain(&mut self, path: &str) -> Result<PackageIndex> {
        let mut outer = PackageIndex::NULL;
        for part in path.split('.').filter(|_| !path.is_empty()) {
            let is_named =
                |index: &PackageIndex| self.object_name(*index).eq_ignore_ascii_case(part);
            let (groups, others): (Vec<_>, Vec<_>) =
                self.children(outer).filter(is_named).partition(|&index| self.is_group(index));
            outer = match (groups.first(), others.first()) {
                (Some(group), _) => *group,
                (None, Some(other)) => {
                    let reason = format!("'{}' is there and is no group", self.path(*other));
                    return Err(ErrorKind::Invalid { reason }.into());
                }
                (None, None) => {
                    let class = self.add_class("Core.Package")?;
                    let body = self.new_body(PropertyList::default(), Native::None);
                    let flags = ObjectFlags::public(&self.versions);
                    let row = self.push_export(part, outer, class, flags)?;
                    self.decoded.insert(row, Decoded::new(body));
                    PackageIndex::export(row)
                }
            };
        }
        Ok(outer)
    }

    /// Whether an export is a group: an object of class `Package`.
    pub(crate) fn is_group(&self, index: PackageIndex) -> bool {
        let crate::primitive::ObjectRef::Export(row) = index.target() else { return false };
        self.exports.get(row).is_some_and(|export| {
            !export.class_index.is_null()
                && self.object_name(export.class_index).eq_ignore_ascii_case("Package")
        })
    }

    /// Adds an object of this class with this body; the groups around it are added where they are
    /// missing. The body is saved from its typed form.
    ///
    /// ```
    /// use farchive::object::text::TextBuffer;
    /// use farchive::object::Native;
    /// use farchive::property::PropertyList;
    /// use farchive::{FString, Package, version::Profile};
    ///
    /// # fn main() -> farchive::Result<()> {
    /// let mut package = Package::create(&Profile::UT99)?;
    /// let text = TextBuffer { text: FString::new("Made from nothing."), ..TextBuffer::default() };
    /// package.add_object("Texts.Readme", "Core.TextBuffer", PropertyList::default(), text)?;
    /// let opened = Package::from_bytes(package.to_bytes()?)?;
    /// assert!(opened.find_export("Texts.Readme").is_ok());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// `Exists` when an object of the same path and class is there; as [`Package::add_group`] and
    /// [`Package::add_class`]. The package is as before then.
    pub fn add_object<T: Object>(
        &mut self,
        path: &str,
        class: &str,
        properties: PropertyList,
        object: T,
    ) -> Result<usize> {
        self.add_native(path, class, properties, Native::Object(Box::new(object)))
    }

    /// The same for an object whose class adds nothing to its properties.
    ///
    /// # Errors
    /// As [`Package::add_object`].
    pub fn add_plain_object(
        &mut self,
        path: &str,
        class: &str,
        properties: PropertyList,
    ) -> Result<usize> {
        self.add_native(path, class, properties, Native::None)
    }

    fn add_native(
        &mut self,
        path: &str,
        class: &str,
        properties: PropertyList,
        native: Native,
    ) -> Result<usize> {
        let mut copy = self.clone();
        let (group, name) = path.rsplit_once('.').unwrap_or(("", path));
        let outer = copy.group_chain(group)?;
        let class = copy.add_class(class)?;
        let flags =
            ObjectFlags::public(&copy.versions).with(ObjectFlags::standalone(&copy.versions));
        let body = copy.new_body(properties, native);
        let row = copy.push_export(name, outer, class, flags)?;
        copy.decoded.insert(row, Decoded::new(body));
        *self = copy;
        Ok(row)
    }

    fn new_body(&self, properties: PropertyList, native: Native) -> Body {
        let mut body = Body::new(&self.versions, properties, native);
        if let Some(index) = &mut body.net_index {
            // Objects of content packages count upwards (measured on packages of version 868).
            *index = i32::try_from(self.exports.len()).unwrap_or(-1);
        }
        body
    }

    /// Adds the row of an object, still without a body.
    pub(super) fn push_export(
        &mut self,
        name: &str,
        outer: PackageIndex,
        class: PackageIndex,
        flags: ObjectFlags,
    ) -> Result<usize> {
        let twin = self.children(outer).find(|&index| {
            let crate::primitive::ObjectRef::Export(row) = index.target() else { return false };
            self.object_name(index).eq_ignore_ascii_case(name)
                && self.exports[row].class_index == class
        });
        if let Some(twin) = twin {
            return Err(ErrorKind::Exists { what: "export", name: self.path(twin) }.into());
        }
        if !outer.is_null() && self.versions.file < threshold::OUTER_INDEX_ADDED {
            let version = self.versions.file;
            let reason = format!("version {version} has no groups");
            return Err(ErrorKind::Invalid { reason }.into());
        }
        if name.contains('.') || name.eq_ignore_ascii_case("None") {
            let reason = format!("'{name}' can't be the name of an object");
            return Err(ErrorKind::Invalid { reason }.into());
        }
        let row = self.exports.len();
        next_row(row)?;
        let export = Export {
            class_index: class,
            outer_index: outer,
            object_name: self.add_numbered_name(name)?,
            object_flags: flags,
            serial_size: Index::new(0),
            ..Export::default()
        };
        self.claims();
        if let Some(newest) = self.summary.generations.last_mut()
            && self.versions.file >= threshold::NET_OBJECT_COUNT_ADDED
            && newest.net_object_count == newest.export_count
        {
            newest.net_object_count += 1;
        }
        self.exports.push(export);
        if self.versions.file >= threshold::DEPENDS_ADDED && self.depends.len() == row {
            self.depends.push(DependsRow::default());
        }
        if self.versions.file >= threshold::IMPORT_EXPORT_GUIDS_ADDED
            && self.summary.import_export_guids_offset == 0
        {
            self.summary.import_export_guids_offset = 1;
        }
        self.sync_counts()?;
        Ok(row)
    }

    /// The typed form of a body, as it is now: edited, or decoded from the source.
    ///
    /// # Errors
    /// `NotFound` when there is no such row.
    pub fn typed(&self, row: usize) -> Result<std::borrow::Cow<'_, Decoded>> {
        match self.decoded.get(&row) {
            Some(decoded) => Ok(std::borrow::Cow::Borrowed(decoded)),
            None => self.decode(row).map(std::borrow::Cow::Owned),
        }
    }

    /// Changes the typed form of a body; a change that fails leaves it as it was.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` when the body is not decoded; what `change` reports.
    pub fn change_body<T>(
        &mut self,
        row: usize,
        change: impl FnOnce(&mut Body) -> Result<T>,
    ) -> Result<T> {
        let mut decoded = self.typed(row)?.into_owned();
        if decoded.body.is_opaque() {
            let path = self.exports().path(row);
            let why =
                decoded.error.map_or_else(|| "replaced by raw bytes".to_owned(), |e| e.to_string());
            let reason = format!("the body of {path} is not decoded: {why}");
            return Err(ErrorKind::Invalid { reason }.into());
        }
        let result = change(&mut decoded.body)?;
        self.claims();
        self.decoded.insert(row, decoded);
        Ok(result)
    }

    /// The exports whose bodies refer to an object.
    pub(crate) fn users_of(&self, index: PackageIndex) -> Vec<usize> {
        let context = self.decoding_context();
        let uses = |row: &usize| {
            let decoded = match self.decoded.get(row) {
                Some(decoded) => decoded.clone(),
                None => self.decode_with(*row, &context),
            };
            let mut body = decoded.body;
            let mut references = References::new(self.versions.clone());
            let visited = body.serialize(&mut references).is_ok();
            let opaque = references.spans().iter().any(|(_, kind)| *kind == Kind::Opaque);
            // What is not decoded may refer to anything.
            !visited || opaque || references.objects().contains_key(&index.value())
        };
        (0..self.exports.len()).filter(uses).collect()
    }
}

impl Decoded {
    /// A body that was made, not decoded.
    pub(super) fn new(body: Body) -> Self {
        Self { body, error: None, opaque: 0, payload: 0 }
    }
}

impl ObjectFlags {
    /// What every public object has: Public and the three load flags (spec: ue1-3/07 §7.6).
    pub fn public(versions: &Versions) -> Self {
        Self::of_legacy(0x0007_0004, versions)
    }

    /// What objects of content packages have beside that (spec: ue1-3/07 §7.6).
    pub fn standalone(versions: &Versions) -> Self {
        Self::of_legacy(0x0008_0000, versions)
    }

    fn of_legacy(flags: u64, versions: &Versions) -> Self {
        if versions.file < threshold::FLAGS_64_BIT { Self(flags) } else { Self(flags << 32) }
    }
}

/// Collects the properties of a new object; names are added to the package as they are needed.
///
/// ```
/// use farchive::package::NewProperties;
/// use farchive::{Package, version::Profile};
///
/// # fn main() -> farchive::Result<()> {
/// let mut package = Package::create(&Profile::UT99)?;
/// let mut properties = NewProperties::new(&mut package);
/// properties.int("USize", 64)?.boolean("bMasked", true)?;
/// let list = properties.finish();
/// package.add_plain_object("Thing", "Engine.Actor", list)?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct NewProperties<'a> {
    package: &'a mut Package,
    list: PropertyList,
}

impl<'a> NewProperties<'a> {
    /// An empty list for an object of this package.
    pub fn new(package: &'a mut Package) -> Self {
        Self { package, list: PropertyList::default() }
    }

    /// The list, ended by the package's `None`.
    pub fn finish(mut self) -> PropertyList {
        self.list.terminator = self.package.none_name();
        self.list
    }

    fn push(
        &mut self,
        name: &str,
        (number, type_name): (u8, &str),
        structure: Option<&str>,
        enumeration: Option<&str>,
        value: Value,
    ) -> Result<&mut Self> {
        let name = self.package.add_name(name)?;
        let named = self.package.versions.engine() == Engine::Ue3;
        let type_name = if named { self.package.add_name(type_name)? } else { Name::default() };
        let structure = structure.map(|text| self.package.add_name(text)).transpose()?;
        let enumeration = match (type_name, enumeration) {
            _ if number != BYTE.0 || !named => None,
            (_, Some(text)) => Some(self.package.add_name(text)?),
            (_, None) => Some(self.package.none_name()),
        };
        let versions = self.package.versions.clone();
        let property =
            Property::made(&versions, name, (number, type_name), structure, enumeration, value);
        self.list.properties.push(property);
        Ok(self)
    }

    /// One byte.
    ///
    /// # Errors
    /// `BadText` when the version can't hold the name; so for all of these.
    pub fn byte(&mut self, name: &str, value: u8) -> Result<&mut Self> {
        self.push(name, BYTE, None, None, Value::Byte(value))
    }

    /// A value of an enum, in UE3, by its name.
    ///
    /// # Errors
    /// `BadText`.
    pub fn enumerator(&mut self, name: &str, enumeration: &str, value: &str) -> Result<&mut Self> {
        let value = self.package.add_numbered_name(value)?;
        self.push(name, BYTE, None, Some(enumeration), Value::Name(value))
    }

    /// An integer.
    ///
    /// # Errors
    /// `BadText`.
    pub fn int(&mut self, name: &str, value: i32) -> Result<&mut Self> {
        self.push(name, (2, "IntProperty"), None, None, Value::Int(value))
    }

    /// A truth value.
    ///
    /// # Errors
    /// `BadText`.
    pub fn boolean(&mut self, name: &str, value: bool) -> Result<&mut Self> {
        self.push(name, (3, "BoolProperty"), None, None, Value::Bool(value))
    }

    /// A number.
    ///
    /// # Errors
    /// `BadText`.
    pub fn float(&mut self, name: &str, value: f32) -> Result<&mut Self> {
        self.push(name, (4, "FloatProperty"), None, None, Value::Float(value))
    }

    /// A reference to an object.
    ///
    /// # Errors
    /// `BadText`.
    pub fn object(&mut self, name: &str, value: PackageIndex) -> Result<&mut Self> {
        self.push(name, (5, "ObjectProperty"), None, None, Value::Object(value))
    }

    /// A name.
    ///
    /// # Errors
    /// `BadText`.
    pub fn name(&mut self, name: &str, value: &str) -> Result<&mut Self> {
        let value = self.package.add_numbered_name(value)?;
        self.push(name, (6, "NameProperty"), None, None, Value::Name(value))
    }

    /// A string.
    ///
    /// # Errors
    /// `BadText`.
    pub fn string(&mut self, name: &str, value: &str) -> Result<&mut Self> {
        let versions = self.package.versions();
        let text = FString::new_in(value, versions.byte_order, versions.game);
        self.push(name, (13, "StrProperty"), None, None, Value::Str(Box::new(text)))
    }

    /// A colour; its bytes in the order in which they are stored.
    ///
    /// # Errors
    /// `BadText`.
    pub fn color(&mut self, name: &str, bytes: [u8; 4]) -> Result<&mut Self> {
        let fields = bytes.into_iter().map(Value::Byte).collect();
        self.push(name, STRUCT, Some("Color"), None, Value::Fields(fields))
    }

    /// A GUID.
    ///
    /// # Errors
    /// `BadText`.
    pub fn guid(&mut self, name: &str, value: Guid) -> Result<&mut Self> {
        let parts = [value.a, value.b, value.c, value.d];
        let fields = parts.into_iter().map(|part| Value::Int(part as i32)).collect();
        self.push(name, STRUCT, Some("Guid"), None, Value::Fields(fields))
    }
}

const BYTE: (u8, &str) = (1, "ByteProperty");
const STRUCT: (u8, &str) = (10, "StructProperty");

impl Package {
    /// Adds a name as references see it: from file version 343 on `Light_3` is the row `Light` and the
    /// number 4 (spec: ue1-3/01 §1.4).
    ///
    /// # Errors
    /// `BadText`.
    pub fn add_numbered_name(&mut self, text: &str) -> Result<Name> {
        if self.versions.file >= threshold::NAME_NUMBER_ADDED
            && let Some((base, digits)) = text.rsplit_once('_')
            && !base.is_empty()
            && (digits == "0" || !digits.starts_with('0'))
            && digits.bytes().all(|digit| digit.is_ascii_digit())
            && let Some(number) = digits.parse().ok().and_then(|number: i32| number.checked_add(1))
        {
            return Ok(Name { number, ..self.add_name(base)? });
        }
        self.add_name(text)
    }

    /// The name that means "none"; the last row of that text, as conformed packages want it
    /// (spec: ue1-3/07 §7.5).
    pub(crate) fn none_name(&self) -> Name {
        let is_none = |row: &usize| {
            self.names().get(*row).is_some_and(|text| text.eq_ignore_ascii_case("None"))
        };
        let row = (0..self.names.len()).rev().find(is_none);
        Name::new(row.and_then(|row| i32::try_from(row).ok()).unwrap_or(0))
    }
}
