//! What objects hold, independent of the numbers that their references have.

use std::collections::BTreeMap;
use unreal_packages::inspect::Explanation;

use unreal_packages::archive::RecordValue;
use unreal_packages::edit::{PackageEdit, Renumbering};
use unreal_packages::package::{Package, Section};

/// One line a field of every object, by path and class; references and names are resolved. Null exports
/// are left out.
pub fn dump(package: &Package) -> BTreeMap<String, Vec<String>> {
    let mut package = package.clone();
    package.decode_all();
    let titles: Vec<String> =
        package.exports().iter().map(|row| format!("{} {}", row.class(), row.path())).collect();
    let mut objects: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in package.exports().iter().filter(|row| !package.exports().is_null(row.row())) {
        let entry = row.entry();
        let lines = objects.entry(titles[row.row()].clone()).or_default();
        assert!(lines.is_empty(), "two objects are {}", titles[row.row()]);
        let path = |index| package.path(index);
        lines.push(format!("super {}", path(entry.super_index)));
        lines.push(format!("archetype {}", path(entry.archetype())));
        lines.push(format!("flags {:#x}", entry.object_flags.0));
        for component in &entry.details.component_map {
            let name = package.name_text(component.name);
            lines.push(format!("component {name} {}", path(component.export)));
        }
    }
    for explained in Explanation::of(&package).unwrap() {
        let Section::Body(row) = explained.section else { continue };
        let record = explained.record;
        let prefix = format!("bodies[{row}]");
        let field = record.path.strip_prefix(&prefix).expect("the path of a body").to_owned();
        let bytes = &package.source()[record.start as usize..record.end as usize];
        let value = match record.value {
            RecordValue::Reference { .. } => record.meaning,
            // How wide a reference is decides what a tag says, and where arrays end.
            _ if field.contains(".tag") || is_position(&field) => continue,
            RecordValue::Span(kind) => format!("{kind:?} {:x?}", bytes),
            value => value.to_string(),
        };
        objects.get_mut(&titles[row as usize]).unwrap().push(format!("{field} = {value}"));
    }
    objects
}

/// Absolute file positions: ends of lazy arrays, places of bulk data.
fn is_position(field: &str) -> bool {
    let last = field.rsplit('.').next().unwrap_or(field);
    last == "end" || last == "offset" && !field.contains("state_frame")
}

/// Fails with the first difference between two dumps.
#[track_caller]
pub fn assert_same(
    ours: &BTreeMap<String, Vec<String>>,
    theirs: &BTreeMap<String, Vec<String>>,
    what: &str,
) {
    for (object, lines) in theirs {
        let Some(own) = ours.get(object) else { panic!("{what}: {object} is missing") };
        if own == lines {
            continue;
        }
        for (own, line) in own.iter().zip(lines) {
            assert_eq!(own, line, "{what}: {object}");
        }
        panic!("{what}: {object} has {} fields instead of {}", own.len(), lines.len());
    }
    if let Some(more) = ours.keys().find(|object| !theirs.contains_key(*object)) {
        panic!("{what}: {more} is one too many");
    }
}

/// Numbers that look random and are the same every time (xorshift64*).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit.max(1)
    }

    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for at in (1..values.len()).rev() {
            values.swap(at, self.below(at + 1));
        }
    }
}

/// Every row of names, imports and exports in another place.
pub fn permute(package: &mut Package, seed: u64) {
    let mut random = Random(seed);
    let mut renumbering = Renumbering::identity(package);
    random.shuffle(&mut renumbering.names);
    random.shuffle(&mut renumbering.imports);
    random.shuffle(&mut renumbering.exports);
    package.edit(|edit| edit.renumber(&renumbering)).unwrap();
}
