//! New packages and new objects, made through their typed form.

use bytes::Bytes;

use super::{Decoded, Package};
use crate::archive::Object;
#[cfg(feature = "content")]
use crate::archive::{Archived, Kind, References};
use crate::error::{ErrorKind, Result};
use crate::object::{Body, Native};
use crate::primitive::{FString, Guid, Name, ObjectFlags, ObjectRef, PackageFlags, PackageIndex};
use crate::property::{Property, PropertyList, PropertyType, TagNames, Value};
use crate::table::{Generation, VersionWord};
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

    /// Adds a group, with the groups around it, or returns the one that is there; null for no group.
    ///
    /// # Errors
    /// `Invalid` for an empty part, or when something else has the name; `BadText`.
    pub fn add_group(&mut self, path: &str) -> Result<PackageIndex> {
        self.appending(|package| package.group_chain(path))
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
                    let class = self.class_reference("Core.Package")?;
                    let list =
                        PropertyList { terminator: self.none_name(), ..PropertyList::default() };
                    PackageIndex::export(self.append_typed(
                        part,
                        outer,
                        class,
                        list,
                        Native::None,
                    )?)
                }
            };
        }
        Ok(outer)
    }

    /// Whether an export is a group: an object of class `Package`.
    pub(crate) fn is_group(&self, index: PackageIndex) -> bool {
        let ObjectRef::Export(row) = index.target() else { return false };
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
    /// `Exists` when an object of the same path and class is there; `Invalid` when objects of this class
    /// hold something else, so that the body would not be read as it was written; as
    /// [`Package::add_group`]. The package is as before then.
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
        let (group, name) = path.rsplit_once('.').unwrap_or(("", path));
        self.appending(|package| {
            let outer = package.group_chain(group)?;
            let class = package.class_reference(class)?;
            let row = package.append_typed(name, outer, class, properties, native)?;
            let flags = package.exports[row].object_flags;
            package.exports[row].object_flags =
                flags.with(ObjectFlags::standalone(&package.versions));
            Ok(row)
        })
    }

    /// Runs `change`, which only adds rows at the ends of tables; what it has added goes away again if it
    /// fails. No copy of the package is made, so that adding many objects stays cheap.
    pub(crate) fn appending<T>(
        &mut self,
        change: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.refuse_modern("adding objects")?;
        self.claims();
        let (names, imports) = (self.names.len(), self.imports.len());
        let (exports, depends) = (self.exports.len(), self.depends.len());
        let summary = self.summary.clone();
        change(self).inspect_err(|_| {
            self.names.truncate(names);
            self.imports.truncate(imports);
            self.exports.truncate(exports);
            self.depends.truncate(depends);
            self.decoded.split_off(&exports);
            self.replaced.split_off(&exports);
            self.summary = summary;
            self.lookup.forget();
        })
    }

    /// Adds a row with a typed body.
    fn append_typed(
        &mut self,
        name: &str,
        outer: PackageIndex,
        class: PackageIndex,
        properties: PropertyList,
        native: Native,
    ) -> Result<usize> {
        if name.is_empty() || name.contains('.') || name.eq_ignore_ascii_case("None") {
            let reason = format!("'{name}' can't be the name of an object");
            return Err(ErrorKind::Invalid { reason }.into());
        }
        if !outer.is_null() && self.versions.file < threshold::OUTER_INDEX_ADDED {
            let version = self.versions.file;
            let reason = format!("version {version} has no groups");
            return Err(ErrorKind::Invalid { reason }.into());
        }
        // Objects of several classes may share a path, as real packages have it.
        let twin = self.children(outer).find(|&index| {
            self.object_name(index).eq_ignore_ascii_case(name) && self.class_of(index) == class
        });
        if let Some(twin) = twin {
            return Err(ErrorKind::Exists { what: "export", name: self.path(twin) }.into());
        }
        let counted = self.summary.generations.last_mut();
        if let Some(newest) = counted
            && self.versions.file >= threshold::NET_OBJECT_COUNT_ADDED
            && newest.net_object_count == newest.export_count
        {
            newest.net_object_count += 1;
        }
        let row = self.append_export(outer, name, class, Vec::new())?;
        self.sync_counts()?;
        let shape = self.shape(row, &self.class_chain(row));
        let mut body = Body::new(&self.versions, shape, properties, native);
        if self.versions.file >= threshold::NET_OBJECT_COUNT_ADDED {
            // Objects of content packages count upwards (measured on packages of version 868).
            body.net_index = i32::try_from(row).ok();
        }
        let mut decoded = Decoded { body: Body::default(), error: None, opaque: 0, payload: 0 };
        self.check_body(row, &decoded, &mut body, &self.decoding_context())?;
        decoded.body = body;
        self.decoded.insert(row, decoded);
        self.settle_guids();
        Ok(row)
    }

    fn class_of(&self, index: PackageIndex) -> PackageIndex {
        match index.target() {
            ObjectRef::Export(row) => {
                self.exports.get(row).map(|export| export.class_index).unwrap_or_default()
            }
            _ => PackageIndex::NULL,
        }
    }

    /// The section of GUIDs has a place as soon as there are exports, even while it is empty
    /// (spec: ue1-3/03 §3.7).
    pub(super) fn settle_guids(&mut self) {
        if self.versions.file >= threshold::IMPORT_EXPORT_GUIDS_ADDED
            && self.summary.import_export_guids_offset == 0
            && self.source.is_empty()
            && !self.exports.is_empty()
        {
            self.summary.import_export_guids_offset = 1;
        }
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
    /// `NotFound`; `Invalid` when the body is not decoded, or would not be read as it was written; what
    /// `change` reports.
    pub fn change_body<T>(
        &mut self,
        row: usize,
        change: impl FnOnce(&mut Body) -> Result<T>,
    ) -> Result<T> {
        self.body(row)?;
        self.edit_body(row, |_, body, _| change(body))
    }

    /// The exports whose bodies refer to an object.
    #[cfg(feature = "content")]
    pub(crate) fn users_of(&self, index: PackageIndex) -> Vec<usize> {
        let context = self.decoding_context();
        let uses = |row: &usize| {
            let decoded = match self.decoded.get(row) {
                Some(decoded) => decoded.clone(),
                None => self.decode_with(*row, &context),
            };
            let mut body = decoded.body;
            let mut references = References::new(self.versions.of_bodies());
            let visited = body.serialize(&mut references).is_ok();
            let opaque = references.spans().iter().any(|(_, kind)| *kind == Kind::Opaque);
            // What is not decoded may refer to anything.
            !visited || opaque || references.objects().contains_key(&index.value())
        };
        (0..self.exports.len()).filter(uses).collect()
    }
}

impl ObjectFlags {
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
        property: &PropertyType,
        inner: Option<&str>,
        value: Value,
    ) -> Result<&mut Self> {
        let name = self.package.add_name(name)?;
        let file = self.package.versions.file;
        let mut names = TagNames::default();
        if self.package.versions.engine() == Engine::Ue3 {
            names.type_name = self.package.add_name(property.class_name())?;
        }
        match (property, inner) {
            (PropertyType::Struct(text), _) => {
                names.struct_name = Some(self.package.add_name(text)?);
            }
            (_, Some(text)) => names.enum_name = Some(self.package.add_name(text)?),
            (_, None) => names.enum_name = Some(self.package.none_name()),
        }
        let made = Property::new(name, 0, property, names, file, value);
        self.list.properties.push(made.ok_or(ErrorKind::NotInVersion)?);
        Ok(self)
    }

    /// One byte.
    ///
    /// # Errors
    /// `BadText` when the version can't hold the name; so for all of these.
    pub fn byte(&mut self, name: &str, value: u8) -> Result<&mut Self> {
        self.push(name, &PropertyType::Byte, None, Value::Byte(value))
    }

    /// A value of an enum, in UE3, by its name.
    ///
    /// # Errors
    /// `BadText`.
    pub fn enumerator(&mut self, name: &str, enumeration: &str, value: &str) -> Result<&mut Self> {
        let value = self.package.add_object_name(value)?;
        self.push(name, &PropertyType::Byte, Some(enumeration), Value::Name(value))
    }

    /// An integer.
    ///
    /// # Errors
    /// `BadText`.
    pub fn int(&mut self, name: &str, value: i32) -> Result<&mut Self> {
        self.push(name, &PropertyType::Int, None, Value::Int(value))
    }

    /// A truth value.
    ///
    /// # Errors
    /// `BadText`.
    pub fn boolean(&mut self, name: &str, value: bool) -> Result<&mut Self> {
        self.push(name, &PropertyType::Bool, None, Value::Bool(value))
    }

    /// A number.
    ///
    /// # Errors
    /// `BadText`.
    pub fn float(&mut self, name: &str, value: f32) -> Result<&mut Self> {
        self.push(name, &PropertyType::Float, None, Value::Float(value))
    }

    /// A reference to an object.
    ///
    /// # Errors
    /// `BadText`.
    pub fn object(&mut self, name: &str, value: PackageIndex) -> Result<&mut Self> {
        self.push(name, &PropertyType::Object, None, Value::Object(value))
    }

    /// A name.
    ///
    /// # Errors
    /// `BadText`.
    pub fn name(&mut self, name: &str, value: &str) -> Result<&mut Self> {
        let value = self.package.add_object_name(value)?;
        self.push(name, &PropertyType::Name, None, Value::Name(value))
    }

    /// A string.
    ///
    /// # Errors
    /// `BadText`.
    pub fn string(&mut self, name: &str, value: &str) -> Result<&mut Self> {
        let versions = self.package.versions();
        let text = FString::new_in(value, versions.byte_order, versions.game);
        self.push(name, &PropertyType::Str, None, Value::Str(Box::new(text)))
    }

    /// A colour; its bytes in the order in which they are stored.
    ///
    /// # Errors
    /// `BadText`.
    pub fn color(&mut self, name: &str, bytes: [u8; 4]) -> Result<&mut Self> {
        let fields = bytes.into_iter().map(Value::Byte).collect();
        self.push(name, &PropertyType::Struct("Color".into()), None, Value::Fields(fields))
    }

    /// A GUID.
    ///
    /// # Errors
    /// `BadText`.
    pub fn guid(&mut self, name: &str, value: Guid) -> Result<&mut Self> {
        let parts = [value.a, value.b, value.c, value.d];
        let fields = parts.into_iter().map(|part| Value::Int(part as i32)).collect();
        self.push(name, &PropertyType::Struct("Guid".into()), None, Value::Fields(fields))
    }
}

impl Package {
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
