//! Names and objects as text.

use std::collections::HashMap;

/// The texts that stand for names and objects in JSON, both ways. A text that two rows share stands for
/// none of them: such rows are written as numbers.
#[derive(Debug, Clone, Default)]
pub struct JsonTexts {
    names: HashMap<i32, String>,
    rows: HashMap<String, i32>,
    objects: HashMap<i32, String>,
    indices: HashMap<String, i32>,
}

impl JsonTexts {
    /// From the texts of all name rows, and the indices and paths of all objects.
    pub fn new(
        names: impl IntoIterator<Item = String>,
        objects: impl IntoIterator<Item = (i32, String)>,
    ) -> Self {
        let (names, rows) = both_ways((0..).zip(names));
        let (objects, indices) = both_ways(objects);
        Self { names, rows, objects, indices }
    }

    pub(super) fn name(&self, row: i32) -> Option<&str> {
        self.names.get(&row).map(String::as_str)
    }

    pub(super) fn row(&self, text: &str) -> Option<i32> {
        self.rows.get(text).copied()
    }

    pub(super) fn object(&self, index: i32) -> Option<&str> {
        self.objects.get(&index).map(String::as_str)
    }

    pub(super) fn index(&self, path: &str) -> Option<i32> {
        self.indices.get(path).copied()
    }
}

fn both_ways(
    texts: impl IntoIterator<Item = (i32, String)>,
) -> (HashMap<i32, String>, HashMap<String, i32>) {
    let (mut there, mut back) = (HashMap::new(), HashMap::new());
    let mut shared = Vec::new();
    for (number, text) in texts {
        if back.insert(text.clone(), number).is_some() {
            shared.push(text);
        } else {
            there.insert(number, text);
        }
    }
    for text in shared {
        back.remove(&text);
    }
    there.retain(|_, text| back.contains_key(text));
    (there, back)
}
