//! Kinds of edits of packages of UE4 and UE5, each with what it may change.

use unreal_packages::compare::Diff;
use unreal_packages::edit::{PackageEdit, RenamePackage};
use unreal_packages::inspect::{main_asset, package_path};
use unreal_packages::package::Package;
use unreal_packages::property::Value;
use unreal_packages::version::UnrealVersions;

pub const NEW_PATH: &str = "/Game/Edited/Renamed_Asset";

/// 2x1 pixels, red.
const PICTURE: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0,
    2, 0, 0, 0, 1, 8, 2, 0, 0, 0, 0x7b, 0x40, 0xe8, 0xdd, 0, 0, 0, 0x0f, 0x49, 0x44, 0x41, 0x54,
    0x78, 0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0xc0, 0xc0, 0xf0, 0x1f, 0, 0x09, 0xfe, 0x01, 0xfe, 0, 0, 0,
    0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

/// One kind of edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Edit {
    Name,
    Import,
    RenamePackage,
    RenameObject,
    RetargetSoft,
    Retarget,
    Thumbnail,
}

pub const EDITS: [Edit; 7] = [
    Edit::Name,
    Edit::Import,
    Edit::RenamePackage,
    Edit::RenameObject,
    Edit::RetargetSoft,
    Edit::Retarget,
    Edit::Thumbnail,
];

impl Edit {
    /// Carries it out; false where there is nothing to do it to.
    pub fn apply(self, package: &mut Package) -> unreal_packages::Result<bool> {
        match self {
            Self::Name => package.edit(|edit| edit.add_name("Quite_Another_Name")).map(|_| true),
            Self::Import => package
                .edit(|edit| {
                    edit.add_import("/Game/Edited/Thing.Thing", "/Script/Engine.StaticMesh")
                })
                .map(|_| true),
            Self::RenamePackage => package
                .edit(|edit| edit.rename_package(NEW_PATH, &RenamePackage::new()))
                .map(|_| true),
            Self::RenameObject => {
                let path = |row: usize| package.exports().path(row);
                // The engine finds a level by its name.
                let inner = |row: &usize| {
                    path(*row).contains('.') && !path(*row).ends_with(".PersistentLevel")
                };
                match (0..package.exports().len()).find(inner) {
                    Some(row) => package
                        .edit(|edit| edit.rename_object(&format!("#{row}"), "Renamed_Part"))
                        .map(|_| true),
                    None => Ok(false),
                }
            }
            Self::RetargetSoft => match soft_target(package) {
                Some(path) => {
                    let new =
                        if path.contains('.') { "/Game/Edited/S.S" } else { "/Game/Edited/S" };
                    package.edit(|edit| edit.retarget_soft(&path, new)).map(|_| true)
                }
                None => Ok(false),
            },
            Self::Retarget => {
                // Some import their own package: that is another edit.
                let stem = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
                let own = |path: &str| package.find_export(&stem(path)).is_ok();
                let foreign = |path: &String| {
                    path.starts_with('/') && !path.starts_with("/Script/") && !own(path)
                };
                let mut paths = package.imports().iter().map(|import| import.path());
                let found = paths.find(|path| !path.contains('.') && foreign(path));
                drop(paths);
                match found {
                    Some(path) => package
                        .edit(|edit| edit.retarget(&path, "/Game/Edited/Target"))
                        .map(|_| true),
                    None => Ok(false),
                }
            }
            Self::Thumbnail => {
                if package.versions().filter_editor_only() || package.exports().is_empty() {
                    return Ok(false);
                }
                let row = main_asset(package).unwrap_or(0);
                package.edit(|edit| edit.set_thumbnail(&format!("#{row}"), PICTURE)).map(|_| true)
            }
        }
    }

    /// What the difference may say, and nothing else.
    pub fn agrees(self, diff: &Diff) -> bool {
        let only = |allowed: &[&str]| {
            let allowed = |field: &str| allowed.iter().any(|start| field.starts_with(start));
            diff.header.iter().all(|field| allowed(&field.field))
        };
        let objects = diff.added.len() == diff.removed.len();
        match self {
            Self::Name => {
                diff.changed.is_empty() && objects && only(&["name"]) && diff.header.len() == 1
            }
            Self::Import => diff.changed.is_empty() && only(&["import"]) && diff.header.len() == 2,
            Self::RenamePackage => {
                // The source is a hash of the name.
                let fields = [
                    "main asset",
                    "folder_name",
                    "package path",
                    "package_source",
                    "soft",
                    "gatherable",
                    // The tag `BlueprintPath` says the name alone.
                    "asset registry",
                    // Keys are paths of objects.
                    "meta_data.objects[",
                ];
                diff.added.is_empty() && diff.removed.is_empty() && only(&fields)
            }
            Self::RenameObject => objects && !(diff.added.is_empty() && diff.renamed.is_empty()),
            Self::RetargetSoft => {
                objects && diff.added.is_empty() && only(&["soft", "name", "meta_data"])
            }
            Self::Retarget => {
                let fields = [
                    "import",
                    "soft",
                    "name",
                    "asset registry",
                    "depends",
                    "preload",
                    "gatherable",
                ];
                objects && diff.added.is_empty() && only(&fields) && !diff.is_empty()
            }
            Self::Thumbnail => {
                diff.changed.is_empty()
                    && objects
                    && only(&["thumbnail"])
                    && !diff.header.is_empty()
            }
        }
    }
}

/// A path that is referred to softly and is neither the package's own nor the engine's.
fn soft_target(package: &Package) -> Option<String> {
    let (context, own) = (package.context(), package_path(package).unwrap_or_default());
    let further = &package.tables().further;
    let listed = further.soft_object_paths.iter().map(|path| path.text(&context));
    let packages = further.soft_package_references.iter().map(|row| {
        let path = row.path.text(package.source()).unwrap_or_default();
        if path.is_empty() { package.name_text(row.name) } else { path.into_owned() }
    });
    let foreign = |path: &String| {
        let head = path.split(['.', ':']).next().unwrap_or_default();
        path.starts_with('/') && !path.starts_with("/Script/") && !head.eq_ignore_ascii_case(&own)
    };
    let mut values = Vec::new();
    for row in 0..package.exports().len() {
        let Some(prologue) = package.decoded(row).and_then(|d| d.body.prologue.as_ref()) else {
            continue;
        };
        prologue.properties.walk(&mut |value| {
            if let Value::SoftObject(path) = value {
                values.push(path.text(&context));
            }
        });
    }
    listed
        .chain(values)
        .chain(packages)
        .map(|path| path.split(':').next().unwrap_or_default().to_owned())
        .find(foreign)
}
