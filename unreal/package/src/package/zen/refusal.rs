//! Packages that containers can't hold.

use super::read::COOKED_INDEX;
use crate::compression::ContainerForm;
use crate::container::zen::ZenForm;
use crate::error::{Error, Result, UnrealErrors};
use crate::package::{Package, ReleaseDetection};
use crate::primitive::PackageFlags;
use crate::table::COOKED_PACKAGE_NAMES;
use crate::version::{EngineRelease, UnrealVersions};

/// The first release that has such containers.
const FIRST: EngineRelease = EngineRelease::new(4, 26);
/// Releases that write the same form of the header otherwise.
const WITHIN: [EngineRelease; 2] = [COOKED_INDEX, COOKED_PACKAGE_NAMES];

/// A package that says no version may be read by releases of different forms, and the wrong form is one that the game does
/// not read.
fn refuse_unsure(package: &Package) -> Result<()> {
    // One out of a container goes back in the form that it had.
    let is_zen = package.container().is_some_and(|it| it.form() == ContainerForm::Zen);
    let Some(found) = ReleaseDetection::of(package).filter(|_| !is_zen) else { return Ok(()) };
    let form = |release: EngineRelease| {
        (ZenForm::of(&release.versions()), WITHIN.map(|first| release >= first))
    };
    let mut forms = found.best().map(form);
    let first = forms.next();
    match forms.all(|form| Some(form) == first) {
        true => Ok(()),
        false => Err(Error::unsupported(format!(
            "it says no version, and releases that read it ({}) have containers of different forms: say which one it is of \
             (--engine 5.3)",
            found.best_text()
        ))),
    }
}

/// # Errors
/// `Unsupported`, with the reason.
pub(super) fn refuse(package: &Package) -> Result<()> {
    refuse_unsure(package)?;
    let (versions, summary) = (package.versions(), package.summary());
    let further = &package.tables().further;
    let reason = if !versions.is_release(FIRST) {
        "it is of a release before 4.26, which has no such containers"
    } else if !versions.filter_editor_only()
        || versions.ue5() > 0 && !summary.package_flags.contains(PackageFlags::UE4_COOKED)
    {
        "it is not cooked: containers hold cooked packages"
    } else if !further.soft_object_paths.is_empty() {
        "it has a list of soft object paths, which packages in containers have not"
    } else if summary.cell_export_count > 0 || summary.cell_import_count > 0 {
        "it has Verse cells"
    } else if summary.payload_toc_offset > 0 {
        "it has a package trailer"
    } else {
        return Ok(());
    };
    Err(Error::unsupported(reason))
}
