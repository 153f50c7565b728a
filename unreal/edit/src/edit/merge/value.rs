//! Values that both sides may have changed, part by part.

use std::collections::HashMap;
use std::hash::Hash;

use super::conflict::{BOTH, Conflicts, MergeConflict};
use super::side::SideChanges;
use crate::compare::sequence::{Hunk, hunks};
use crate::edit::Edit;
use crate::inspect::PackageValues;
use crate::primitive::Name;
use crate::property::{Elements, Property, PropertyList, Value, fields_of, with_fields};

/// How deep values lie in others; what lies deeper is merged as one.
const DEEPEST: usize = 64;

/// A base and two sides of one object, all with the numbers of our package.
pub(super) struct ThreeWay<'a> {
    pub edit: &'a Edit,
    pub conflicts: &'a mut Conflicts,
    /// Its path in the base, and its row there.
    pub object: String,
    pub row: usize,
    /// Its row in our package.
    pub our_row: usize,
    pub our_changes: &'a SideChanges,
    pub their_changes: &'a SideChanges,
}

/// The name of a property in its list.
type PropertyKey = (Option<(i32, i32)>, Option<u32>, i32);

fn key_of(property: &Property) -> PropertyKey {
    (property.name().map(number_of), property.slot(), property.array_index())
}

/// The numbers of a name.
pub(super) fn number_of(name: Name) -> (i32, i32) {
    (name.index.value(), name.number)
}

impl ThreeWay<'_> {
    /// Notes that both have changed a place; says whether their value is taken.
    pub fn clashes(&mut self, place: &str) -> bool {
        let conflict = MergeConflict {
            object: self.object.clone(),
            place: place.to_owned(),
            ours: self.our_changes.text(self.row, place),
            theirs: self.their_changes.text(self.row, place),
            reason: BOTH.to_owned(),
        };
        self.conflicts.takes_theirs(conflict)
    }

    /// A value that is merged as one.
    pub fn whole<T: PartialEq + Clone>(&mut self, base: &T, ours: &mut T, theirs: &T, place: &str) {
        if ours == theirs || base == theirs {
            return;
        }
        if base == ours || self.clashes(place) {
            *ours = theirs.clone();
        }
    }

    /// Elements that have a name each, whatever their order; `merge` is for those that both have changed.
    pub fn keyed<T: PartialEq + Clone, K: Hash + Eq>(
        &mut self,
        (base, ours, theirs): (&[T], &mut Vec<T>, &[T]),
        place: &str,
        key: impl Fn(&T) -> K,
        name: impl Fn(&Self, &T) -> String,
        mut merge: impl FnMut(&mut Self, &T, &mut T, &T, &str),
    ) {
        fn rows<T, K: Hash + Eq>(list: &[T], key: &impl Fn(&T) -> K) -> HashMap<K, usize> {
            list.iter().enumerate().map(|(at, one)| (key(one), at)).collect()
        }
        let (in_base, in_ours, in_theirs) =
            (rows(base, &key), rows(ours, &key), rows(theirs, &key));
        if in_base.len() != base.len()
            || in_ours.len() != ours.len()
            || in_theirs.len() != theirs.len()
        {
            // Two of one name: there is no telling which is which.
            let (mut whole, before) = (ours.clone(), base.to_vec());
            self.whole(&before, &mut whole, &theirs.to_vec(), place);
            *ours = whole;
            return;
        }
        let mut gone = vec![false; ours.len()];
        for old in base {
            let id = key(old);
            let Some(&at) = in_ours.get(&id) else { continue };
            let is_kept = in_theirs.contains_key(&id);
            if !is_kept && (ours[at] == *old || self.clashes(&name(self, old))) {
                gone[at] = true;
            }
        }
        // New ones come behind those that they stand behind on their side.
        let mut new: HashMap<Option<usize>, Vec<T>> = HashMap::new();
        let mut last = None;
        for other in theirs {
            let id = key(other);
            let before = in_base.get(&id).and_then(|&at| base.get(at));
            match (before, in_ours.get(&id).copied()) {
                (before, Some(at)) => {
                    last = Some(at);
                    let path = name(self, other);
                    match before {
                        _ if ours[at] == *other => {}
                        Some(before) if before == other => {}
                        Some(before) if *before == ours[at] => ours[at] = other.clone(),
                        Some(before) => merge(self, before, &mut ours[at], other, &path),
                        None => {
                            if self.clashes(&path) {
                                ours[at] = other.clone();
                            }
                        }
                    }
                }
                (before, None) => {
                    if before.is_none() || before != Some(other) && self.clashes(&name(self, other))
                    {
                        new.entry(last).or_default().push(other.clone());
                    }
                }
            }
        }
        if new.is_empty() && !gone.contains(&true) {
            return;
        }
        let mut merged = new.remove(&None).unwrap_or_default();
        for (at, (one, gone)) in std::mem::take(ours).into_iter().zip(gone).enumerate() {
            if !gone {
                merged.push(one);
            }
            merged.extend(new.remove(&Some(at)).unwrap_or_default());
        }
        *ours = merged;
    }

    /// Properties by their names.
    pub fn list(
        &mut self,
        base: &PropertyList,
        ours: &mut PropertyList,
        theirs: &PropertyList,
        place: &str,
        depth: usize,
    ) {
        let called = |three: &Self, property: &Property| {
            let name = property.name_text(|name| three.edit.name_text(name));
            let dot = if place.is_empty() { "" } else { "." };
            match property.array_index() {
                0 => format!("{place}{dot}{name}"),
                index => format!("{place}{dot}{name}[{index}]"),
            }
        };
        let lists = (&*base.properties, &mut ours.properties, &*theirs.properties);
        self.keyed(lists, place, key_of, called, |three, base, ours, theirs, path| {
            let with = |property: &Property| {
                let mut property = property.clone();
                *property.value_mut() = ours.value().clone();
                property
            };
            // Of one type.
            if with(base) == *ours && with(theirs) == *ours {
                three.value((base.value(), ours.value_mut(), theirs.value()), path, depth + 1);
            } else if three.clashes(path) {
                *ours = theirs.clone();
            }
        });
        // In a list without tags the schema says the order.
        if ours.class().is_some() {
            ours.properties.sort_by_key(Property::slot);
        }
    }

    /// A value, part by part where it has parts.
    pub fn value(
        &mut self,
        (base, ours, theirs): (&Value, &mut Value, &Value),
        place: &str,
        depth: usize,
    ) {
        if ours == theirs || base == theirs {
            return;
        }
        if base == ours {
            *ours = theirs.clone();
            return;
        }
        if depth > DEEPEST {
            return self.whole(base, ours, theirs, place);
        }
        match (base, &mut *ours, theirs) {
            (Value::Array(base), Value::Array(ours), Value::Array(theirs)) => {
                self.elements((base, ours, theirs), place, depth)
            }
            (Value::StructArray(base), Value::StructArray(ours), Value::StructArray(theirs)) => {
                self.elements((&base.elements, &mut ours.elements, &theirs.elements), place, depth)
            }
            (Value::Set(base), Value::Set(ours), Value::Set(theirs)) => {
                self.whole(&base.removed, &mut ours.removed, &theirs.removed, place);
                self.set((&base.elements, &mut ours.elements, &theirs.elements), place);
            }
            (Value::Map(base), Value::Map(ours), Value::Map(theirs)) => {
                self.whole(&base.removed, &mut ours.removed, &theirs.removed, place);
                let pairs = (&*base.pairs, &mut ours.pairs, &*theirs.pairs);
                // Of what a key holds everything is shown, rows of names as numbers.
                let key = |pair: &(Value, Value)| format!("{:?}", pair.0);
                let name = |three: &Self, pair: &(Value, Value)| {
                    let context = three.edit.context();
                    format!("{place}[{}]", three.edit.values().shown(&pair.0, &context))
                };
                self.keyed(pairs, place, key, name, |three, base, ours, theirs, path| {
                    three.value((&base.1, &mut ours.1, &theirs.1), path, depth + 1);
                });
            }
            (Value::List(base), Value::List(ours), Value::List(theirs)) => {
                self.list(base, ours, theirs, place, depth)
            }
            (Value::Instanced(base), Value::Instanced(ours), Value::Instanced(theirs))
                if base.structure == ours.structure && ours.structure == theirs.structure =>
            {
                self.value((&base.value, &mut ours.value, &theirs.value), place, depth + 1)
            }
            _ => {
                let parts = (fields_of(base), fields_of(ours), fields_of(theirs));
                let (Some(base_fields), Some(mut our_fields), Some(their_fields)) = parts else {
                    return self.whole(base, ours, theirs, place);
                };
                if base_fields.len() != our_fields.len() || our_fields.len() != their_fields.len() {
                    return self.whole(base, ours, theirs, place);
                }
                for ((base, ours), theirs) in
                    base_fields.iter().zip(&mut our_fields).zip(&their_fields)
                {
                    self.value((base, ours, theirs), place, depth + 1);
                }
                with_fields(ours, our_fields);
            }
        }
    }

    /// Sets: what comes and goes on either side.
    fn set(&mut self, (base, ours, theirs): (&Elements, &mut Elements, &Elements), place: &str) {
        let values = |elements: &Elements| elements.to_values(&[]);
        let (Ok(before), Ok(mut our_values), Ok(after)) =
            (values(base), values(ours), values(theirs))
        else {
            return self.whole(base, ours, theirs, place);
        };
        let key = |value: &Value| format!("{value:?}");
        let name = |_: &Self, _: &Value| place.to_owned();
        self.keyed((&before, &mut our_values, &after), place, key, name, |_, _, _, _, _| {});
        *ours = Elements::of_values(our_values);
    }

    /// Arrays: what comes, goes and changes on either side.
    fn elements(
        &mut self,
        (base, ours, theirs): (&Elements, &mut Elements, &Elements),
        place: &str,
        depth: usize,
    ) {
        if *ours == *theirs || *base == *theirs {
            return;
        }
        if *base == *ours {
            *ours = theirs.clone();
            return;
        }
        let values = |elements: &Elements| elements.to_values(&[]);
        let (Ok(before), Ok(mine), Ok(other)) = (values(base), values(ours), values(theirs)) else {
            return self.whole(base, ours, theirs, place);
        };
        let (our_hunks, their_hunks) =
            (single(hunks(&before, &mine)), single(hunks(&before, &other)));
        let mut merged = Vec::with_capacity(mine.len().max(other.len()));
        let (mut at, mut left, mut right) =
            (0, our_hunks.iter().peekable(), their_hunks.iter().peekable());
        loop {
            let (hunk, from) = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(&a), Some(&b)) if touches(a, b) => {
                    left.next();
                    right.next();
                    let same = a.old == b.old && mine[a.new.clone()] == other[b.new.clone()];
                    if !(same || is_one(a) && is_one(b)) {
                        // Both have put something at one place, or taken it away: of no weight among what belongs to
                        // an object in any order, such as the nodes of a graph.
                        if matches!(theirs, Elements::Object(_))
                            && self.edit.is_member_list(self.our_row, place)
                        {
                            return self.set((base, ours, theirs), place);
                        }
                        if self.clashes(place) {
                            *ours = theirs.clone();
                        }
                        return;
                    }
                    merged.extend_from_slice(&before[at..a.old.start]);
                    at = a.old.end;
                    match same {
                        true => merged.extend_from_slice(&mine[a.new.clone()]),
                        false => {
                            let mut one = mine[a.new.start].clone();
                            let parts = (&before[a.old.start], &mut one, &other[b.new.start]);
                            self.value(parts, &format!("{place}[{}]", a.old.start), depth + 1);
                            merged.push(one);
                        }
                    }
                    continue;
                }
                (Some(&a), Some(&b)) if (a.old.start, a.old.end) <= (b.old.start, b.old.end) => {
                    left.next();
                    (a, &mine)
                }
                (Some(&a), None) => {
                    left.next();
                    (a, &mine)
                }
                (_, Some(&b)) => {
                    right.next();
                    (b, &other)
                }
            };
            merged.extend_from_slice(&before[at..hunk.old.start]);
            merged.extend_from_slice(&from[hunk.new.clone()]);
            at = hunk.old.end;
        }
        merged.extend_from_slice(&before[at..]);
        *ours = match merged.is_empty() {
            true => ours.clone(),
            false => Elements::of_values(merged),
        };
    }
}

/// One element that became another one.
fn is_one(hunk: &Hunk) -> bool {
    hunk.old.len() == 1 && hunk.new.len() == 1
}

/// Whether two changes are of one place: of the same elements, or both put or take something at one point.
fn touches(a: &Hunk, b: &Hunk) -> bool {
    let overlap = a.old.start.max(b.old.start) < a.old.end.min(b.old.end);
    let meet = a.old.start <= b.old.end && b.old.start <= a.old.end;
    overlap || meet && !is_one(a) && !is_one(b)
}

/// As many elements that became others are one change each.
fn single(found: Vec<Hunk>) -> Vec<Hunk> {
    let mut all = Vec::new();
    for hunk in found {
        match hunk.old.len() == hunk.new.len() {
            true => all
                .extend(hunk.old.zip(hunk.new).map(|(a, b)| Hunk { old: a..a + 1, new: b..b + 1 })),
            false => all.push(hunk),
        }
    }
    all
}
