//! Who has saved a package, as far as its header says it.

use crate::package::Package;
use crate::primitive::PackageFlags;
use crate::version::{EngineRelease, UnrealVersions, threshold};

/// What the header says of the save.
#[derive(Debug, Default)]
pub(super) struct SaveOrigin {
    /// The release of UE4 or UE5.
    pub release: Option<String>,
    /// `editor` or `cooker`.
    pub by: Option<&'static str>,
    /// The engine's whole version.
    pub engine_version: Option<String>,
    /// The changelist of its build.
    pub changelist: Option<u32>,
}

/// The release that is known, or those that write these object versions: `5.4`, `4.26-4.27`.
fn release(ue4: u32, ue5: u32, known: Option<EngineRelease>) -> Option<String> {
    if let Some(known) = known {
        return Some(known.to_string());
    }
    let writes = |release: &EngineRelease| (release.ue4(), release.ue5()) == (ue4, ue5);
    let mut fitting = EngineRelease::all().filter(writes);
    let first = fitting.next()?;
    Some(match fitting.next_back() {
        None => first.to_string(),
        Some(last) => format!("{first}-{last}"),
    })
}

/// Set in the changelist of a licensee's build.
const LICENSEE: u32 = 1 << 31;

impl SaveOrigin {
    pub fn of(package: &Package) -> Self {
        let (versions, summary) = (package.versions(), package.summary());
        let by = |is_cooked: bool| Some(if is_cooked { "cooker" } else { "editor" });
        if versions.ue4() == 0 {
            if versions.file() < threshold::ENGINE_VERSION_ADDED {
                return Self::default();
            }
            let cooked = summary.package_flags.contains(PackageFlags::COOKED);
            let version = summary.engine_version;
            return Self {
                by: by(cooked || summary.cooker_version != 0),
                engine_version: (version != 0).then(|| version.to_string()),
                ..Self::default()
            };
        }
        let saved = &summary.saved_by;
        let version = &saved.engine_version;
        let branch = version.branch.text(package.source()).unwrap_or_default();
        let number = version.changelist & !LICENSEE;
        let (major, minor, patch) = (version.major, version.minor, version.patch);
        let text = || match branch.is_empty() {
            true => format!("{major}.{minor}.{patch}-{number}"),
            false => format!("{major}.{minor}.{patch}-{number}+{branch}"),
        };
        let changelist = if number == 0 { saved.changelist } else { number };
        // What its versions tell may be one of several.
        let is_told = summary.likely_release(versions).is_some();
        let said = versions.release().filter(|_| !is_told);
        Self {
            release: release(versions.ue4(), versions.ue5(), said),
            by: by(!versions.has_editor_only_data()),
            engine_version: (major > 0).then(text),
            changelist: (changelist != 0).then_some(changelist),
        }
    }
}
