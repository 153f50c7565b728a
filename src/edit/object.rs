//! New packages and new objects, made through their typed form.

use super::Edit;
use super::add::Before;
use super::refusal::refuse_object_versions;
use crate::archive::Object;
use crate::error::{ErrorKind, Result};
use crate::object::{Body, Native};
use crate::package::Decoded;
use crate::primitive::{ObjectFlags, ObjectRef, PackageIndex};
use crate::property::PropertyList;
use crate::version::{Versions, threshold};

impl Edit {
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
            let (groups, others): (Vec<_>, Vec<_>) = self
                .exports()
                .children(outer)
                .filter(is_named)
                .partition(|&index| self.is_group(index));
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

    /// Adds an object of this class with this body; the groups around it are added where they are
    /// missing. The body is saved from its typed form.
    ///
    /// ```
    /// use farchive::object::text::TextBuffer;
    /// use farchive::object::Native;
    /// use farchive::property::PropertyList;
    /// use farchive::generate::{Profile, create};
    /// use farchive::{FString, Package};
    ///
    /// # fn main() -> farchive::Result<()> {
    /// let mut package = create(&Profile::UT99)?;
    /// let text = TextBuffer { text: FString::new("Made from nothing."), ..TextBuffer::default() };
    /// package.edit(|edit| {
    ///     edit.add_object("Texts.Readme", "Core.TextBuffer", PropertyList::default(), text)
    /// })?;
    /// let opened = Package::from_bytes(package.to_bytes()?)?;
    /// assert!(opened.find_export("Texts.Readme").is_ok());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// `Exists` when an object of the same path and class is there; `Invalid` when objects of this class
    /// hold something else, so that the body would not be read as it was written; as
    /// [`Edit::add_group`]. The package is as before then.
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
    /// As [`Edit::add_object`].
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
            let flags = package.tables().exports[row].object_flags;
            package.tables_mut().exports[row].object_flags =
                flags.with(ObjectFlags::standalone(package.versions()));
            Ok(row)
        })
    }

    /// Runs `change`, which only adds rows at the ends of tables; what it has added goes away again if it
    /// fails. No copy of the package is made, so that adding many objects stays cheap.
    pub(crate) fn appending<T>(
        &mut self,
        change: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        refuse_object_versions(self, "adding objects")?;
        let before = Before::of(self);
        let (exports, depends) = (self.tables().exports.len(), self.tables().depends.len());
        change(self).inspect_err(|_| {
            self.tables_mut().exports.truncate(exports);
            self.tables_mut().depends.truncate(depends);
            self.bodies_mut().decoded.split_off(&exports);
            self.bodies_mut().replaced.split_off(&exports);
            before.restore(self);
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
        if !outer.is_null() && self.versions().file < threshold::OUTER_INDEX_ADDED {
            let version = self.versions().file;
            let reason = format!("version {version} has no groups");
            return Err(ErrorKind::Invalid { reason }.into());
        }
        // Objects of several classes may share a path, as real packages have it.
        let twin = self.exports().children(outer).find(|&index| {
            self.object_name(index).eq_ignore_ascii_case(name) && self.class_of(index) == class
        });
        if let Some(twin) = twin {
            return Err(ErrorKind::Exists { what: "export", name: self.path(twin) }.into());
        }
        let counts = self.versions().file >= threshold::NET_OBJECT_COUNT_ADDED;
        let counted = self.tables_mut().summary.generations.last_mut();
        if let Some(newest) = counted
            && counts
            && newest.net_object_count == newest.export_count
        {
            newest.net_object_count += 1;
        }
        let row = self.append_export(outer, name, class, Vec::new())?;
        self.sync_counts()?;
        let shape = self.shape(row, &self.class_chain(row));
        let mut body = Body::new(self.versions(), shape, properties, native);
        if self.versions().file >= threshold::NET_OBJECT_COUNT_ADDED {
            // Objects of content packages count upwards (measured on packages of version 868).
            body.net_index = i32::try_from(row).ok();
        }
        let mut decoded = Decoded { body: Body::default(), error: None, opaque: 0, payload: 0 };
        self.check_body(row, &decoded, &mut body, &self.decoding_context())?;
        decoded.body = body;
        self.bodies_mut().decoded.insert(row, decoded);
        self.settle_guids();
        Ok(row)
    }

    fn class_of(&self, index: PackageIndex) -> PackageIndex {
        match index.target() {
            ObjectRef::Export(row) => {
                self.tables().exports.get(row).map(|export| export.class_index).unwrap_or_default()
            }
            _ => PackageIndex::NULL,
        }
    }

    /// The section of GUIDs has a place as soon as there are exports, even while it is empty
    /// (spec: ue1-3/03 §3.7).
    pub(crate) fn settle_guids(&mut self) {
        if self.versions().file >= threshold::IMPORT_EXPORT_GUIDS_ADDED
            && self.tables().summary.import_export_guids_offset == 0
            && self.source().is_empty()
            && !self.tables().exports.is_empty()
        {
            self.tables_mut().summary.import_export_guids_offset = 1;
        }
    }
}

impl ObjectFlags {
    /// What objects of content packages have beside that (spec: ue1-3/07 §7.6).
    pub fn standalone(versions: &Versions) -> Self {
        Self::of_legacy(0x0008_0000, versions)
    }

    /// Those of an ordinary public object: before UE4 Public and the three load flags
    /// (spec: ue1-3/07 §7.6).
    pub(super) fn of_new(versions: &Versions, at_top: bool) -> Self {
        match versions.ue4 {
            0 => Self::of_legacy(0x0007_0004, versions),
            _ if at_top => {
                Self::UE4_PUBLIC.with(Self::UE4_STANDALONE).with(Self::UE4_TRANSACTIONAL)
            }
            _ => Self::UE4_PUBLIC,
        }
    }

    fn of_legacy(flags: u64, versions: &Versions) -> Self {
        if versions.file < threshold::FLAGS_64_BIT { Self(flags) } else { Self(flags << 32) }
    }
}
