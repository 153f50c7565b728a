//! Building small packages from nothing.

use std::collections::HashMap;

use crate::edit::Edit;
use crate::error::Result;
use crate::package::FurtherSections;
use crate::primitive::{Guid, PackageFlags, PackageIndex};
use crate::version::{ByteOrder, EngineRelease, UnrealVersions, Versions};

/// Makes a package of a chosen version from nothing: names, imports, exports with bodies.
///
/// Calls are remembered and carried out by [`Builder::build`], which reports what does not fit.
#[derive(Debug, Clone)]
pub struct Builder {
    pub(super) versions: Versions,
    pub(super) guid: Guid,
    pub(super) flags: PackageFlags,
    pub(super) unversioned: bool,
    pub(super) sections: FurtherSections,
    pub(super) steps: Vec<BuildStep>,
}

#[derive(Debug, Clone)]
pub(super) enum BuildStep {
    Name(String),
    Import(String, String),
    Export(String, String, Vec<u8>),
}

impl Builder {
    /// A package of this file version, main line, little-endian.
    pub fn new(file: u32) -> Self {
        Self::for_versions(Versions::ue1_to_3(file, 0))
    }

    /// A package of these versions, byte order and game.
    pub fn for_versions(versions: Versions) -> Self {
        let (guid, sections) = (Guid::random(), FurtherSections::default());
        let flags = PackageFlags::of_new(&versions);
        Self { versions, guid, flags, unversioned: false, sections, steps: Vec::new() }
    }

    /// A package of UE4 or UE5 as this release saves it.
    pub fn for_release(release: EngineRelease) -> Self {
        Self::for_versions(release.versions())
    }

    /// Stores no versions, as cooked packages of UE4 and UE5 do.
    #[must_use]
    pub fn unversioned(mut self) -> Self {
        self.unversioned = true;
        self
    }

    /// The GUID, instead of a random one.
    #[must_use]
    pub fn guid(mut self, guid: Guid) -> Self {
        self.guid = guid;
        self
    }

    /// The package flags, instead of `AllowDownload` (none from UE4).
    #[must_use]
    pub fn flags(mut self, flags: PackageFlags) -> Self {
        self.flags = flags;
        self
    }

    /// The byte order.
    #[must_use]
    pub fn byte_order(mut self, order: ByteOrder) -> Self {
        self.versions.byte_order = order;
        self
    }

    /// Further sections of a package of UE4 or UE5: soft references, resources, bulk data. Names are
    /// numbered in the order in which they are added, after `None`.
    #[must_use]
    pub fn sections(mut self, sections: FurtherSections) -> Self {
        self.sections = sections;
        self
    }

    /// Adds a name.
    #[must_use]
    pub fn name(mut self, text: impl Into<String>) -> Self {
        self.steps.push(BuildStep::Name(text.into()));
        self
    }

    /// Adds an import as [`Edit::add_import`] does.
    #[must_use]
    pub fn import(mut self, path: impl Into<String>, class: impl Into<String>) -> Self {
        self.steps.push(BuildStep::Import(path.into(), class.into()));
        self
    }

    /// Adds a public export: its path in the package, the path of its class (`Engine.TextBuffer`), its
    /// body. The groups around it must have been added before.
    #[must_use]
    pub fn export(
        mut self,
        path: impl Into<String>,
        class: impl Into<String>,
        body: impl Into<Vec<u8>>,
    ) -> Self {
        self.steps.push(BuildStep::Export(path.into(), class.into(), body.into()));
        self
    }

    /// The package as bytes.
    ///
    /// # Errors
    /// The error of a step, `NotFound` for a group that is not there, or a value that the version can't hold.
    pub fn build(mut self) -> Result<Vec<u8>> {
        let steps = std::mem::take(&mut self.steps);
        let mut edit = self.begin()?;
        // Packages can be built as odd as they come.
        edit.set_checks(false);
        carry_out(steps, &mut edit)?;
        edit.to_bytes()
    }
}

/// Objects that the steps so far have made, by path in lower case: tables are not searched for every step.
#[derive(Debug, Default)]
struct Made {
    exports: HashMap<String, usize>,
    classes: HashMap<String, PackageIndex>,
}

/// Names, imports and exports in the order in which they were asked for.
fn carry_out(steps: Vec<BuildStep>, edit: &mut Edit) -> Result<()> {
    let mut made = Made::default();
    for step in steps {
        build_step(edit, step, &mut made)?;
    }
    edit.sync_counts()
}

fn build_step(edit: &mut Edit, step: BuildStep, made: &mut Made) -> Result<()> {
    match step {
        BuildStep::Name(text) => edit.add_name(&text).map(drop),
        BuildStep::Import(path, class) => edit.add_import(&path, &class).map(drop),
        BuildStep::Export(path, class, body) => {
            let (outer, name) = match path.rsplit_once('.') {
                Some((group, name)) => {
                    let row = made.exports.get(&group.to_ascii_lowercase());
                    let row = row.map_or_else(|| edit.find_export(group), |&row| Ok(row))?;
                    (PackageIndex::export(row), name)
                }
                None => (PackageIndex::NULL, path.as_str()),
            };
            let class = build_class(edit, &class, made)?;
            let row = edit.append_export(outer, name, class, body)?;
            made.exports.entry(path.to_ascii_lowercase()).or_insert(row);
            Ok(())
        }
    }
}

fn build_class(edit: &mut Edit, class: &str, made: &mut Made) -> Result<PackageIndex> {
    let key = class.to_ascii_lowercase();
    if let Some(&row) = made.exports.get(&key) {
        return Ok(PackageIndex::export(row));
    }
    if let Some(&index) = made.classes.get(&key) {
        return Ok(index);
    }
    let index = edit.class_reference(class)?;
    made.classes.insert(key, index);
    Ok(index)
}
