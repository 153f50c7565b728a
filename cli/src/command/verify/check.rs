//! One package: opened, rebuilt, compared.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use unreal_packages::inspect::{Damage, Explanation, OpaquePart, Rebuilt, is_newer_than_known};

use unreal_packages::archive::Coverage;
use unreal_packages::container::GameContainer;
use unreal_packages::environment::{Environment, is_passed_over};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::file::{self, FileOrigin};
use unreal_packages::package::{CompanionKind, OpenOptions, Package, Saved};
use unreal_packages::table::PACKAGE_TAG;
use unreal_packages::version::{FILE, LICENSEE, UnrealVersions};
use unreal_packages::{Error, Game, Versions};

use super::container;
use super::row::{Row, Status};
use crate::failure::Failure;
use crate::input;
use crate::related::{self, Related, RelatedFile};
use crate::undecoded;

/// Checks one file. `None` for a file that is no package, unless the user has named it or it is called like one.
pub fn check(
    path: &Path,
    named: bool,
    options: &OpenOptions,
    environment: Option<&Environment>,
) -> Option<Row> {
    if GameContainer::is_named_so(path) && path.is_file() {
        return catching(path, || Some(container::check(path)));
    }
    catching(path, || match related::open(path) {
        Ok(Some(file)) => Some(resave(path, file)),
        Ok(None) => check_package(path, named, options, environment),
        Err(Failure::Usage(error) | Failure::Failed(error)) => {
            Some(Row::failed(path, format!("{error:#}")))
        }
    })
}

/// A file beside packages, saved from its model and compared.
fn resave(path: &Path, mut file: RelatedFile) -> Row {
    let mut row = Row::new(path);
    if let Related::Save(save) = &file.content {
        row.set_versions(&save.game().header.versions());
    }
    row.bytes = file.bytes.len() as u64;
    let Coverage { typed, payload, opaque, gap } = file.coverage;
    (row.typed, row.payload, row.opaque, row.gap) = (typed, payload, opaque, gap);
    match file.save() {
        Ok(saved) if saved == file.bytes => row.status = Status::Identical,
        Ok(saved) => {
            let at = saved.iter().zip(&file.bytes).position(|(new, old)| new != old);
            let at = at.unwrap_or_else(|| saved.len().min(file.bytes.len()));
            row.status = Status::Different;
            row.reason = format!("first difference at {at:#x}");
        }
        Err(error) => row.reason = format!("can't be rebuilt: {error}"),
    }
    row
}

fn check_package(
    path: &Path,
    named: bool,
    options: &OpenOptions,
    environment: Option<&Environment>,
) -> Option<Row> {
    let origin = if named { FileOrigin::Named } else { FileOrigin::Found };
    match input::open(path, &options.clone().origin(origin)) {
        Ok(mut package) => {
            if let Some(environment) = environment {
                environment.add_class_layouts(&mut package);
            }
            Some(rebuild(path, package, options))
        }
        Err(error) if !named && is_passed_over(path, &error) => None,
        Err(error) => Some(unopened(path, &error)),
    }
}

/// One file that makes the library panic must not end a run over thousands.
fn catching(path: &Path, work: impl FnOnce() -> Option<Row>) -> Option<Row> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        let text = text.unwrap_or_else(|| "no message".to_owned());
        Some(Row::failed(path, format!("panic (please report this file): {text}")))
    })
}

fn rebuild(path: &Path, package: Package, options: &OpenOptions) -> Row {
    let mut row = Row::new(path);
    row.set_versions(package.versions());
    row.newer_than_known = is_newer_than_known(&package);
    let mut parts = Vec::new();
    let rebuilt = Rebuilt::looking(&package, |package, row, decoded| {
        parts.extend(OpaquePart::of_body(package, row, decoded));
    });
    let untouched = (0..).zip(&rebuilt.bodies).filter(|(_, body)| body.is_none());
    parts.extend(untouched.filter_map(|(row, _)| OpaquePart::undecoded(&package, row)));
    row.not_decoded = undecoded::listed(&package, parts);
    row.exports = package.exports().len();
    row.bytes = package.file().len() as u64;
    // Header and bodies are one package; bulk data is not looked into.
    let apart = package.companions().iter().filter(|file| file.kind != CompanionKind::Exports);
    row.companions = apart.map(|file| file.path.display().to_string()).collect();
    row.count_classes(&package, &rebuilt);
    row.count_bytes(&package, &rebuilt);
    row.positions = rebuilt.positions;
    row.damage = Damage::of(&package);
    let (file, image) = (package.file(), package.source());
    match rebuilt.saved {
        Ok(saved) => {
            let same_image = saved.image.as_ref().is_none_or(|saved| *saved == image);
            if let Some(row) = &mut row.image {
                row.identical = same_image;
            }
            if same_image && saved.bytes == file {
                row.status = Status::Identical;
            } else {
                row.status = Status::Different;
                row.reason = why_different(options, &saved, file, image, same_image);
            }
        }
        Err(error) => row.reason = format!("can't be rebuilt: {error}"),
    }
    if row.status == Status::Failed {
        (row.typed, row.payload, row.opaque, row.gap) = (0, 0, row.bytes, 0);
        row.image = None;
    }
    row
}

/// Which of the two levels differs, and where.
fn why_different(
    options: &OpenOptions,
    saved: &Saved,
    file: &[u8],
    image: &[u8],
    same_image: bool,
) -> String {
    if same_image && saved.image.is_some() {
        let at = saved.bytes.iter().zip(file).position(|(new, old)| new != old);
        let at = at.unwrap_or_else(|| saved.bytes.len().min(file.len()));
        let (old, new) = (file.len(), saved.bytes.len());
        return format!(
            "the image is identical, the file around it differs at {at:#x}; {old} bytes became {new}"
        );
    }
    let rebuilt = saved.image.as_deref().unwrap_or(&saved.bytes);
    let package = options.open_bytes(image.to_vec()).ok();
    package.and_then(|package| first_difference(&package, rebuilt)).unwrap_or_default()
}

/// Where the rebuilt bytes leave the file's, and which field stands there.
fn first_difference(package: &Package, rebuilt: &[u8]) -> Option<String> {
    let source = package.source();
    let at = match source.iter().zip(rebuilt).position(|(old, new)| old != new) {
        Some(at) => at,
        None if source.len() == rebuilt.len() => return None,
        None => source.len().min(rebuilt.len()),
    };
    let mut reason = format!("first difference at {at:#x}");
    let fields = Explanation::of(package).unwrap_or_default();
    let field = fields.iter().find(|field| (at as u64) < field.record.end);
    if let Some(field) = field.filter(|field| field.record.start <= at as u64) {
        let record = &field.record;
        reason.push_str(&format!(" in {} ({}, {})", record.path, record.type_name, record.value));
    }
    match (source.get(at), rebuilt.get(at)) {
        (Some(old), Some(new)) => reason.push_str(&format!(": {old:#04x} became {new:#04x}")),
        _ => reason.push_str(": one of them ends there"),
    }
    if source.len() != rebuilt.len() {
        reason.push_str(&format!("; {} bytes became {}", source.len(), rebuilt.len()));
    }
    Some(reason)
}

fn unopened(path: &Path, error: &Error) -> Row {
    let mut row = Row::failed(path, error.to_string());
    if is_ue4(path) {
        let bodies = std::fs::metadata(CompanionKind::Exports.path_beside(path));
        row.bytes += bodies.map_or(0, |metadata| metadata.len());
        row.opaque = row.bytes;
    }
    if let Some(UnrealError::Unsupported { reason, .. }) = error.unreal() {
        row.status = Status::Unsupported;
        row.reason.clone_from(reason);
    }
    if let Some(UnrealError::MissingBodies { .. }) = error.unreal() {
        row.status = Status::Incomplete;
    }
    if let Some(versions) = header_versions(path) {
        row.set_versions(&versions);
    }
    row
}

/// The number behind the tag of a package.
fn version_word(path: &Path) -> Option<u32> {
    use std::io::Read;
    let mut header = [0; 8];
    file::open(path, FileOrigin::Found).ok()?.0.read_exact(&mut header).ok()?;
    let (words, _) = header.as_chunks::<4>();
    let [tag, word] = [words[0], words[1]];
    match PACKAGE_TAG {
        known if u32::from_le_bytes(tag) == known => Some(u32::from_le_bytes(word)),
        known if u32::from_be_bytes(tag) == known => Some(u32::from_be_bytes(word)),
        _ => None,
    }
}

/// Whether the header is one of UE4 or UE5, where a number below zero stands.
fn is_ue4(path: &Path) -> bool {
    version_word(path).is_some_and(|word| (-16..0).contains(&(word as i32)))
}

/// The versions of a header that could not be read further.
fn header_versions(path: &Path) -> Option<Versions> {
    let word = version_word(path)?;
    let (file, licensee) = (word & 0xffff, word >> 16);
    // Compressed streams have a block size there, packages of UE4 and UE5 a number below zero.
    let is_version = (1..1000).contains(&file) && licensee < 0x8000;
    is_version.then(|| {
        Versions::unreal()
            .with(FILE, file)
            .with(LICENSEE, licensee)
            .with_game(Game::detect(file, licensee))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use unreal_packages::generate::Builder;

    #[test]
    fn a_panic_becomes_a_row() {
        let path = Path::new("nowhere.u");
        let row = catching(path, || panic!("boom {}", 1)).unwrap();
        assert_eq!(row.status, Status::Failed);
        assert!(row.reason.ends_with("boom 1"), "{}", row.reason);
    }

    #[test]
    fn a_difference_names_its_field() {
        let bytes = Builder::new(69).name("Hello").build().unwrap();
        let package = Package::from_bytes(bytes.clone()).unwrap();
        assert_eq!(first_difference(&package, &bytes), None);
        let mut other = bytes.clone();
        other[8] ^= 0xff;
        let reason = first_difference(&package, &other).unwrap();
        assert!(reason.starts_with("first difference at 0x8 in summary.package_flags"), "{reason}");
        other.truncate(8);
        let reason = first_difference(&package, &other).unwrap();
        assert!(reason.contains("0x8") && reason.contains("became 8"), "{reason}");
    }
}
