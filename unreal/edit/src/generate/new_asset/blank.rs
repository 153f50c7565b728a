//! Packages without an object as the cookers of the releases make them.

use std::sync::Arc;

use super::super::Builder;
use crate::Guid;
use crate::error::{Error, Result, UnrealErrors};
use crate::package::{OpenOptions, Package};
use crate::primitive::PackageFlags;
use crate::property::Mappings;
use crate::version::threshold::ue5;
use crate::version::{EngineRelease, UnrealVersions};

/// The first release whose games leave out names and types of properties.
const UNVERSIONED: EngineRelease = EngineRelease::new(4, 25);

/// The first release whose cookers put bodies into a file of their own unless a project says otherwise: its loader is
/// driven by events.
const SPLIT: EngineRelease = EngineRelease::new(4, 16);

/// A cooked package with no object. What its header says are the values of games' own: tests/corpus/new_assets.rs compares
/// those of 90 cooked packages of 4.17 to 5.8, field by field.
pub(super) fn blank(
    release: EngineRelease,
    mappings: Option<Arc<Mappings>>,
    guid: Option<Guid>,
) -> Result<Package> {
    if mappings.is_some() && release < UNVERSIONED {
        let reason = format!(
            "games before Unreal Engine {UNVERSIONED} store names and types of properties: leave the mappings out"
        );
        return Err(Error::unsupported(reason));
    }
    let mut flags = PackageFlags::FILTER_EDITOR_ONLY;
    let is_ue5 = release.versions().ue5() >= ue5::INITIAL_VERSION;
    if is_ue5 {
        flags = flags.with(PackageFlags::UE4_COOKED);
    }
    if mappings.is_some() {
        flags = flags.with(PackageFlags::UNVERSIONED_PROPERTIES);
    }
    let guid = guid.unwrap_or_else(|| if is_ue5 { Guid::default() } else { Guid::random() });
    let bytes = Builder::for_release(release).flags(flags).unversioned().guid(guid).build()?;
    let mut options = OpenOptions::new().engine(release);
    if let Some(mappings) = mappings {
        options = options.mappings(mappings);
    }
    let whole = options.open_bytes(bytes)?;
    if release < SPLIT {
        return Ok(whole);
    }
    let header = usize::try_from(whole.summary().total_header_size).unwrap_or(0);
    let (header, bodies) = whole.source().split_at(header.min(whole.source().len()));
    options.open_split(header, bodies)
}
