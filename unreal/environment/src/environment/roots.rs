//! Roots of package paths of UE4 and UE5: `/Game/`, `/Engine/`, a plugin's name.

use std::collections::{BTreeMap, BTreeSet};

use super::Environment;

/// The roots whose content is at hand. A package below another one says nothing: `/Niagara/` is the engine's, which a
/// project does not have.
#[derive(Debug, Clone, Default)]
pub struct Roots(
    /// In small letters, sorted: a hostile folder may hold one for each of its files.
    Vec<Box<str>>,
);

impl Roots {
    /// Roots by their names: `Game`.
    pub fn of<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> Self {
        let mut roots: Vec<Box<str>> =
            names.into_iter().map(|name| name.as_ref().to_ascii_lowercase().into()).collect();
        roots.sort();
        roots.dedup();
        Self(roots)
    }

    /// The roots of these packages.
    pub fn of_packages<'a>(packages: impl IntoIterator<Item = &'a str>) -> Self {
        Self::of(packages.into_iter().filter_map(root))
    }

    fn has(&self, name: &str) -> bool {
        let lower = || name.bytes().map(|byte| byte.to_ascii_lowercase());
        self.0.binary_search_by(|root| root.bytes().cmp(lower())).is_ok()
    }

    /// The root of a package whose content is not at hand. With the engine everything is: then what is missing
    /// is missing. Where no root is known, files have names without folders, and nothing can be said.
    pub fn elsewhere<'a>(&self, package: &'a str) -> Option<&'a str> {
        let is_elsewhere = |name: &&str| {
            !self.0.is_empty() && !name.eq_ignore_ascii_case("Game") && !self.has(name)
        };
        root(package).filter(is_elsewhere).filter(|_| !self.has("Engine"))
    }
}

/// The root of a path; none of a name without folders.
fn root(package: &str) -> Option<&str> {
    let inside = package.strip_prefix('/')?;
    inside.split(['/', '.']).next().filter(|name| !name.is_empty())
}

impl Environment {
    /// The roots whose content is not at hand, each with how many of its packages are referred to: nothing is known of
    /// these.
    pub fn roots_elsewhere(&self) -> BTreeMap<String, usize> {
        let mut packages: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (id, _) in self.files() {
            let Ok(digest) = self.digest(id) else { continue };
            let hard = digest.packages();
            let soft = (0..digest.soft.len()).map(|row| digest.soft_reference(row).0);
            for package in hard.iter().copied().chain(soft) {
                if super::native::is_package(package) {
                    continue;
                }
                if let Some(root) = self.elsewhere(package) {
                    let known = packages.entry(root.to_owned()).or_default();
                    known.insert(package.to_ascii_lowercase());
                }
            }
        }
        packages.into_iter().map(|(root, packages)| (root, packages.len())).collect()
    }
}
