//! A package rebuilt from its model, and what that shows of its bytes.

use std::sync::Arc;

use super::Positions;
use crate::archive::Coverage;
use crate::error::{Error, Result};
use crate::package::{Decoded, Package, SaveOptions, Saved};

/// A package saved from its model, every body from its typed form, and what was seen on the way.
#[derive(Debug)]
pub struct Rebuilt {
    /// The package as it was saved, or why it can't be.
    pub saved: Result<Saved>,
    /// The kinds of all bytes of the source, bodies as far as they can be decoded.
    pub coverage: Coverage,
    /// The positions in tables and bodies.
    pub positions: Positions,
    /// By export row; `None` where a body was not decoded.
    pub bodies: Vec<Option<BodyBytes>>,
    /// Rows of bodies that could not be decoded whole, and why.
    pub errors: Vec<(usize, Arc<Error>)>,
}

/// Bytes of a body that are not typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyBytes {
    /// Bytes kept as they are.
    pub opaque: u64,
    /// Bulk data whose meaning is known.
    pub payload: u64,
}

impl Rebuilt {
    /// Rebuilds a package. Bodies are decoded one after the other and not kept.
    ///
    /// ```
    /// use unreal_packages::{Package, generate::Builder, inspect::Rebuilt};
    ///
    /// # fn main() -> unreal_packages::Result<()> {
    /// let bytes = Builder::new(69).name("Hello").build()?;
    /// let package = Package::from_bytes(bytes.clone())?;
    /// let rebuilt = Rebuilt::of(&package);
    /// assert_eq!(rebuilt.saved?.bytes, bytes);
    /// assert_eq!(rebuilt.coverage.typed, bytes.len() as u64);
    /// # Ok(())
    /// # }
    /// ```
    pub fn of(package: &Package) -> Self {
        Self::looking(package, |_, _, _| ())
    }

    /// The same; each body that is decoded is shown to `seen` once, which must leave it as it is.
    pub fn looking(package: &Package, seen: impl FnMut(&Package, usize, &mut Decoded)) -> Self {
        Self::by(package, seen, |look| SaveOptions::new().save_looking(package, look))
    }

    /// As [`Rebuilt::looking`], asking only whether the package comes out as its source, which is not made again
    /// where nothing moves: then what is [`Rebuilt::saved`] has no bytes.
    ///
    /// The first value is the answer; `None` where the package can't be saved.
    pub fn proving(
        package: &Package,
        seen: impl FnMut(&Package, usize, &mut Decoded),
    ) -> (Option<bool>, Self) {
        let mut is_same = None;
        let rebuilt = Self::by(package, seen, |look| {
            let (saved, same) =
                SaveOptions::new().compare(package.source_bytes(), package, look)?;
            is_same = Some(same);
            Ok(saved)
        });
        (is_same, rebuilt)
    }

    fn by(
        package: &Package,
        mut seen: impl FnMut(&Package, usize, &mut Decoded),
        save: impl FnOnce(&mut dyn FnMut(&Package, usize, &mut Decoded) -> Result<()>) -> Result<Saved>,
    ) -> Self {
        let mut positions = Positions::of_tables(package);
        let mut bodies = vec![None; package.exports().len()];
        let mut errors = Vec::new();
        let mut look = |package: &Package, row: usize, decoded: &mut Decoded| {
            let (opaque, payload) = (decoded.opaque, decoded.payload);
            if bodies[row].replace(BodyBytes { opaque, payload }).is_none() {
                errors.extend(decoded.error.clone().map(|error| (row, error)));
                positions.add_body(package, row, decoded);
                seen(package, row, decoded);
            }
        };
        let saved = save(&mut |package, row, decoded| {
            look(package, row, decoded);
            Ok(())
        });
        // Those that were decoded before, and those that a save which failed has not come to.
        if saved.is_err() || !package.bodies().decoded.is_empty() {
            package.each_body(|row, decoded| look(package, row, decoded));
        }
        let coverage = package.coverage_by(|row| {
            let body = bodies.get(row).copied().flatten()?;
            Some((body.opaque, body.payload))
        });
        Self { saved, coverage, positions, bodies, errors }
    }
}
