//! Which objects refer to which, and to which packages.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Value, json};
use unreal_packages::inspect::ObjectDependency;
use unreal_packages::package::Package;
use unreal_packages::primitive::{ObjectRef, PackageIndex};

use crate::tree::Key;

/// Nodes that are sent: those with the most references.
const MOST_NODES: usize = 2_000;
/// Wires that are sent.
const MOST_WIRES: usize = 10_000;

/// The outermost object around an import: its package.
fn package_of(package: &Package, index: PackageIndex) -> PackageIndex {
    let mut outermost = index;
    // Outers of a damaged package may lead in circles.
    for _ in 0..64 {
        let outer = package.outer(outermost);
        if outer.is_null() {
            break;
        }
        outermost = outer;
    }
    outermost
}

/// The packages that are referred to, and the graph of objects: the packages are nodes of it.
pub(crate) fn of(package: &Package) -> Value {
    // By the numbers of references.
    let mut wires = BTreeMap::<(i32, i32), u64>::new();
    let mut packages = BTreeMap::<i32, (u64, BTreeSet<usize>)>::new();
    for ObjectDependency { from, to, count } in ObjectDependency::all(package) {
        let to = match to.target() {
            ObjectRef::Import(_) => {
                let outermost = package_of(package, to);
                let (references, by) = packages.entry(outermost.value()).or_default();
                *references += count;
                by.insert(from);
                outermost
            }
            _ => to,
        };
        *wires.entry((PackageIndex::export(from).value(), to.value())).or_default() += count;
    }
    let mut weights = HashMap::<i32, u64>::new();
    for ((from, to), count) in &wires {
        *weights.entry(*from).or_default() += count;
        *weights.entry(*to).or_default() += count;
    }
    let mut nodes: Vec<_> = weights.into_iter().collect();
    nodes.sort_by_key(|(index, weight)| (std::cmp::Reverse(*weight), *index));
    let more_nodes = nodes.len().saturating_sub(MOST_NODES);
    nodes.truncate(MOST_NODES);
    let places: HashMap<_, _> =
        nodes.iter().enumerate().map(|(at, (index, _))| (*index, at)).collect();
    let wanted = wires.iter().filter_map(|((from, to), count)| {
        Some([*places.get(from)? as u64, *places.get(to)? as u64, *count])
    });
    let mut sent: Vec<_> = wanted.collect();
    sent.sort_by_key(|[from, to, count]| (std::cmp::Reverse(*count), *from, *to));
    sent.truncate(MOST_WIRES);
    let more_wires = wires.len() - sent.len();
    let node = |(index, _): &(i32, u64)| {
        let index = PackageIndex::new(*index);
        let class = match index.target() {
            ObjectRef::Export(row) => package.exports().get(row).map(|export| export.class()),
            _ => None,
        };
        let label = if class.is_some() { package.object_name(index) } else { package.path(index) };
        json!([Key::of(index).map(|key| key.to_string()), label, class])
    };
    let mut listed: Vec<_> = packages
        .into_iter()
        .map(|(index, (references, by))| (references, index, by.len()))
        .collect();
    listed.sort_by_key(|(references, index, _)| (std::cmp::Reverse(*references), *index));
    let listed: Vec<_> = listed
        .into_iter()
        .map(|(references, index, by)| {
            let index = PackageIndex::new(index);
            json!([Key::of(index).map(|key| key.to_string()), package.path(index), references, by])
        })
        .collect();
    json!({ "packages": listed, "nodes": nodes.iter().map(node).collect::<Vec<_>>(), "wires": sent,
            "more": { "nodes": more_nodes, "wires": more_wires } })
}
