//! Where the rows of a table stand by their names.

use std::collections::HashMap;

use crate::primitive::Name;

/// The row and the number of a name.
type Numbers = (i32, i32);

/// Rows that are searched for this often without being where they were have moved.
const MOST_MISSES: u32 = 8;

/// Where the rows of one table stand by their names, kept from one change to the next: thousands of cells of a table are
/// changed one by one, and each looked at all rows. It is looked at before it is believed, so that nothing has to keep it
/// true.
#[derive(Debug, Clone, Default)]
#[doc(hidden)]
pub struct RowPlaces {
    /// The row of the table's object.
    owner: Option<usize>,
    places: HashMap<Numbers, u32>,
    covered: usize,
    misses: u32,
}

impl RowPlaces {
    /// The first row that has one of these names.
    pub fn find(
        &mut self,
        owner: usize,
        called: &[Name],
        row: &dyn Fn(usize) -> Option<Name>,
    ) -> Option<usize> {
        let called: Vec<Numbers> = called.iter().map(numbers).collect();
        let at = |at: usize| row(at).as_ref().map(numbers);
        if self.owner == Some(owner) {
            let known = called.iter().filter_map(|name| {
                let place = *self.places.get(name)? as usize;
                (at(place) == Some(*name)).then_some(place)
            });
            if let Some(known) = known.min() {
                return Some(known);
            }
        }
        let found = (0..).map_while(at).position(|name| called.contains(&name));
        self.misses += 1;
        if self.owner != Some(owner) || found.is_some() && self.misses > MOST_MISSES {
            *self = Self { owner: Some(owner), ..Self::default() };
        }
        // Rows that have come are behind the others.
        for name in (self.covered..).map_while(at) {
            self.places.entry(name).or_insert(self.covered as u32);
            self.covered += 1;
        }
        found
    }
}

fn numbers(name: &Name) -> Numbers {
    (name.index.value(), name.number)
}
