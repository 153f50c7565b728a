//! Which class derives from which, and which class a property belongs to, from what little each source says.

use std::collections::{BTreeMap, BTreeSet};

use crate::facts::{Class, DEEPEST, Facts};

/// Classes on as many branches must store a property before the class that all derive from is said to have it.
const BRANCHES: usize = 3;
/// One branch in so many must store it.
const SHARE: usize = 4;

/// Finds parents and owners until nothing more is found: what is known of one class helps to tell another's.
pub fn settle(facts: &mut Facts, neighbours: &[&Facts], listed: &BTreeSet<String>) {
    let with_parent =
        |facts: &Facts| facts.classes.values().filter(|class| !class.parent.is_empty()).count();
    // What classes share is found when their parents are, and leads to further parents.
    for _ in 0..2 {
        for _ in 0..DEEPEST {
            let before = with_parent(facts);
            for neighbour in neighbours {
                take_parents(facts, neighbour);
                lift_declared(facts, neighbour);
            }
            if with_parent(facts) == before {
                break;
            }
        }
        take_actors(facts, listed);
        for neighbour in neighbours {
            lift_declared(facts, neighbour);
        }
        lift_shared(facts);
    }
    for class in facts.classes.values_mut() {
        class.properties.retain(|_, known| known.kind.is_some());
    }
}

/// Takes a class's parent from an engine before or after it, where packages of this engine store for the class
/// what the parent declares there. Of a parent that no package of this engine names several classes must say so.
fn take_parents(facts: &mut Facts, neighbour: &Facts) {
    for is_nearest in [true, false] {
        let mut found = BTreeMap::<String, Vec<String>>::new();
        for (name, class) in &facts.classes {
            if !class.parent.is_empty() || name == "Object" {
                continue;
            }
            let chain = neighbour.chain(name);
            // Classes that the other engine put in between may be passed over.
            let parent = chain.iter().skip(1).find(|parent| {
                is_nearest && *parent != "Object" || facts.classes.contains_key(*parent)
            });
            if let Some(parent) = parent.filter(|parent| agree(facts, neighbour, name, parent)) {
                found.entry(parent.clone()).or_default().push(name.clone());
            }
        }
        for (parent, names) in found {
            if facts.classes.contains_key(&parent) || names.len() >= BRANCHES {
                facts.class(&parent);
                for name in names {
                    facts.class(&name).parent.clone_from(&parent);
                }
            }
        }
    }
}

/// Whether what the class and those below it store is, by name and type, what the parent has in the other
/// engine or, which counts more, in this one.
fn agree(facts: &Facts, neighbour: &Facts, name: &str, parent: &str) -> bool {
    let (mut same, mut other) = (0, 0);
    let ancestors = neighbour.chain(parent);
    for (below, class) in &facts.classes {
        if below != name && !neighbour.chain(below).iter().any(|class| class == name) {
            continue;
        }
        for (property, known) in &class.properties {
            let Some(kind) = known.kind.as_deref() else { continue };
            let declared = ancestors.iter().find_map(|ancestor| {
                let of =
                    |facts: &Facts| facts.classes.get(ancestor)?.kind(property).map(str::to_owned);
                of(facts).or_else(|| of(neighbour))
            });
            match declared {
                Some(declared) if alike(&declared, kind) => same += 1,
                Some(_) => other += 1,
                None => {}
            }
        }
    }
    same > other
}

/// Whether a type is another, as far as both say it.
fn alike(one: &str, other: &str) -> bool {
    let plain = |kind: &str| match kind {
        _ if kind.starts_with("byte-enum:") => "byte".to_owned(),
        "class" => "object".to_owned(),
        _ => kind.to_owned(),
    };
    plain(one) == plain(other)
}

/// What a level lists derives from `Actor`, whatever stands in between.
fn take_actors(facts: &mut Facts, listed: &BTreeSet<String>) {
    for name in listed.iter().filter(|name| *name != "Actor") {
        let class = facts.class(name);
        if class.parent.is_empty() {
            class.parent = "Actor".to_owned();
        }
    }
}

/// Moves properties to the classes that declare them in an engine that has the classes as well.
fn lift_declared(facts: &mut Facts, neighbour: &Facts) {
    lift(facts, &|facts: &Facts, name: &str, property: &str| {
        let chain = facts.chain(name);
        let declares = |class: &&String| {
            let known = neighbour.classes.get(*class);
            known.is_some_and(|known| known.kind(property).is_some())
        };
        chain.iter().skip(1).find(declares).cloned()
    });
}

/// Moves properties that no declaration has to the nearest class that enough classes which store them derive
/// from.
fn lift_shared(facts: &mut Facts) {
    let shared = shared_owners(facts);
    lift(facts, &|facts: &Facts, name: &str, property: &str| {
        let owner = shared.get(property)?;
        facts.chain(name).into_iter().skip(1).find(|class| owner.contains(class))
    });
    // What is left repeats an ancestor.
    lift(facts, &|_: &Facts, _: &str, _: &str| None);
}

type Owner<'a> = &'a dyn Fn(&Facts, &str, &str) -> Option<String>;

/// Moves each property to its owner, where all classes below that store it agree with each other, and leaves
/// out what an ancestor has already.
fn lift(facts: &mut Facts, owner: Owner) {
    let mut moves = BTreeMap::<(String, String), Vec<String>>::new();
    for (name, class) in &facts.classes {
        let stored = class.properties.iter().filter(|(_, known)| known.kind.is_some());
        for (property, _) in stored {
            let chain = facts.chain(name);
            let has = |class: &&String| {
                facts.classes.get(*class).and_then(|class| class.properties.get(property)).is_some()
            };
            let held = chain.iter().skip(1).find(has).cloned();
            if let Some(target) = held.or_else(|| owner(facts, name, property)) {
                let key = (target, property.clone());
                moves.entry(key).or_default().push(name.clone());
            }
        }
    }
    for ((target, property), from) in moves {
        let held = |name: &String| facts.classes[name].properties[&property].clone();
        let known = facts.classes.get(&target).and_then(|class| class.properties.get(&property));
        let mut all: Vec<_> = from.iter().map(held).collect();
        all.extend(known.cloned());
        let mut joined = Class::default();
        for known in &all {
            match &known.kind {
                Some(kind) => joined.note(&property, kind, known.dimension),
                None => joined.note(&property, "?", known.dimension),
            }
        }
        let Some(known) = joined.properties.remove(&property) else { continue };
        if known.kind.as_deref().is_none_or(|kind| kind == "?") {
            continue;
        }
        for name in from {
            facts.class(&name).properties.remove(&property);
        }
        facts.class(&target).properties.insert(property, known);
    }
}

/// The classes that a property belongs to when enough branches below them store it.
fn shared_owners(facts: &Facts) -> BTreeMap<String, BTreeSet<String>> {
    // Property, ancestor: its children below which the property is stored.
    let mut below = BTreeMap::<(&str, String), BTreeSet<String>>::new();
    for (name, class) in &facts.classes {
        let chain = facts.chain(name);
        for property in class.properties.keys() {
            for pair in chain.windows(2) {
                below.entry((property, pair[1].clone())).or_default().insert(pair[0].clone());
            }
        }
    }
    let branches =
        |ancestor: &str| facts.classes.values().filter(|class| class.parent == ancestor).count();
    let mut owners = BTreeMap::<String, BTreeSet<String>>::new();
    for ((property, ancestor), children) in below {
        let enough = BRANCHES.max(branches(&ancestor) / SHARE);
        if children.len() >= enough && ancestor != "Object" {
            owners.entry(property.to_owned()).or_default().insert(ancestor);
        }
    }
    owners
}

/// Leaves out classes of which fewer packages have an object, and from which none with objects derives.
pub fn drop_unused(facts: &mut Facts, packages: usize) {
    let used = facts.used.iter().filter(|(_, count)| **count >= packages);
    let used: BTreeSet<String> = used.flat_map(|(name, _)| facts.chain(name)).collect();
    facts.classes.retain(|name, _| used.contains(name));
    drop_empty(facts);
    facts.drop_unused_enums();
}

/// Leaves out classes of which nothing is known, and of which nothing is inherited.
fn drop_empty(facts: &mut Facts) {
    let says = |class: &str| {
        let chain = facts.chain(class);
        chain.iter().any(|class| facts.classes.get(class).is_some_and(|c| !c.properties.is_empty()))
    };
    let empty: Vec<String> = facts.classes.keys().filter(|name| !says(name)).cloned().collect();
    for name in empty {
        facts.classes.remove(&name);
    }
    let known: BTreeSet<String> = facts.classes.keys().cloned().collect();
    for class in facts.classes.values_mut() {
        if !known.contains(&class.parent) {
            class.parent.clear();
        }
    }
}
