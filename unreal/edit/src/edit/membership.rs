//! Lists in which an object must stand: those that its owner has of what belongs to it.
//!
//! An object that lies in its owner and stands in none of its lists is dead: a Kismet action that no sequence
//! runs, a node that no graph draws, an expression that no material compiles. Which lists there are is one table
//! ([`KINDS`]); adding, duplicating, copying, moving and removing all go by it. A level's actors are a list of its own
//! ([`level`](super::level)), since more hangs on it.

mod kinds;
mod lists;
mod near;
mod paths;
mod pins;

use std::collections::HashMap;

use super::Edit;
use super::rows::export_row;
use crate::error::Result;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::{PathPart, Type};

use self::kinds::{KINDS, MemberList};
pub(super) use self::lists::drop_members;
pub(super) use self::paths::{is_bound_to_level, merged};

impl Edit {
    /// Puts the copy of an object into every list of its owner that has the original.
    pub(super) fn list_copy(
        &mut self,
        old: usize,
        new: usize,
        copies: &HashMap<usize, usize>,
    ) -> Result<()> {
        let [before, after] = [old, new].map(PackageIndex::export);
        let outer = self.outer(before);
        let context = self.decoding_context();
        for row in self.package.body_uses().users([before]) {
            let owner = PackageIndex::export(row);
            // Lists of others that refer to the original are no lists of members.
            let is_near = owner == outer || self.outer(owner) == outer;
            let is_copied = copies.contains_key(&row) || copies.values().any(|&copy| copy == row);
            if !is_near || is_copied {
                continue;
            }
            self.decode_row(row);
            let Some(decoded) = self.bodies().decoded.get(&row) else { continue };
            if !lists::add_copy(&mut decoded.body.clone(), before, after, &context) {
                continue;
            }
            let referred = self.references_of(row).unwrap_or_default();
            if let Some(decoded) = self.decoded_mut(row) {
                lists::add_copy(&mut decoded.body, before, after, &context);
            }
            self.settle_preload_since(row, &referred)?;
        }
        Ok(())
    }

    /// Whether objects of such a class have lists of what lies in them.
    pub(super) fn has_member_lists(&self, row: usize) -> bool {
        let line = self.class_line(row);
        KINDS.iter().any(|kind| kind.is_owner(&line))
    }

    /// Whether a property of an object is a list of what belongs to it, whatever the order: of the kinds into which
    /// each new object goes, behind the others.
    pub(super) fn is_member_list(&self, row: usize, property: &str) -> bool {
        let mut kinds = KINDS
            .iter()
            .filter(|kind| kind.takes_new && kind.path.eq_ignore_ascii_case(property))
            .peekable();
        kinds.peek().is_some() && {
            let line = self.class_line(row);
            kinds.any(|kind| kind.is_owner(&line))
        }
    }

    /// Puts a new object into the list that its owner has of such objects.
    pub(super) fn list_new(&mut self, row: usize) -> Result<()> {
        let ObjectRef::Export(outer) = self.outer(PackageIndex::export(row)).target() else {
            return Ok(());
        };
        let line = self.class_line(row);
        let kinds = KINDS.iter().filter(|kind| kind.takes_new && kind.is_member(&line));
        for kind in kinds {
            for owner in self.owners_near(outer, kind) {
                if kind.is_owner(&self.class_line(owner)) {
                    return self.list_in(owner, kind, row);
                }
            }
        }
        Ok(())
    }

    /// The objects that may have a list of what lies in `outer`: it, or what it keeps for the editor alone.
    fn owners_near(&self, outer: usize, kind: &MemberList) -> Vec<usize> {
        if !kind.is_beside {
            return vec![outer];
        }
        let objects = self.object_index();
        let inner = objects.inner(PackageIndex::export(outer)).iter();
        let rows = inner.filter_map(|&index| export_row(index));
        rows.filter(|&row| self.class_name_of(row).eq_ignore_ascii_case(kind.owner)).collect()
    }

    fn list_in(&mut self, owner: usize, kind: &MemberList, member: usize) -> Result<()> {
        let context = self.decoding_context();
        let index = PackageIndex::export(member);
        self.decode_row(owner);
        let referred = self.references_of(owner).unwrap_or_default();
        let (mut is_listed, mut has_list) = (false, false);
        if let Some(decoded) = self.bodies().decoded.get(&owner) {
            lists::each(&mut decoded.body.clone(), &context, &mut |of, list| {
                has_list |= of.path == kind.path;
                is_listed |= of.path == kind.path && list.contains(&index);
            });
        }
        if is_listed {
            return Ok(());
        }
        if !has_list {
            let (path, text) = (format!("#{owner}"), format!("(#{member})"));
            let property_type: Type = "array:object".parse()?;
            return match PathPart::parse_all(kind.path)?.len() {
                1 => self.add_property_or(&path, kind.path, &property_type, &text).map(drop),
                _ => self.set_property(&path, kind.path, &text).map(drop),
            };
        }
        if let Some(decoded) = self.decoded_mut(owner) {
            lists::each(&mut decoded.body, &context, &mut |of, list| {
                if of.path == kind.path {
                    list.push(index);
                }
            });
        }
        self.settle_preload_since(owner, &referred)
    }

    /// Takes an object that moves elsewhere out of the lists of its old owner.
    pub(super) fn unlist_moved(&mut self, row: usize) -> Result<()> {
        let index = PackageIndex::export(row);
        let outer = self.outer(index);
        let context = self.decoding_context();
        for user in self.package.body_uses().users([index]) {
            let owner = PackageIndex::export(user);
            if owner != outer && self.outer(owner) != outer {
                continue;
            }
            self.decode_row(user);
            let is_moved = |known: PackageIndex| known == index;
            let Some(decoded) = self.bodies().decoded.get(&user) else { continue };
            if !drop_members(&mut decoded.body.clone(), &is_moved, &context) {
                continue;
            }
            let referred = self.references_of(user).unwrap_or_default();
            if let Some(decoded) = self.decoded_mut(user) {
                drop_members(&mut decoded.body, &is_moved, &context);
            }
            self.settle_preload_since(user, &referred)?;
        }
        Ok(())
    }
}
