//! How objects are copied.

use crate::inspect::own_path::package_path;
use crate::package::Package;
use crate::version::UnrealVersions;

/// The treatment of other objects of the source package that a copied object refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Dependencies {
    /// Public ones are imported from the source package, if its name is known; private ones, which can't be
    /// imported, come along; but other actors of its level are refused.
    #[default]
    Auto,
    /// All come along, actors too.
    Copy,
    /// All are imported; private ones are refused.
    Import,
}

/// How an object is copied into another package.
#[derive(Debug, Clone, Default)]
pub struct CopyOptions {
    pub(super) into: Option<String>,
    pub(super) dependencies: Dependencies,
    pub(super) source_name: Option<String>,
    pub(super) target_name: Option<String>,
    pub(super) name: Option<String>,
}

impl CopyOptions {
    /// To the top of the package, dependencies as [`Dependencies::Auto`] says.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, with the paths of the packages where they say them: from UE4 on a package is known by its path,
    /// and not by its file.
    pub(super) fn with_paths(mut self, target: &Package, source: &Package) -> Self {
        if !target.versions().has_soft_references() {
            return self;
        }
        let settle = |name: &mut Option<String>, package: &Package| {
            if !name.as_ref().is_some_and(|name| name.starts_with('/')) {
                *name = package_path(package);
            }
        };
        settle(&mut self.source_name, source);
        settle(&mut self.target_name, target);
        self
    }

    /// Puts the object into this group, which must be there.
    #[must_use]
    pub fn into_group(mut self, path: impl Into<String>) -> Self {
        self.into = Some(path.into());
        self
    }

    /// Calls the copied object so.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets the treatment of other objects that the copied one refers to.
    #[must_use]
    pub fn dependencies(mut self, dependencies: Dependencies) -> Self {
        self.dependencies = dependencies;
        self
    }

    /// The name of the source package, as its file has it: objects of it can be imported then.
    #[must_use]
    pub fn source_name(mut self, name: impl Into<String>) -> Self {
        self.source_name = Some(name.into());
        self
    }

    /// The name of the package that is copied into: what the source imports from it is found there then.
    #[must_use]
    pub fn target_name(mut self, name: impl Into<String>) -> Self {
        self.target_name = Some(name.into());
        self
    }
}
