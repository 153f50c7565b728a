//! The header's list of the packages to which soft paths lead.
//!
//! The editor lists the package of every path that it saves, the package's own included; cooked packages have no
//! list (spec: ue4-5/03 §7).

use super::Edit;
use crate::archive::{Archive, Context, References};
use crate::error::Result;
use crate::primitive::{SoftObjectPath, Visitor, Way, split_soft_path};
use crate::table::SoftPackageReference;
use crate::version::UnrealVersions;
use crate::version::threshold::ue4;

/// The packages of the soft paths that are met.
struct Packages<'a> {
    context: &'a Context,
    found: Vec<String>,
}

impl Visitor for Packages<'_> {
    fn takes_paths(&self) -> bool {
        false
    }

    fn soft_path(&mut self, path: &mut SoftObjectPath, _: &Way) {
        self.found.push(split_soft_path(&path.text(self.context)).0.to_owned());
    }
}

impl Edit {
    /// The list has the package of this path, where the package has a list.
    pub(super) fn list_soft_package(&mut self, path: &str) -> Result<()> {
        // A package that is being made has one.
        let has_list = self.tables().summary.soft_package_references_offset != 0
            || self.package.baseline().is_none();
        let is_known = self.versions().ue4() >= ue4::ADD_STRING_ASSET_REFERENCES_MAP;
        if path.is_empty() || !is_known || self.versions().cooked() || !has_list {
            return Ok(());
        }
        // From 484 on only packages stand here.
        let text = match self.versions().ue4() {
            ..ue4::KEEP_ONLY_PACKAGE_NAMES_IN_STRING_ASSET_REFERENCES_MAP => path,
            _ => split_soft_path(path).0,
        };
        let rows = 0..self.tables().further.soft_package_references.len();
        if rows.into_iter().any(|row| self.soft_package(row).eq_ignore_ascii_case(text)) {
            return Ok(());
        }
        let mut reference = SoftPackageReference::default();
        match self.versions().ue4() {
            ..ue4::ADDED_SOFT_OBJECT_PATH => reference.path = self.string(text),
            _ => reference.name = self.add_object_name(text)?,
        }
        let further = self.further_mut();
        further.soft_package_references.push(reference);
        if let Some(dependencies) = &mut further.asset_dependencies {
            dependencies.soft_package_used_in_game.push(true);
        }
        self.sync_counts()
    }

    /// The text of a row of the list.
    fn soft_package(&self, row: usize) -> String {
        let Some(reference) = self.tables().further.soft_package_references.get(row) else {
            return String::new();
        };
        match self.versions().ue4() {
            ..ue4::ADDED_SOFT_OBJECT_PATH => {
                reference.path.text(self.source()).unwrap_or_default().into_owned()
            }
            _ => self.name_text(reference.name),
        }
    }

    /// Takes out the soft paths, and the packages in the list, that edits have added and nothing uses.
    pub(super) fn drop_soft_paths(&mut self) -> Result<()> {
        let Some(baseline) = self.package.baseline() else { return Ok(()) };
        let (paths, packages) = (baseline.soft_paths, baseline.soft_packages);
        if baseline.rebuilt && self.tables().further.soft_object_paths.len() > paths {
            self.decode_all();
        }
        let further = &self.tables().further;
        let added = further.soft_package_references.len() > packages;
        if further.soft_object_paths.len() > paths {
            self.drop_last_paths(paths)?;
        }
        if !added {
            return Ok(());
        }
        let used = self.soft_packages();
        let is_used = |row: usize| {
            let text = self.soft_package(row);
            used.iter()
                .any(|path| split_soft_path(path).0.eq_ignore_ascii_case(split_soft_path(&text).0))
        };
        let count = self.tables().further.soft_package_references.len();
        let gone: Vec<usize> = (packages..count).filter(|row| !is_used(*row)).collect();
        if gone.is_empty() {
            return Ok(());
        }
        let further = self.further_mut();
        let mut at = 0..;
        further
            .soft_package_references
            .retain(|_| at.next().is_none_or(|row| !gone.contains(&row)));
        if let Some(dependencies) = &mut further.asset_dependencies {
            dependencies.soft_package_used_in_game.keep(|row| !gone.contains(&row));
        }
        self.sync_counts()
    }

    /// Paths at the end of the list that nothing uses; others would have to be renumbered.
    fn drop_last_paths(&mut self, first: usize) -> Result<()> {
        let mut used = References::new(self.versions().clone());
        let sections = self.package.header_sections().into_iter();
        for section in sections.filter(|section| section.may_hold_names()) {
            // Visiting never fails: it neither reads nor writes.
            let _ = self.package.serialize_section(section, used.as_dyn());
        }
        let rows = used.rows(&SoftObjectPath::SPACE).iter();
        let last =
            rows.filter(|(_, count)| **count > 0).map(|(row, _)| row.saturating_add(1)).max();
        let last = last.unwrap_or(0).max(self.package.body_uses().soft_rows());
        let left = usize::try_from(last).unwrap_or(0).max(first);
        if left < self.tables().further.soft_object_paths.len() {
            self.further_mut().soft_object_paths.truncate(left);
            self.sync_counts()?;
        }
        Ok(())
    }

    /// The packages of all soft paths that are seen.
    pub(super) fn soft_packages(&mut self) -> Vec<String> {
        self.decode_all();
        let bodies: Vec<usize> = self.package.body_uses().with_paths().collect();
        let context = self.decoding_context();
        let mut packages = Packages { context: &context, found: Vec::new() };
        // Rows of exports have none.
        self.package.visit_header(&mut packages, &context, Some(&[]), &mut |_, _| {});
        for row in bodies {
            let Some(decoded) = self.bodies().decoded.get(&row) else { continue };
            self.show_body(&mut decoded.body.clone(), &context, &mut packages);
        }
        packages.found
    }
}
