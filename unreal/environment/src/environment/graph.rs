//! Circles in what needs what.

use std::collections::HashMap;
use std::hash::Hash;

/// The sets of nodes that can reach one another, of two and more; each set and their list sorted.
///
/// Tarjan's strongly connected components, without recursion: chains may be as long as there are nodes.
pub(super) fn circles<T: Copy + Eq + Hash + Ord>(edges: &HashMap<T, Vec<T>>) -> Vec<Vec<T>> {
    let mut order: HashMap<T, usize> = HashMap::new();
    let mut lowest: HashMap<T, usize> = HashMap::new();
    let mut open: Vec<T> = Vec::new();
    let mut is_open: HashMap<T, bool> = HashMap::new();
    let mut found = Vec::new();
    let mut starts: Vec<T> = edges.keys().copied().collect();
    starts.sort_unstable();
    for start in starts {
        if order.contains_key(&start) {
            continue;
        }
        // Node, and how many of its edges were followed.
        let mut way = vec![(start, 0)];
        while let Some(&mut (node, ref mut next)) = way.last_mut() {
            if *next == 0 {
                let number = order.len();
                order.insert(node, number);
                lowest.insert(node, number);
                open.push(node);
                is_open.insert(node, true);
            }
            let targets = edges.get(&node).map_or(&[][..], Vec::as_slice);
            let target = targets.get(*next).copied();
            *next += 1;
            match target {
                Some(target) if !order.contains_key(&target) => way.push((target, 0)),
                Some(target) if is_open.get(&target) == Some(&true) => {
                    let low = lowest[&node].min(order[&target]);
                    lowest.insert(node, low);
                }
                Some(_) => {}
                None => {
                    way.pop();
                    if let Some((around, _)) = way.last() {
                        let low = lowest[around].min(lowest[&node]);
                        lowest.insert(*around, low);
                    }
                    if lowest[&node] == order[&node] {
                        let at = open.iter().rposition(|other| *other == node).unwrap_or(0);
                        let mut circle = open.split_off(at);
                        for node in &circle {
                            is_open.insert(*node, false);
                        }
                        circle.sort_unstable();
                        if circle.len() > 1 {
                            found.push(circle);
                        }
                    }
                }
            }
        }
    }
    found.sort();
    found
}
