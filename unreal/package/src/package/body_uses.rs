//! Uses of objects and names by bodies, kept from one question to the next.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::bodies::DecodedBodies;
use super::decode::Decoded;
use crate::archive::{Archived, Context, Kind, Span};
use crate::package::Package;
use crate::primitive::{Name, PackageIndex, SoftObjectPath, Visit, Visitor, Way};
use crate::version::{UnrealVersions, Versions};

/// The rows that each typed body uses, and the bodies by row.
#[derive(Clone, Default)]
#[doc(hidden)]
pub struct BodyUses {
    /// By export row.
    bodies: Vec<Option<Box<BodyUse>>>,
    /// By object and by name, the bodies that use it or once did: the caller looks again.
    objects: HashMap<i32, Vec<u32>>,
    names: HashMap<i32, Vec<u32>>,
}

/// The objects and names that a body uses.
#[derive(Debug, Clone)]
struct BodyUse {
    /// The body that was looked at: another one has another address as long as this one is kept.
    body: Arc<Decoded>,
    /// Ascending, each once.
    objects: Vec<i32>,
    names: Vec<i32>,
    /// Behind the last row of the list of soft paths.
    soft_rows: i32,
    holds_paths: bool,
}

/// Collects what a body uses.
#[derive(Default)]
struct Met<'a> {
    objects: Vec<i32>,
    names: Vec<i32>,
    soft_rows: i32,
    holds_paths: bool,
    source: &'a [u8],
}

impl Visitor for Met<'_> {
    fn takes_paths(&self) -> bool {
        false
    }

    fn object(&mut self, index: &mut PackageIndex, _: &Way) {
        self.objects.push(index.value());
    }

    fn name(&mut self, name: &mut Name, _: &Way) {
        self.names.push(name.index.value());
    }

    fn soft_path(&mut self, _: &mut SoftObjectPath, _: &Way) {
        self.holds_paths = true;
    }

    fn soft_row(&mut self, row: &mut i32, _: &Way) {
        self.soft_rows = self.soft_rows.max(row.saturating_add(1));
    }

    fn span(&mut self, span: &mut Span, kind: Kind, _: &Way) {
        let is_path = |span: &Span| span.bytes(self.source).is_ok_and(|text| text.contains(&b'/'));
        self.holds_paths |= match kind {
            Kind::Opaque => true,
            Kind::Text => is_path(span),
            _ => false,
        };
    }
}

impl BodyUses {
    /// The bodies that refer to one of these objects, ascending.
    pub fn users(&self, objects: impl IntoIterator<Item = PackageIndex>) -> Vec<usize> {
        let objects = objects.into_iter().map(|index| index.value());
        self.found(&self.objects, objects, |body| &body.objects)
    }

    /// The bodies that use one of these rows of the name table, ascending.
    pub fn users_of_names(&self, rows: impl IntoIterator<Item = i32>) -> Vec<usize> {
        self.found(&self.names, rows, |body| &body.names)
    }

    /// The bodies with soft paths, with texts that may be paths, or with opaque bytes; ascending.
    pub fn with_paths(&self) -> impl Iterator<Item = usize> + '_ {
        let bodies = self.bodies.iter().enumerate();
        bodies.filter(|(_, body)| body.as_ref().is_some_and(|it| it.holds_paths)).map(|it| it.0)
    }

    /// How many of the first rows of the list of soft paths there must be for all bodies.
    pub fn soft_rows(&self) -> i32 {
        self.bodies.iter().flatten().map(|body| body.soft_rows).max().unwrap_or(0)
    }

    /// The objects, and the rows of the name table, that each body uses.
    pub fn all(&self) -> impl Iterator<Item = (&[i32], &[i32])> {
        self.bodies.iter().flatten().map(|body| (&*body.objects, &*body.names))
    }

    fn found(
        &self,
        known: &HashMap<i32, Vec<u32>>,
        wanted: impl IntoIterator<Item = i32>,
        uses: impl Fn(&BodyUse) -> &Vec<i32>,
    ) -> Vec<usize> {
        let mut found = Vec::new();
        for wanted in wanted {
            let rows = known.get(&wanted).into_iter().flatten().map(|&row| row as usize);
            found.extend(rows.filter(|&row| {
                let body = self.bodies.get(row).and_then(Option::as_ref);
                body.is_some_and(|body| uses(body).binary_search(&wanted).is_ok())
            }));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Looks at the bodies that have changed.
    fn follow(&mut self, decoded: &mut DecodedBodies, versions: &Versions, source: &[u8]) {
        self.bodies.resize(decoded.row_count().max(self.bodies.len()), None);
        for row in 0..self.bodies.len() {
            let is_known = match (&self.bodies[row], decoded.shared(row)) {
                (None, None) => true,
                (Some(known), Some(now)) => Arc::ptr_eq(&known.body, now),
                _ => false,
            };
            if is_known {
                continue;
            }
            let before = self.bodies[row].take().map(|known| (known.objects, known.names));
            let Some(mut body) = decoded.take(row) else { continue };
            let mut met = Met { source, ..Met::default() };
            let mut visit = Visit::new(&mut met, versions.clone(), Context::nothing());
            // Visiting never fails: it neither reads nor writes.
            let _ = match Arc::get_mut(&mut body) {
                Some(own) => own.body.serialize(&mut visit),
                None => body.body.clone().serialize(&mut visit),
            };
            let Met { mut objects, mut names, soft_rows, holds_paths, .. } = met;
            let (old_objects, old_names) = before.unwrap_or_default();
            note(&mut self.objects, &mut objects, &old_objects, row);
            note(&mut self.names, &mut names, &old_names, row);
            let body_use = BodyUse { body: body.clone(), objects, names, soft_rows, holds_paths };
            self.bodies[row] = Some(Box::new(body_use));
            decoded.set(row, Some(body));
        }
    }
}

/// Puts a body's uses in order, and the body beside those that it did not have before.
fn note(known: &mut HashMap<i32, Vec<u32>>, uses: &mut Vec<i32>, before: &[i32], row: usize) {
    uses.sort_unstable();
    uses.dedup();
    for used in uses.iter().filter(|used| before.binary_search(used).is_err()) {
        known.entry(*used).or_default().push(row as u32);
    }
}

impl fmt::Debug for BodyUses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BodyUses")
    }
}

impl Package {
    /// The rows that typed bodies use, at the cost of those that have changed since it was asked for last.
    #[doc(hidden)]
    pub fn body_uses(&mut self) -> &BodyUses {
        let mut uses = std::mem::take(&mut self.caches.uses);
        let (versions, source) = (self.versions.of_bodies(), self.source.clone());
        Arc::make_mut(&mut uses).follow(&mut self.bodies.decoded, &versions, &source);
        self.caches.uses = uses;
        &self.caches.uses
    }
}
