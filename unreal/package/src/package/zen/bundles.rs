//! Export bundles of a package for releases up to 5.2, and what they wait for.

use std::collections::HashSet;

use super::imports::ZenImports;
use super::order::{CREATE, SERIALIZE, StepNeeds, outside};
use crate::container::zen::{
    ZenArc, ZenBundle, ZenCommand, ZenDependencies, ZenForm, ZenHeader, ZenImportArc,
    ZenPackageArcs,
};
use crate::error::Result;

/// The steps of loading in their bundles.
pub(super) struct BundledSteps {
    pub bundles: Vec<ZenBundle>,
    /// For each object the bundle in which it is made, and the one in which its body is read.
    of: Vec<[i32; 2]>,
}

impl BundledSteps {
    /// A bundle ends behind each step of a public object: what other packages wait for is then there
    /// (spec: ue4-5/12 §9). In UE4 packages that wait for no other one are one bundle, as the 220 objects of a real one
    /// are, 45 of them public: others refer to it by its number.
    pub fn of(form: ZenForm, commands: &[ZenCommand], is_public: &[bool]) -> Self {
        let (mut bundles, mut is_open) = (Vec::<ZenBundle>::new(), false);
        for (step, at) in commands.iter().zip(0..) {
            match bundles.last_mut().filter(|_| is_open) {
                Some(bundle) => bundle.count += 1,
                None => bundles.push(ZenBundle { first: at, count: 1, serial_offset: 0 }),
            }
            let is_public = is_public.get(step.export as usize).copied().unwrap_or_default();
            is_open = form == ZenForm::Ue4_26 || !is_public;
        }
        let of = Self::by_object(&bundles, commands, is_public.len());
        Self { bundles, of }
    }

    fn by_object(bundles: &[ZenBundle], commands: &[ZenCommand], objects: usize) -> Vec<[i32; 2]> {
        let mut of = vec![[-1; 2]; objects];
        for (bundle, number) in bundles.iter().zip(0..) {
            let first = bundle.first as usize;
            let steps = commands.get(first..first.saturating_add(bundle.count as usize));
            for step in steps.unwrap_or_default() {
                let place = of.get_mut(step.export as usize);
                if let Some(place) = place.and_then(|it| it.get_mut(step.command as usize)) {
                    *place = number;
                }
            }
        }
        of
    }

    /// The bundle of a step of an object.
    pub fn bundle(&self, object: usize, step: usize) -> Result<i32> {
        let of = self.of.get(object).and_then(|steps| steps.get(step));
        of.copied().filter(|bundle| *bundle >= 0).ok_or_else(outside)
    }
}

/// What the steps of a package wait for.
pub(super) struct BundleWaits<'a> {
    pub steps: &'a BundledSteps,
    pub dependencies: &'a [ZenDependencies],
    pub entries: &'a [i32],
    pub imports: &'a ZenImports,
}

impl BundleWaits<'_> {
    /// Every pair of a step and what it waits for, in the engine's order: object by object, first what it waits for to
    /// be made. `visit` is given the entry (0 is the object itself), the step of it, and the bundle that waits.
    fn each(&self, mut visit: impl FnMut(usize, i32, usize, i32) -> Result<()>) -> Result<()> {
        for (row, counts) in self.dependencies.iter().enumerate() {
            let mut made = false;
            for needs in StepNeeds::of(counts, self.entries)? {
                let waits = self.steps.bundle(row, needs.after)?;
                if needs.after == SERIALIZE && !std::mem::replace(&mut made, true) {
                    visit(row, 0, CREATE, waits)?;
                }
                for &entry in needs.entries {
                    visit(row, entry, needs.before, waits)?;
                }
            }
        }
        Ok(())
    }

    /// Which bundles of the package wait for which of it, each pair once.
    pub fn within(&self) -> Result<Vec<ZenArc>> {
        let (mut arcs, mut seen) = (Vec::new(), HashSet::new());
        self.each(|row, entry, step, to| {
            let object = match entry {
                0 => row,
                1.. => entry as usize - 1,
                _ => return Ok(()),
            };
            let from = self.steps.bundle(object, step)?;
            if from != to && seen.insert((from, to)) {
                arcs.push(ZenArc { from, to });
            }
            Ok(())
        })?;
        Ok(arcs)
    }

    /// Which bundles wait for which steps of imported objects, for each imported package, ascending by its number.
    pub fn outside(&self) -> Result<Vec<ZenPackageArcs>> {
        let mut all = vec![ZenPackageArcs::default(); self.imports.packages.len()];
        let mut seen = HashSet::new();
        self.each(|_, entry, step, to| {
            let Some(import) = import_row(entry) else { return Ok(()) };
            let Some(package) = self.imports.package_of(import) else { return Ok(()) };
            if seen.insert((import, step, to)) {
                let (import, command) = (import as i32, step as u8);
                all[package].imports.push(ZenImportArc { import, command, to });
            }
            Ok(())
        })?;
        Ok(all)
    }
}

fn import_row(entry: i32) -> Option<usize> {
    usize::try_from(-(i64::from(entry)) - 1).ok()
}

/// Where the bodies of each bundle start, one bundle behind the other.
pub(super) fn place(header: &mut ZenHeader, form: ZenForm) {
    let mut at = 0;
    for bundle in &mut header.bundles {
        bundle.serial_offset = at;
        let first = bundle.first as usize;
        let steps = header.commands.get(first..first.saturating_add(bundle.count as usize));
        let read =
            steps.unwrap_or_default().iter().filter(|step| step.command as usize == SERIALIZE);
        let sizes = read.filter_map(|step| header.exports.get(step.export as usize));
        at += sizes.map(|export| export.cooked_serial_size).sum::<u64>();
    }
    if form == ZenForm::Ue4_26 {
        header.bundles.iter_mut().for_each(|bundle| bundle.serial_offset = 0);
    }
}
