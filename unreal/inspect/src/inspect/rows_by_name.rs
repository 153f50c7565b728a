//! Where the rows of a table stand by their names.

use std::collections::HashMap;

use crate::primitive::Name;

/// The row and the number of a name.
type NameNumbers = (i32, i32);

/// Rows that are searched for this often without being where they were have moved.
const MOST_MISSES: u32 = 8;

/// Where the rows of one table stand by their names, kept from one change to the next: thousands of cells of a table are
/// changed one by one. A place is compared with the table's before it is taken, so that nothing has to keep it true.
#[derive(Debug, Clone, Default)]
#[doc(hidden)]
pub struct RowsByName {
    /// The row of the table's object.
    owner: Option<usize>,
    places: HashMap<NameNumbers, u32>,
    covered: usize,
    misses: u32,
}

impl RowsByName {
    /// A row that has one of these names: the first one, where no two rows have the same.
    pub fn find(
        &mut self,
        owner: usize,
        called: &[Name],
        row: &dyn Fn(usize) -> Option<Name>,
    ) -> Option<usize> {
        if called.is_empty() {
            return None;
        }
        let called: Vec<NameNumbers> = called.iter().map(numbers).collect();
        let name_at = |place: usize| row(place).as_ref().map(numbers);
        let search = || (0..).map_while(name_at).position(|name| called.contains(&name));
        if self.owner != Some(owner) {
            // One change of a table is no reason to note all its rows.
            *self = Self { owner: Some(owner), ..Self::default() };
            return search();
        }
        let noted = called.iter().filter_map(|name| {
            let place = *self.places.get(name)? as usize;
            (name_at(place) == Some(*name)).then_some(place)
        });
        if let Some(place) = noted.min() {
            return Some(place);
        }
        let place = search();
        self.misses += 1;
        if place.is_some() && self.misses > MOST_MISSES {
            *self = Self { owner: Some(owner), ..Self::default() };
        }
        // Rows that have come are behind the others.
        for name in (self.covered..).map_while(name_at) {
            self.places.entry(name).or_insert(self.covered as u32);
            self.covered += 1;
        }
        place
    }
}

fn numbers(name: &Name) -> NameNumbers {
    (name.index.value(), name.number)
}
