//! Soft references and redirectors: paths that are followed through packages.

use super::external::{former_selves, is_made_anew, is_of_the_editor};
use super::resolve::{ImportTarget, OuterPlace, Resolver, is_redirector};
use super::{Dependency, Outcome, Resolution};
use crate::primitive::{ObjectRef, PackageIndex};

/// Redirectors are followed this far.
const DEEPEST: usize = 16;

impl Resolver<'_> {
    /// Resolves a soft reference.
    pub(super) fn soft_resolution(&mut self, row: usize) -> Resolution {
        let digest = self.digest.clone();
        let (package, object) = digest.soft_reference(row);
        let own = package.eq_ignore_ascii_case(self.name);
        let root = match own {
            true => OuterPlace::At(self.own(), PackageIndex::NULL),
            false => self.root(package),
        };
        let outcome = match root {
            OuterPlace::Nowhere(Outcome::PackageMissing) if self.is_former_self(package) => {
                Outcome::OfTheEditor
            }
            OuterPlace::Nowhere(outcome) => outcome,
            OuterPlace::Copies => Outcome::PackageMissing,
            OuterPlace::At(target, root) => self.soft_outcome(&target, root, object),
        };
        Resolution {
            kind: Dependency::Soft,
            import: row,
            path: digest.soft_path(row),
            class: String::new(),
            package: package.to_owned(),
            optional: false,
            outcome,
        }
    }

    /// Whether a package is this one before it was moved or copied.
    fn is_former_self(&self, package: &str) -> bool {
        let former = self.former_selves.get_or_init(|| {
            let digest = &self.digest;
            former_selves(self.name, (0..digest.soft.len()).map(|row| digest.soft_reference(row)))
        });
        former.contains(&package.to_ascii_lowercase())
    }

    fn soft_outcome(&self, target: &ImportTarget, root: PackageIndex, object: &str) -> Outcome {
        let (mut at, mut made_anew) = (root, is_of_the_editor(object));
        for name in object.split(['.', ':']).filter(|name| !name.is_empty()) {
            let id = target.digest.id(name);
            let found = id.and_then(|id| target.digest.children(at, id).next());
            let Some(row) = found else {
                return match () {
                    () if made_anew => Outcome::OfTheEditor,
                    // An actor in a file of its own.
                    () if self.environment.has_actor(&target.name, name) => {
                        Outcome::Found { row: None }
                    }
                    () => Outcome::ObjectMissing { near: self.near(target, name, ("", "")) },
                };
            };
            let class = target.digest.class_of(row, &target.name).1;
            if is_redirector(class) {
                return self.redirected(target, row, None);
            }
            made_anew |= is_made_anew(class);
            at = PackageIndex::export(row);
        }
        match at.target() {
            ObjectRef::Export(row) => Outcome::Found { row: Some(row) },
            _ => Outcome::Found { row: None },
        }
    }

    /// The object that a redirector leads to: it must be there and of the class that is wanted,
    /// if one is.
    pub(super) fn redirected(
        &self,
        target: &ImportTarget,
        row: usize,
        wanted: Option<(&str, &str)>,
    ) -> Outcome {
        let (mut target, mut at) = (target.clone(), row);
        for _ in 0..DEEPEST {
            let Some(next) = target.digest.redirect(at) else {
                // Its body is not decoded.
                return Outcome::Redirected { row, to: String::new() };
            };
            let broken = |to: String| Outcome::RedirectorBroken { row, to };
            let way = target.digest.path(next);
            match next.target() {
                ObjectRef::Null => return broken("nothing".to_owned()),
                ObjectRef::Export(export) => at = export,
                ObjectRef::Import(_) => {
                    let root = target.digest.root(next);
                    let package = target.digest.name(root).to_owned();
                    match self.find_root(&package) {
                        // Only code has it, or it can't be looked at.
                        OuterPlace::Nowhere(Outcome::Native | Outcome::Elsewhere { .. }) => {
                            return Outcome::Redirected { row, to: way };
                        }
                        OuterPlace::At(other, start) => {
                            let names = target.digest.way(root, next);
                            let found = other.digest.descend(start, &names);
                            let Some(ObjectRef::Export(row)) = found.map(PackageIndex::target)
                            else {
                                return broken(way);
                            };
                            (target, at) = (other, row);
                        }
                        _ => return broken(way),
                    }
                }
            }
            let found = target.digest.class_of(at, &target.name);
            if !is_redirector(found.1) {
                let is = |wanted: (&str, &str)| {
                    wanted.0.eq_ignore_ascii_case(found.0) && wanted.1.eq_ignore_ascii_case(found.1)
                };
                let to =
                    format!("{}.{}", target.name, target.digest.path(PackageIndex::export(at)));
                return match wanted.is_none_or(is) {
                    true => Outcome::Redirected { row, to },
                    false => broken(to),
                };
            }
        }
        Outcome::RedirectorBroken { row, to: "itself".to_owned() }
    }
}
