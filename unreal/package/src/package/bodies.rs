//! Bodies in their typed form, by export row.

use std::sync::Arc;

use super::decode::Decoded;

/// Typed bodies by export row. Copies share them: one that is changed is copied then.
#[derive(Debug, Clone, Default)]
#[doc(hidden)]
pub struct DecodedBodies {
    rows: Vec<Option<Arc<Decoded>>>,
    count: usize,
}

impl DecodedBodies {
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Behind the last row that has or had a body.
    #[inline]
    pub fn row_count(&self) -> usize {
        self.rows.len()
    }

    #[inline]
    pub fn contains_key(&self, row: &usize) -> bool {
        self.shared(*row).is_some()
    }

    #[inline]
    pub fn get(&self, row: &usize) -> Option<&Decoded> {
        self.shared(*row).map(|decoded| &**decoded)
    }

    /// The body as others may share it.
    #[inline]
    pub fn shared(&self, row: usize) -> Option<&Arc<Decoded>> {
        self.rows.get(row)?.as_ref()
    }

    /// For changes: a body that others share is copied first.
    #[inline]
    pub fn get_mut(&mut self, row: &usize) -> Option<&mut Decoded> {
        self.rows.get_mut(*row)?.as_mut().map(Arc::make_mut)
    }

    #[inline]
    pub fn insert(&mut self, row: usize, decoded: Decoded) {
        self.set(row, Some(Arc::new(decoded)));
    }

    /// Puts in place what a row had, or had not.
    pub fn set(&mut self, row: usize, decoded: Option<Arc<Decoded>>) {
        if row >= self.rows.len() {
            if decoded.is_none() {
                return;
            }
            self.rows.resize(row + 1, None);
        }
        self.count += usize::from(decoded.is_some());
        self.count -= usize::from(self.rows[row].is_some());
        self.rows[row] = decoded;
    }

    /// Puts in place of those that are here the ones that others have.
    pub fn put_all(&mut self, others: Self) {
        if self.is_empty() {
            *self = others;
            return;
        }
        for (row, decoded) in others.rows.into_iter().enumerate() {
            if decoded.is_some() {
                self.set(row, decoded);
            }
        }
    }

    /// Takes a body out as others may share it.
    #[inline]
    pub fn take(&mut self, row: usize) -> Option<Arc<Decoded>> {
        let taken = self.rows.get_mut(row)?.take();
        self.count -= usize::from(taken.is_some());
        taken
    }

    /// Drops the bodies from this row on.
    #[inline]
    pub fn truncate(&mut self, row: usize) {
        for at in row..self.rows.len() {
            self.take(at);
        }
        self.rows.truncate(row);
    }

    /// The rows that are here, ascending.
    pub fn keys(&self) -> impl Iterator<Item = usize> + '_ {
        self.iter().map(|(row, _)| row)
    }

    pub fn values(&self) -> impl Iterator<Item = &Decoded> {
        self.iter().map(|(_, decoded)| decoded)
    }

    pub fn iter(&self) -> impl Iterator<Item = (usize, &Decoded)> {
        let rows = self.rows.iter().enumerate();
        rows.filter_map(|(row, decoded)| Some((row, &**decoded.as_ref()?)))
    }

    /// For changes: each that others share is copied first.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (usize, &mut Decoded)> {
        let rows = self.rows.iter_mut().enumerate();
        rows.filter_map(|(row, decoded)| Some((row, Arc::make_mut(decoded.as_mut()?))))
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Decoded> {
        self.iter_mut().map(|(_, decoded)| decoded)
    }
}

impl Extend<(usize, Decoded)> for DecodedBodies {
    fn extend<I: IntoIterator<Item = (usize, Decoded)>>(&mut self, bodies: I) {
        bodies.into_iter().for_each(|(row, decoded)| self.insert(row, decoded));
    }
}

impl IntoIterator for DecodedBodies {
    type Item = (usize, Decoded);
    type IntoIter = Box<dyn Iterator<Item = (usize, Decoded)>>;

    fn into_iter(self) -> Self::IntoIter {
        let rows = self.rows.into_iter().enumerate();
        Box::new(rows.filter_map(|(row, body)| Some((row, Arc::unwrap_or_clone(body?)))))
    }
}
