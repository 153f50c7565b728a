//! Paths of objects that need not be loaded.

use super::{CompactIndex, FString, Name, Utf8String};
use crate::archive::layout::Layout;
use crate::archive::{Context, Reference, Space, Threshold, Width, in_field, private};
use crate::primitive::NameContext;
use crate::version::custom::{self, fortnite_main};
use crate::version::threshold::{ue4, ue5};
use crate::version::{Measure, UE4, UE5, UnrealVersions};
use crate::{Archive, ArchiveExt, Archived, Described, Result};

/// The path of an object, in full.
///
/// | order | type | field | versions |
/// |---|---|---|---|
/// | 1 | FString | whole path | below UE4 514 |
/// | 1 | name | package and asset in one | UE4 514 to UE5 1006 |
/// | 1 | name ×2 | package, asset | from UE5 1007 |
/// | 2 | FString | sub path | from UE4 514 |
/// | 2 | Utf8String | sub path | from Fortnite main branch version 192 (5.6) |
///
/// Spec: ue4-5/01 §7. C++: `FSoftObjectPath`.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct SoftObjectPath {
    /// `/Game/Folder/Asset.Asset:Sub`.
    pub path: FString,
    /// `/Game/Folder/Asset.Asset`. C++: `AssetPathName`.
    pub asset_path_name: Name,
    /// `/Game/Folder/Asset`. C++: `PackageName`.
    pub package_name: Name,
    /// `Asset`. C++: `AssetName`.
    pub asset_name: Name,
    /// Objects within the asset, separated by dots. C++: `SubPathString`.
    pub sub_path: FString,
    /// The same in UTF-8.
    pub sub_path_utf8: Utf8String,
}

impl Archived for SoftObjectPath {
    const NESTS: bool = false;
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    const THRESHOLDS: &'static [Threshold] = &[
        Threshold { measure: Measure::Axis(UE4), value: ue4::ADDED_SOFT_OBJECT_PATH as i64 },
        Threshold {
            measure: Measure::Axis(UE5),
            value: ue5::FSOFTOBJECTPATH_REMOVE_ASSET_PATH_FNAMES as i64,
        },
    ];

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        ar.reference(Reference::whole(&Self::SPACE, self))?;
        self.serialize_fields(ar)
    }
}

fn has_utf8_sub_path<A: Archive + ?Sized>(ar: &A) -> bool {
    let versions = ar.versions();
    versions.ue4() >= ue4::ADDED_SOFT_OBJECT_PATH
        && versions.custom(&custom::FORTNITE_MAIN) >= fortnite_main::SOFT_OBJECT_PATH_UTF8_SUB_PATHS
}

/// The package and the object of a path as text: `/Game/Maps/Entry.Entry:Level` are `/Game/Maps/Entry` and
/// `Entry:Level`.
///
/// The engine allows neither `.` nor `:` in the name of a package (`INVALID_LONGPACKAGE_CHARACTERS`), while names
/// of objects hold slashes and blanks: `/Game/Pawn.Pawn_C:InpAxisEvt_Look Up / Down Mouse`.
pub fn split_soft_path(path: &str) -> (&str, &str) {
    path.split_once(['.', ':']).unwrap_or((path, ""))
}

impl SoftObjectPath {
    /// The objects of other packages, by their paths: whole paths, or rows of the package's list.
    pub const SPACE: Space = Space {
        number: 3,
        label: "soft",
        text: |context, row, _| {
            let path = usize::try_from(row).ok();
            let path = path.and_then(|row| context.soft_object_paths().get(row));
            path.map(|path| path.text(context)).unwrap_or_default()
        },
    };

    /// The row of a path in the package's list: four bytes.
    ///
    /// # Errors
    /// Whatever the archive reports.
    pub fn row<A: Archive + ?Sized>(row: &mut i32, ar: &mut A) -> Result<()> {
        let mut index = CompactIndex::new(*row);
        ar.reference(Reference::row(&Self::SPACE, &mut index, Width::Fixed))?;
        *row = index.value();
        Ok(())
    }

    fn serialize_fields<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        macro_rules! field {
            ($name:ident, $when:expr) => {
                if $when {
                    in_field(stringify!($name), ar, |ar| self.$name.serialize(ar))?;
                } else {
                    private::absent(&mut self.$name, ar, stringify!($name))?;
                }
            };
        }
        let (v4, v5) = (ar.versions().ue4(), ar.versions().ue5());
        let names = v4 >= ue4::ADDED_SOFT_OBJECT_PATH;
        let two_names = v5 >= ue5::FSOFTOBJECTPATH_REMOVE_ASSET_PATH_FNAMES;
        field!(path, !names);
        field!(asset_path_name, names && !two_names);
        field!(package_name, two_names);
        field!(asset_name, two_names);
        field!(sub_path, names && !has_utf8_sub_path(ar));
        field!(sub_path_utf8, has_utf8_sub_path(ar));
        Ok(())
    }

    /// The path as text: `/Game/Folder/Asset.Asset:Sub`; empty when it is none.
    pub fn text(&self, context: &Context) -> String {
        let source = context.source();
        let name = |name: &Name| match context.is_none(name) {
            true => String::new(),
            false => context.name_text(name).unwrap_or_default(),
        };
        let whole = self.path.text(source).unwrap_or_default();
        if !whole.is_empty() || context.paths_are_strings() {
            return whole.into_owned();
        }
        // A version has one name or two; what it lacks is the default, which is row 0 of the table.
        let lacks = |name: &Name| *name == Name::default();
        let two =
            lacks(&self.asset_path_name) && !(lacks(&self.package_name) && lacks(&self.asset_name));
        let mut text = match two {
            false => name(&self.asset_path_name),
            true => {
                let (package, asset) = (name(&self.package_name), name(&self.asset_name));
                if asset.is_empty() { package } else { format!("{package}.{asset}") }
            }
        };
        for sub in [self.sub_path.text(source), self.sub_path_utf8.text(source)] {
            let sub = sub.unwrap_or_default();
            if !sub.is_empty() {
                text = format!("{text}:{sub}");
            }
        }
        text
    }
}

/// A path where bodies and metadata store one: a row of the package's list of soft object paths, or in
/// full where the list is empty (spec: ue4-5/01 §7).
#[derive(Described, Debug, Clone, PartialEq, Eq)]
pub enum SoftPath {
    /// In full.
    Full(SoftObjectPath),
    /// Row of the list.
    Listed(i32),
}

impl Default for SoftPath {
    fn default() -> Self {
        Self::Full(SoftObjectPath::default())
    }
}

impl SoftPath {
    /// The path as text; rows are looked up in the context.
    pub fn text(&self, context: &Context) -> String {
        match self {
            Self::Full(path) => path.text(context),
            Self::Listed(row) => {
                let path = usize::try_from(*row).ok();
                let path = path.and_then(|row| context.soft_object_paths().get(row));
                path.map(|path| path.text(context)).unwrap_or_else(|| format!("#{row}"))
            }
        }
    }
}

impl Archived for SoftPath {
    const NESTS: bool = false;
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            let listed = ar.versions().ue5() >= ue5::ADD_SOFTOBJECTPATH_LIST
                && !ar.context().soft_object_paths().is_empty();
            *self = if listed { Self::Listed(0) } else { Self::default() };
        }
        match self {
            Self::Full(path) => path.serialize(ar),
            Self::Listed(row) => SoftObjectPath::row(row, ar),
        }
    }
}
