//! Lists of which the text has the elements line by line.

use std::collections::HashMap;

use super::actor::MapTextActor;
use super::references::elements;
use crate::error::{Error, Result};

/// What stands before the class in the name of the object that holds its defaults (UE3), in lower case.
pub(super) const OF_CLASS: &str = "default__";

/// The elements of lists, with their numbers.
#[derive(Default)]
pub(super) struct Lists {
    pub in_order: Vec<NumberedList>,
    /// Where a list stands among them, by its name in lower case.
    places: HashMap<String, usize>,
}

/// A list of which the text has some elements.
pub(super) struct NumberedList {
    pub name: String,
    elements: Vec<(usize, String)>,
    /// That of the class, where it is known.
    default: Option<String>,
}

impl Lists {
    /// Adds the element that `name` says: `Skins[1]`.
    pub fn push(
        &mut self,
        actor: &MapTextActor,
        name: &str,
        value: String,
        default: Option<String>,
    ) -> Result<()> {
        let (base, number) = name.split_once('[').unwrap_or((name, ""));
        let number = number.strip_suffix(']').and_then(|number| number.parse().ok());
        let Some(number) = number else {
            return Err(Error::invalid(format!("{}.{name}: no number of an element", actor.name)));
        };
        let place = *self.places.entry(base.to_ascii_lowercase()).or_insert(self.in_order.len());
        if place == self.in_order.len() {
            let (name, elements) = (base.to_owned(), Vec::new());
            self.in_order.push(NumberedList { name, elements, default });
        }
        if let Some(list) = self.in_order.get_mut(place) {
            list.elements.push((number, value));
        }
        Ok(())
    }
}

impl NumberedList {
    /// All elements: those that the text has not are the class's, which UnrealEd does not write. Objects of the class's
    /// default are none of an actor.
    pub fn whole(mut self, actor: &MapTextActor, has_default: bool) -> Result<Vec<String>> {
        self.elements.sort_by_key(|(number, _)| *number);
        if !has_default {
            return Ok(self.elements.into_iter().map(|(_, element)| element).collect());
        }
        let default = self.default.filter(|text| !text.to_ascii_lowercase().contains(OF_CLASS));
        let mut list: Vec<String> =
            default.iter().flat_map(|text| elements(text)).map(str::to_owned).collect();
        for (number, element) in self.elements {
            if number > list.len() {
                let reason =
                    "elements before it are those of the class's default, which is not at hand";
                let name = format!("{}.{}({number})", actor.name, self.name);
                return Err(Error::invalid(format!("{name}: {reason}")));
            }
            list.splice(number..list.len().min(number + 1), [element]);
        }
        Ok(list)
    }
}
