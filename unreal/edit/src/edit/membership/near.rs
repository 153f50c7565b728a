//! Bodies that nobody has looked at yet and that may list an object: they are decoded before lists are kept true.

use std::collections::HashSet;
use std::sync::Arc;

use super::kinds::KINDS;
use crate::edit::Edit;
use crate::edit::level::links;
use crate::edit::rows::export_row;
use crate::primitive::PackageIndex;
use crate::version::UnrealVersions;

impl Edit {
    /// Decodes whatever lies near these exports and refers to them: what they lie in, and what lies beside them.
    ///
    /// A package is opened without its bodies. What knows its users ([`Package::body_uses`](crate::Package)) knows
    /// those of the bodies that are decoded: without this a copy is missing in lists that nothing had looked at.
    pub(in crate::edit) fn decode_owners_of(&mut self, members: &[usize]) {
        let wanted: HashSet<i32> =
            members.iter().map(|&row| PackageIndex::export(row).value()).collect();
        let outers: HashSet<PackageIndex> =
            members.iter().map(|&row| self.tables().exports[row].outer_index).collect();
        let mut near: Vec<usize> = outers.iter().filter_map(|&outer| export_row(outer)).collect();
        if self.has_lists() {
            let beside = |row: &usize| {
                outers.contains(&self.tables().exports[*row].outer_index)
                    && self.may_use(*row, &wanted)
            };
            near.extend((0..self.tables().exports.len()).filter(beside));
        }
        self.decode_as_they_are(&near);
        for row in near {
            let known = self.bodies().decoded.get(&row);
            let is_known = known.is_some_and(|decoded| !decoded.body.is_opaque());
            if !is_known && self.body_range(row).1 > 0 && self.has_member_lists(row) {
                let path = self.exports().path(row);
                self.note(format!("{path} is not decoded: what it lists of this stays as it was"));
            }
        }
    }

    /// Decodes the bodies that may use a row of the name table.
    pub(in crate::edit) fn decode_users_of_name(&mut self, name: usize) {
        let Ok(name) = i32::try_from(name) else { return };
        let wanted = HashSet::from([name]);
        let rows = 0..self.tables().exports.len();
        let rows: Vec<usize> = rows.filter(|&row| self.may_use(row, &wanted)).collect();
        self.decode_as_they_are(&rows);
    }

    /// Decodes the struct that a field lies in, and its other fields: they say whether it stands in their chain.
    pub(in crate::edit) fn decode_chain_of(&mut self, field: usize) {
        let outer = self.tables().exports[field].outer_index;
        let inner = self.object_index().inner(outer).to_vec();
        let rows: Vec<usize> = inner.into_iter().chain([outer]).filter_map(export_row).collect();
        self.decode_as_they_are(&rows);
    }

    /// Decodes bodies as far as they can be, as [`Package::decode_all`](crate::Package::decode_all) does.
    fn decode_as_they_are(&mut self, rows: &[usize]) {
        let mut decoder = self.package.decoder();
        for &row in rows {
            if let Some(decoded) = decoder.decode(&self.package, row, |_| true) {
                self.set_decoded(row, Arc::unwrap_or_clone(decoded));
            }
        }
    }

    /// Whether anything in the package can list members: a list has a name, but for lists without tags.
    fn has_lists(&mut self) -> bool {
        if self.versions().unversioned_properties() {
            return true;
        }
        let kinds = KINDS.iter().filter_map(|kind| kind.path.split('.').next());
        kinds.chain(links()).any(|name| self.look_up_name(name).is_some())
    }

    /// Whether a body that is not decoded has one of these numbers somewhere in its bytes. Compact ones are not looked
    /// for: they are in nearly every byte.
    fn may_use(&self, row: usize, wanted: &HashSet<i32>) -> bool {
        if self.bodies().decoded.contains_key(&row) {
            return false;
        }
        if self.versions().has_compact_index() {
            return true;
        }
        let body = self.body_span(row);
        let Ok(bytes) = body.bytes(self.source()) else { return true };
        let is_big = self.versions().byte_order.is_big();
        let least = wanted.iter().min().copied().unwrap_or_default();
        let most = wanted.iter().max().copied().unwrap_or_default();
        bytes.windows(4).any(|four| {
            let four = [four[0], four[1], four[2], four[3]];
            let number = if is_big { i32::from_be_bytes(four) } else { i32::from_le_bytes(four) };
            (least..=most).contains(&number) && wanted.contains(&number)
        })
    }
}
