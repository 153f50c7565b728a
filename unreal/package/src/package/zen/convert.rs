//! Between packages as files and packages in containers.

use super::around::ZenAround;
use super::context::ZenContext;
use super::kept::counts_positions;
use super::write::ZenPackage;
use super::{bodies, placeholder, refusal};
use crate::compression::{Container, Storage};
use crate::container::zen::ZenForm;
use crate::error::{Error, Result, UnrealErrors};
use crate::package::{ImportView, Package, SaveOptions, Saved};

impl ImportView<'_> {
    /// Whether it has a name: of imports of packages in containers only hashes may be known
    /// ([`crate::package::OpenOptions::import_names`]).
    pub fn is_known(self) -> bool {
        !placeholder::is(&self.name())
    }
}

impl ZenContext<'_> {
    /// A cooked package as the engine stores it in a container, and ready to be written.
    ///
    /// # Errors
    /// As [`ZenContext::of`].
    pub fn save(&self, package: &Package, options: &SaveOptions) -> Result<(ZenPackage, Saved)> {
        // Opened again it has the release that it is read as, whatever that rests on.
        refusal::refuse(package)?;
        let saved = package.save(&options.clone().storage(Storage::Plain))?;
        let image = saved.bytes.clone();
        let made = self.of_saved(&package.reopened(image.clone())?, &image)?;
        let bytes = made.bytes.clone().into();
        let saved = Saved { bytes, split: None, image: Some(image), ..saved };
        match package.reopened(saved.bytes.clone())?.to_bytes()? == saved.bytes {
            true => Ok((made, saved)),
            false => {
                Err(Error::invalid("the package is saved to other bytes when it is opened again"))
            }
        }
    }
}

impl ZenPackage {
    /// A cooked package as the engine stores it in a container, ready to be written.
    ///
    /// # Errors
    /// As [`ZenPackage::of`].
    pub fn save(package: &Package, options: &SaveOptions) -> Result<Saved> {
        ZenContext::new().save(package, options).map(|(_, saved)| saved)
    }

    /// A package of a container as the two files that it was cooked as, ready to be written, and whether the way
    /// back gives the same bytes. What the container leaves out has the usual form; imports that nobody knows are
    /// called by their hashes ([`ImportView::is_known`]).
    ///
    /// # Errors
    /// `Unsupported` for a package that is none of a container, and for bodies that would count wrong positions.
    pub fn save_legacy(package: &Package, options: &SaveOptions) -> Result<(Saved, bool)> {
        let around = package.container().and_then(Container::made_as::<ZenAround>);
        let around = around.ok_or_else(|| Error::unsupported("it is no package of a container"))?;
        let saved = package.save(&options.clone().storage(Storage::Plain))?;
        let legacy = package.reopened(saved.bytes.clone())?;
        if legacy.to_bytes()? != saved.bytes {
            let reason = "the package is saved to other bytes when it is opened again";
            return Err(Error::invalid(reason));
        }
        let form = ZenForm::of(&around.versions);
        let file = package.file();
        let (ranges, _) = bodies::ranges(&around.header, form, file.len())?;
        if form < ZenForm::Ue5_2 {
            let start = match form {
                ZenForm::Ue4_26 => 0,
                _ => u64::from(around.header.summary.cooked_header_size),
            };
            for (row, range) in ranges.into_iter().enumerate() {
                let place = start.saturating_add(around.header.exports[row].cooked_serial_offset);
                let body = file.get(range).unwrap_or_default();
                let now = legacy.exports().get(row).map(|export| export.offset());
                if now != Some(place) && counts_positions(package, body, place) {
                    let path = package.exports().path(row);
                    return Err(Error::unsupported(format!(
                        "the body of '{path}' seems to count positions in the file that it was cooked as"
                    )));
                }
            }
        }
        let back = || Ok::<_, Error>(Self::of(&legacy)?.bytes == package.to_bytes()?);
        let is_exact = !form.has_bundles() && back().unwrap_or(false);
        let split = u64::try_from(legacy.summary().total_header_size).ok();
        Ok((Saved { split, image: None, ..saved }, is_exact))
    }
}
