//! The custom versions that the header lists.

use super::Edit;
use crate::primitive::{FString, Guid};
use crate::table::{CustomVersion, CustomVersions, NamedVersion, TaggedVersion};
use crate::version::Versions;

impl Edit {
    /// Lists the custom versions by which bodies are stored in the header.
    pub(crate) fn list_custom_versions(&mut self) {
        let versions = self.versions().clone();
        let form = self.tables().summary.versions.custom_version_form();
        let list = self.tables_mut().summary.custom_versions_mut(&versions);
        *list = form;
        fill(list, &versions);
    }
}

/// The custom versions in the form that the header has.
pub(crate) fn fill(list: &mut CustomVersions, versions: &Versions) {
    let known = versions.custom_versions.iter().flat_map(|known| known.iter().copied());
    match list {
        CustomVersions::Absent => {}
        CustomVersions::Tagged(rows) => {
            let tagged = known.filter(|(key, _)| Guid::new(0, 0, 0, key.d) == *key);
            rows.extend(tagged.map(|(key, version)| TaggedVersion { tag: key.d, version }));
        }
        CustomVersions::Named(rows) => rows.extend(known.map(|(key, version)| NamedVersion {
            key,
            version,
            friendly_name: FString::default(),
        })),
        CustomVersions::Plain(rows) => {
            rows.extend(known.map(|(key, version)| CustomVersion { key, version }));
        }
    }
}
