//! The first changes: names, imports, flags, GUID, bodies. A call that fails changes nothing.

use super::Package;
use super::decode::CLASS_DEFAULT_OBJECT;
use crate::archive::Span;
use crate::error::{ErrorKind, Result};
use crate::primitive::{
    FString, Guid, Name, NameFlags, ObjectFlags, ObjectRef, PackageFlags, PackageIndex,
};
use crate::table::{Import, NameEntry, NameHashes, apply_flags};
use crate::version::threshold::{ue4, ue5};
use crate::version::{Engine, threshold};

/// Characters that a name may have in UE1 and UE2 (spec: ue1-3/01 §1.2).
const LONGEST_CLASSIC_NAME: usize = 63;
/// Characters that a name may have in UE3 (spec: ue1-3/01 §1.2).
const LONGEST_UE3_NAME: usize = 1023;

/// One step of the path to an imported object.
#[derive(Debug, Clone, Copy)]
pub(super) struct ImportStep<'a> {
    pub name: &'a str,
    pub class_package: &'a str,
    pub class_name: &'a str,
}

impl<'a> ImportStep<'a> {
    /// A package or group.
    pub fn group(name: &'a str) -> Self {
        Self { name, class_package: "Core", class_name: "Package" }
    }
}

/// `Light_3` is the name `Light` with the number 4 (spec: ue1-3/01 §1.4).
pub(super) fn numbered(text: &str) -> Option<(&str, i32)> {
    let (base, digits) = text.rsplit_once('_')?;
    let canonical = digits == "0" || !digits.starts_with('0') && !digits.is_empty();
    let plain = digits.bytes().all(|digit| digit.is_ascii_digit());
    let number: i32 = digits.parse().ok().filter(|_| canonical && plain)?;
    (!base.is_empty()).then_some((base, number.checked_add(1)?))
}

impl Package {
    /// Gives a name of the table another text; everything that uses the name follows.
    ///
    /// # Errors
    /// `NotFound`; `Exists` when the new text is another row's; `BadText`; `Invalid` for `None`.
    pub fn rename_name(&mut self, old: &str, new: &str) -> Result<usize> {
        let row = self.names().find(old).ok_or_else(|| ErrorKind::NotFound {
            what: "name",
            name: old.to_owned(),
            hint: String::new(),
        })?;
        if old.eq_ignore_ascii_case("None") {
            let reason = "'None' ends every property list and can't be renamed".to_owned();
            return Err(ErrorKind::Invalid { reason }.into());
        }
        if self.names().find(new).is_some_and(|other| other != row) {
            return Err(ErrorKind::Exists { what: "name", name: new.to_owned() }.into());
        }
        self.names[row].text = self.checked_text(new)?;
        self.lookup.forget();
        if self.has_name_hashes() {
            self.names[row].set_hashes(NameHashes::of(new));
        }
        Ok(row)
    }

    /// Adds a name, or returns the one that is there already.
    ///
    /// # Errors
    /// `BadText` when the version can't hold it.
    pub fn add_name(&mut self, text: &str) -> Result<Name> {
        if let Some(row) = self.look_up_name(text) {
            return Ok(Name::new(row as i32));
        }
        let mut entry = NameEntry {
            text: self.checked_text(text)?,
            flags: NameFlags::ordinary(&self.versions),
        };
        if self.has_name_hashes() {
            entry.set_hashes(NameHashes::of(text));
        }
        let name = Name::new(next_row(self.names.len())?);
        self.claims();
        self.names.push(entry);
        self.sync_counts()?;
        Ok(name)
    }

    /// Adds an import, with the packages and groups around it, or returns the one that is there.
    ///
    /// `path` starts with the package (`Engine.Actor`, `Botpack.Skins.Blue`, `/Script/Engine.Actor`),
    /// `class` is the class with its package (`Core.Class`, `/Script/CoreUObject.Class`). A path without a
    /// dot imports the package itself. In UE4 and UE5 the asset registry's data notes that the game uses it.
    ///
    /// # Errors
    /// `Invalid` for an empty part or a class without package; `BadText`; `Exists` when the object is
    /// imported with another class.
    pub fn add_import(&mut self, path: &str, class: &str) -> Result<PackageIndex> {
        let (class_package, class_name) = self.checked_import(path, class)?;
        let parts = self.path_parts(path);
        let last = parts.len() - 1;
        let core = if self.is_modern() { "/Script/CoreUObject" } else { "Core" };
        let chain: Vec<ImportStep<'_>> = parts
            .iter()
            .enumerate()
            .map(|(depth, &name)| match depth == last && depth > 0 {
                true => ImportStep { name, class_package, class_name },
                false => ImportStep { name, class_package: core, class_name: "Package" },
            })
            .collect();
        self.import_chain(&chain)
    }

    /// Adds an import with those around it, outermost first. Of those only the name counts where they are
    /// there already.
    pub(super) fn import_chain(&mut self, chain: &[ImportStep<'_>]) -> Result<PackageIndex> {
        // Rows are added at the ends only, so that taking them back is all that a failure needs.
        let (names, imports) = (self.names.len(), self.imports.len());
        let (summary, modern) = (self.summary.clone(), self.modern.clone());
        self.add_chain(chain).inspect_err(|_| {
            self.names.truncate(names);
            self.imports.truncate(imports);
            self.summary = summary;
            self.modern = modern;
            self.lookup.forget();
        })
    }

    fn add_chain(&mut self, chain: &[ImportStep<'_>]) -> Result<PackageIndex> {
        let by_name = self.versions.file < threshold::OUTER_INDEX_ADDED;
        let mut outer = PackageIndex::NULL;
        for (depth, step) in chain.iter().enumerate() {
            let last = depth + 1 == chain.len();
            let mut import = Import { outer_index: outer, ..Import::default() };
            if by_name {
                if !last {
                    continue;
                }
                let package = if depth > 0 { chain[0].name } else { "None" };
                import.outer_name = self.add_name(package)?;
            }
            let known = (0..self.imports.len()).find(|&row| {
                let row = &self.imports[row];
                row.outer_index == outer
                    && (!by_name || row.outer_name == import.outer_name)
                    && self.is_name(row.object_name, step.name)
            });
            if let Some(row) = known {
                let entry = &self.imports[row];
                if last && !self.is_name(entry.class_name, step.class_name) {
                    let path: Vec<_> = chain.iter().map(|step| step.name).collect();
                    let name =
                        format!("{} (as {})", path.join("."), self.name_text(entry.class_name));
                    return Err(ErrorKind::Exists { what: "import", name }.into());
                }
                outer = PackageIndex::import(row);
                continue;
            }
            import.class_package = self.add_name(step.class_package)?;
            import.class_name = self.add_name(step.class_name)?;
            import.object_name = self.add_object_name(step.name)?;
            if Import::names_package(&self.versions) {
                import.package_name = self.add_name("None")?;
            }
            next_row(self.imports.len())?;
            self.claims();
            self.imports.push(import);
            if let Some(modern) = &mut self.modern
                && let Some(dependencies) = &mut modern.asset_dependencies
            {
                dependencies.import_used_in_game.push(true);
            }
            outer = PackageIndex::import(self.imports.len() - 1);
        }
        self.sync_counts()?;
        Ok(outer)
    }

    /// Whether a name has this text, case apart.
    fn is_name(&self, name: Name, text: &str) -> bool {
        if name.number == 0 {
            let row = usize::try_from(name.index.value()).ok();
            let known = row.and_then(|row| self.names().get(row));
            return known.is_some_and(|known| known.eq_ignore_ascii_case(text));
        }
        self.name_text(name).eq_ignore_ascii_case(text)
    }

    /// The name of this text, added where it is not there: `Light_3` is a row of the table, or, where names
    /// have numbers, the row `Light` with a number (spec: ue1-3/01 §1.4).
    pub(super) fn add_object_name(&mut self, text: &str) -> Result<Name> {
        if self.versions.file >= threshold::NAME_NUMBER_ADDED
            && self.look_up_name(text).is_none()
            && let Some((base, number)) = numbered(text)
        {
            let base = self.add_name(base)?;
            return Ok(Name { number, ..base });
        }
        self.add_name(text)
    }

    /// Lets an import refer to another object: everything that refers to it follows, and what is imported
    /// from within it as well, so that a whole package can be exchanged for another. In UE4 and UE5 soft
    /// references follow ([`Package::retarget`], which keeps the class).
    ///
    /// # Errors
    /// As [`Package::add_import`]; `NotFound`; `Exists` when the new object is imported already.
    pub fn retarget_import(&mut self, old: &str, new: &str, class: &str) -> Result<PackageIndex> {
        let (class_package, class_name) = self.checked_import(new, class)?;
        if self.is_modern() {
            return self.retarget_modern_import(old, new, (class_package, class_name));
        }
        let is_old = |row: &usize| self.path(PackageIndex::import(*row)).eq_ignore_ascii_case(old);
        let Some(row) = (0..self.imports.len()).find(is_old) else {
            let (name, hint) = (old.to_owned(), String::new());
            return Err(ErrorKind::NotFound { what: "import", name, hint }.into());
        };
        self.transact(|package| {
            let (parent, name) = match new.rsplit_once('.') {
                Some((parent, name)) => (Some(parent), name),
                None => (None, new),
            };
            let mut import = Import::default();
            if package.versions.file < threshold::OUTER_INDEX_ADDED {
                import.outer_name = package.add_name(parent.unwrap_or("None"))?;
            } else if let Some(parent) = parent {
                import.outer_index = package.import_around(parent)?;
            }
            let mut outer = import.outer_index;
            for _ in 0..=package.imports.len() {
                if outer == PackageIndex::import(row) {
                    let reason = format!("'{old}' can't lie in itself");
                    return Err(ErrorKind::Invalid { reason }.into());
                }
                outer = package.outer(outer);
            }
            let same = |other: &usize| {
                let entry = &package.imports[*other];
                *other != row
                    && entry.outer_index == import.outer_index
                    && entry.outer_name == import.outer_name
                    && package.is_name(entry.object_name, name)
            };
            if (0..package.imports.len()).any(|other| same(&other)) {
                return Err(ErrorKind::Exists { what: "import", name: new.to_owned() }.into());
            }
            import.class_package = package.add_name(class_package)?;
            import.class_name = package.add_name(class_name)?;
            import.object_name = package.add_object_name(name)?;
            package.imports[row] = import;
            package.sync_counts()?;
            Ok(PackageIndex::import(row))
        })
    }

    /// The import with this path, whatever it is, or a new group.
    fn import_around(&mut self, path: &str) -> Result<PackageIndex> {
        let mut imports = (0..self.imports.len()).map(PackageIndex::import);
        if let Some(known) = imports.find(|&index| self.path(index).eq_ignore_ascii_case(path)) {
            return Ok(known);
        }
        let chain: Vec<_> = path.split('.').map(ImportStep::group).collect();
        self.import_chain(&chain)
    }

    /// The names in a path, outermost first; subobjects of UE4 and UE5 stand behind a colon.
    fn path_parts<'a>(&self, path: &'a str) -> Vec<&'a str> {
        match self.is_modern() {
            true => path.split(['.', ':']).collect(),
            false => path.split('.').collect(),
        }
    }

    /// The parts of a class's path, where both paths can be imported.
    fn checked_import<'a>(&self, path: &str, class: &'a str) -> Result<(&'a str, &'a str)> {
        let invalid = |reason: String| crate::Error::from(ErrorKind::Invalid { reason });
        let Some((class_package, class_name)) = class.split_once('.') else {
            return Err(invalid(format!("the class '{class}' needs its package: Core.Class")));
        };
        let parts = self.path_parts(path);
        if parts.iter().chain(&[class_package, class_name]).any(|part| part.is_empty()) {
            return Err(invalid(format!("'{path}' of class '{class}' has an empty part")));
        }
        if self.versions.file < threshold::OUTER_INDEX_ADDED && parts.len() > 2 {
            let version = self.versions.file;
            return Err(invalid(format!("version {version} imports no objects of groups")));
        }
        Ok((class_package, class_name))
    }

    /// Replaces the package flags.
    ///
    /// # Errors
    /// `Invalid` when flags of UE4 and UE5 would change that decide layouts: bodies and tables would no
    /// longer be what the flags say.
    pub fn set_package_flags(&mut self, flags: PackageFlags) -> Result<()> {
        let Some(modern) = &mut self.modern else {
            self.summary.package_flags = flags;
            return Ok(());
        };
        let (mut before, mut after) = (self.versions.clone(), self.versions.clone());
        apply_flags(modern.summary.package_flags, &mut before);
        apply_flags(flags, &mut after);
        if before != after {
            let reason = "FilterEditorOnly, UnversionedProperties and Cooked decide the layout of \
                          tables and bodies and can't be changed alone"
                .to_owned();
            return Err(ErrorKind::Invalid { reason }.into());
        }
        modern.summary.package_flags = flags;
        Ok(())
    }

    /// Replaces the GUID.
    ///
    /// # Errors
    /// `NotInVersion` below file version 42 and from UE5 1016, where packages have none.
    pub fn set_guid(&mut self, guid: Guid) -> Result<()> {
        if let Some(modern) = &mut self.modern {
            if self.versions.ue5 >= ue5::PACKAGE_SAVED_HASH {
                return Err(crate::Error::from(ErrorKind::NotInVersion).in_field("guid"));
            }
            modern.summary.guid = guid;
            return Ok(());
        }
        if self.versions.file >= threshold::HERITAGE_REMOVED {
            self.summary.guid = guid;
            return Ok(());
        }
        match self.heritage.last_mut() {
            Some(last) if self.versions.file >= threshold::HERITAGE_GUID_ADDED => {
                *last = guid;
                Ok(())
            }
            _ => Err(crate::Error::from(ErrorKind::NotInVersion).in_field("guid")),
        }
    }

    /// Draws a new GUID.
    ///
    /// # Errors
    /// As [`Package::set_guid`].
    pub fn renew_guid(&mut self) -> Result<Guid> {
        let guid = Guid::random();
        self.set_guid(guid)?;
        Ok(guid)
    }

    /// Replaces the object flags of an export.
    ///
    /// # Errors
    /// `NotFound`; `OutOfRange` when this version's flags are narrower; `Invalid` when the state frame
    /// flag would change, since the body decides that.
    pub fn set_object_flags(&mut self, row: usize, flags: ObjectFlags) -> Result<()> {
        self.body(row)?;
        if !ObjectFlags::is_wide(&self.versions) && flags.0 > u64::from(u32::MAX) {
            return Err(ErrorKind::OutOfRange { value: flags.0.into(), bits: 32 }.into());
        }
        if let Some(export) = self.modern.as_mut().and_then(|modern| modern.exports.get_mut(row)) {
            let changed = export.object_flags.0 ^ flags.0;
            if changed & ObjectFlags::MODERN_CLASS_DEFAULT_OBJECT.0 != 0 {
                let reason =
                    "ClassDefaultObject decides what the body holds and can't be changed alone";
                return Err(ErrorKind::Invalid { reason: reason.to_owned() }.into());
            }
            export.object_flags = flags;
            return Ok(());
        }
        let old = self.exports[row].object_flags;
        let ue3 = self.versions.engine() == Engine::Ue3;
        if ue3 && (old.0 ^ flags.0) & CLASS_DEFAULT_OBJECT != 0 {
            let reason =
                "ClassDefaultObject decides what the body holds and can't be changed alone";
            return Err(ErrorKind::Invalid { reason: reason.to_owned() }.into());
        }
        if old.has_stack(&self.versions) != flags.has_stack(&self.versions) {
            let reason = "HasStack says that a state frame stands in the body; \
                          replace the body before changing it"
                .to_owned();
            return Err(ErrorKind::Invalid { reason }.into());
        }
        self.exports[row].object_flags = flags;
        Ok(())
    }

    /// Replaces the body of an export by these bytes, which may be more or fewer.
    ///
    /// In UE5.4 and newer the row also says where the tagged properties end within the body: that end is
    /// kept, or becomes the body's where that is shorter.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn replace_body(&mut self, row: usize, bytes: impl Into<Vec<u8>>) -> Result<()> {
        self.body(row)?;
        self.claims();
        self.decoded.remove(&row);
        let bytes = bytes.into();
        if let Some(export) = self.modern.as_mut().and_then(|modern| modern.exports.get_mut(row)) {
            let length = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
            let end = export.script_serialization_end_offset.min(length);
            export.script_serialization_end_offset = end;
            export.script_serialization_start_offset =
                export.script_serialization_start_offset.min(end);
        }
        self.replaced.insert(row, Span::owned(bytes));
        Ok(())
    }

    /// A name's text in the form that this version stores.
    fn checked_text(&self, text: &str) -> Result<FString> {
        let bad = |reason| crate::Error::from(ErrorKind::BadText { reason });
        let longest = match self.versions.engine() {
            Engine::Ue1 | Engine::Ue2 => LONGEST_CLASSIC_NAME,
            _ => LONGEST_UE3_NAME,
        };
        if text.is_empty() {
            return Err(bad("a name needs at least one character"));
        }
        if text.contains('\0') {
            return Err(bad("a name can't contain a zero"));
        }
        if text.encode_utf16().count() > longest {
            return Err(bad("it is longer than a name may be (63 characters, 1023 in UE3)"));
        }
        if self.versions.file < threshold::NAME_LENGTH_ADDED {
            return FString::ansi(text).ok_or_else(|| bad("this version stores 8-bit text only"));
        }
        let order = self.versions.byte_order;
        Ok(FString::new_in(text, order, self.versions.game))
    }

    fn has_name_hashes(&self) -> bool {
        self.versions.is_modern() && self.versions.ue4 >= ue4::NAME_HASHES_SERIALIZED
    }

    /// Brings the counts of the summary and of the newest generation up to date.
    pub(super) fn sync_counts(&mut self) -> Result<()> {
        if let Some(modern) = &mut self.modern {
            let summary = &mut modern.summary;
            let names = next_row(self.names.len())?;
            if summary.name_count != names
                && self.versions.ue5 >= ue5::NAMES_REFERENCED_FROM_EXPORT_DATA
            {
                // New names stand at the end and bodies may use them (spec: ue4-5/03 §1).
                summary.names_referenced_from_export_data_count = names;
            }
            summary.name_count = names;
            summary.import_count = next_row(self.imports.len())?;
            summary.export_count = next_row(modern.exports.len())?;
            if let Some(newest) = summary.generations.last_mut() {
                newest.name_count = summary.name_count;
                newest.export_count = summary.export_count;
            }
            return Ok(());
        }
        let summary = &mut self.summary;
        summary.name_count = next_row(self.names.len())?;
        summary.import_count = next_row(self.imports.len())?;
        summary.export_count = next_row(self.exports.len())?;
        if let Some(newest) = summary.generations.last_mut() {
            newest.name_count = summary.name_count;
            newest.export_count = summary.export_count;
        }
        Ok(())
    }
}

/// The number of the next row of a table.
pub(super) fn next_row(rows: usize) -> Result<i32> {
    i32::try_from(rows).map_err(|_| ErrorKind::OutOfRange { value: rows as i128, bits: 31 }.into())
}

impl Package {
    /// Whether an object with this reference is there.
    pub fn contains(&self, index: PackageIndex) -> bool {
        match index.target() {
            ObjectRef::Null => false,
            ObjectRef::Import(row) => row < self.imports.len(),
            ObjectRef::Export(row) => row < self.export_count(),
        }
    }
}
