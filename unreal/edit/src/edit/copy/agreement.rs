//! Whether two packages store what is copied alike.

use crate::archive::RecordValue;
use crate::edit::Edit;
use crate::edit::convert::converted;
use crate::error::{Error, Result, UnrealErrors};
use crate::object::ue4::bulk;
use crate::package::Package;
use crate::version::{EngineRelease, Guid, UnrealVersions, Versions};

/// Custom versions by GUID.
type CustomList = Vec<(Guid, i32)>;

impl Edit {
    /// The other package for the file version of this one, where it is of another version of the same engine and game;
    /// `None` where nothing is to convert, or can be.
    ///
    /// # Errors
    /// As [`converted`]: the values and objects that this version can't hold.
    pub(in crate::edit) fn converted_for_copy(&self, other: &Package) -> Result<Option<Package>> {
        let (ours, theirs) = (self.versions(), other.versions());
        let is_classic = !ours.has_soft_references() && !theirs.has_soft_references();
        // Other engines are refused by what converts.
        let is_kin = ours.licensee() == theirs.licensee() && ours.game() == theirs.game();
        match is_classic && is_kin && ours.file() != theirs.file() {
            true => converted(other, ours.file()).map(Some),
            false => Ok(None),
        }
    }

    /// Refuses a package of other versions; custom versions are looked at later, where they matter.
    pub(in crate::edit) fn check_same_versions(&self, other: &Package) -> Result<()> {
        let plain = |versions: &Versions| {
            versions.clone().with_custom_versions(Vec::new()).with_release(None)
        };
        let (ours, theirs) = (self.versions(), other.versions());
        if plain(ours) == plain(theirs) {
            return Ok(());
        }
        let what = match () {
            () if !ours.has_soft_references() || !theirs.has_soft_references() => {
                "they are of different engines or games, whose packages are not converted"
            }
            () if (ours.ue4(), ours.ue5()) != (theirs.ue4(), theirs.ue5()) => {
                "save one of the packages with the other one's release of the editor first"
            }
            () => "one is cooked, or leaves out names of properties, and the other does not",
        };
        let reason =
            format!("the layouts of version {theirs} and version {ours} may differ; {what}");
        Err(Error::invalid(reason))
    }

    /// The custom versions of this package with those that only the other one lists; `None` where there are
    /// none.
    pub(in crate::edit) fn more_custom_versions(&self, source: &Edit) -> Option<CustomList> {
        let list = |versions: &Versions| -> CustomList {
            versions.custom_versions.iter().flat_map(|list| list.iter().copied()).collect()
        };
        let mut all = list(self.versions());
        let missing = |&(guid, _): &(Guid, i32)| !all.iter().any(|(known, _)| *known == guid);
        let missing: CustomList = list(source.versions()).into_iter().filter(missing).collect();
        all.extend(missing.iter().copied());
        (!missing.is_empty()).then_some(all)
    }

    /// Refuses custom versions by which the package would be read as one of another release than before: bodies are stored
    /// by that.
    pub(in crate::edit) fn refuse_other_release(&self, told: Option<EngineRelease>) -> Result<()> {
        let now = EngineRelease::of_stored(self.versions());
        match told {
            Some(told) if told != now => Err(Error::unsupported(format!(
                "with these custom versions the package would be read as one of {now}, and not of {told}"
            ))),
            _ => Ok(()),
        }
    }

    /// Lists these custom versions in the header. A package that lacks one has no body that depends on it;
    /// that all bodies are read as before is proved nevertheless.
    ///
    /// # Errors
    /// `Refused` where a body is not decoded whole, or would be read as something else.
    pub(in crate::edit) fn take_custom_versions(&mut self, custom: CustomList) -> Result<()> {
        self.decode_all();
        let rows = 0..self.tables().exports.len();
        self.decode_rows(rows.clone())?;
        let told = self.summary().likely_release(self.versions());
        self.whole().parts_mut().versions.set_custom_versions(custom);
        self.refuse_other_release(told)?;
        self.list_custom_versions();
        self.prove_bodies(rows)
    }

    /// Refuses bodies whose payloads stand elsewhere than in them: those would be left behind.
    pub(in crate::edit) fn check_payloads(&self, rows: &[usize]) -> Result<()> {
        if !self.versions().has_soft_references() {
            return Ok(());
        }
        let mut apart = Vec::new();
        for &row in rows {
            let Some(decoded) = self.bodies().decoded.get(&row) else { continue };
            if decoded.payload == 0 && self.tables().further.data_resources.is_some() {
                continue;
            }
            let (start, _) = self.body_range(row);
            let (_, records) =
                self.written(&mut decoded.body.clone(), start, self.decoding_context())?;
            let numbers = records.windows(3).any(|known| {
                let [flags, _, size] = known else { return false };
                let (RecordValue::Integer(bits), RecordValue::Integer(bytes)) =
                    (&flags.value, &size.value)
                else {
                    return false;
                };
                let of = flags.path.strip_suffix("flags");
                of.is_some()
                    && of == size.path.strip_suffix("size_on_disk")
                    && *bytes > 0
                    && u32::try_from(*bits).is_ok_and(|bits| !bulk::is_inline(bits))
            });
            // Payloads of the editor stand behind all bodies, in the package's trailer.
            let editor = records.windows(2).any(|known| {
                let [id, size] = known else { return false };
                let of = id.path.strip_suffix("content_id");
                of.is_some()
                    && of == size.path.strip_suffix("payload_size")
                    && matches!(size.value, RecordValue::Integer(1..))
            });
            if numbers || editor {
                apart.push(self.exports().path(row));
            }
        }
        if apart.is_empty() {
            return Ok(());
        }
        let reason = "their payloads stand behind the bodies of the other package, or in a file beside it \
                      (.ubulk), and are not copied";
        Err(Error::refused(reason, apart))
    }
}
