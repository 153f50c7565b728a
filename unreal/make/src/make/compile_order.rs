//! The order in which classes are compiled.

use std::collections::{HashMap, HashSet};

use crate::compile::{ClassId, Symbols};

/// The classes in the order in which they are compiled: a walk through the tree of all classes, each behind the one
/// that it extends and those that it says it depends on, those of one class as they came.
///
/// Spec: ue1-3/16 §16.2.
pub(super) fn compile_order(
    classes: &[(usize, ClassId)],
    symbols: &Symbols,
    is_ue3: bool,
) -> Vec<(usize, ClassId)> {
    let mut waiting: Vec<(Vec<ClassId>, (usize, ClassId))> = classes
        .iter()
        .map(|class| {
            // UE3 walks through the classes of the package alone.
            let counts = |it: &ClassId| !is_ue3 || symbols.is_own(*it);
            let mut chain: Vec<ClassId> = symbols.chain(class.1).filter(counts).collect();
            chain.reverse();
            (chain, *class)
        })
        .collect();
    waiting.sort();
    let by_class: HashMap<ClassId, (usize, ClassId)> =
        classes.iter().map(|class| (class.1, *class)).collect();
    let mut order = Vec::with_capacity(classes.len());
    let mut done = HashSet::new();
    for (_, class) in waiting {
        compile_after(class, symbols, &by_class, &mut done, &mut order);
    }
    order
}

/// Puts a class behind all that it needs.
fn compile_after(
    class: (usize, ClassId),
    symbols: &Symbols,
    by_class: &HashMap<ClassId, (usize, ClassId)>,
    done: &mut HashSet<ClassId>,
    order: &mut Vec<(usize, ClassId)>,
) {
    let mut open = vec![class];
    while let Some(&next) = open.last() {
        if done.contains(&next.1) {
            open.pop();
            continue;
        }
        let syntax = symbols.class(next.1).syntax.as_ref();
        let header = syntax.and_then(|syntax| syntax.class.as_ref());
        let words = header.into_iter().flat_map(|header| &header.modifiers);
        let named = words.filter(|it| it.word.is("dependson"));
        let named = named.flat_map(|it| it.arguments.iter().flatten());
        let needed = named.filter_map(|name| symbols.find_class(name.trim()));
        let needed = symbols.base(next.1).into_iter().chain(needed);
        let first = needed
            .filter_map(|it| by_class.get(&it))
            .find(|it| !done.contains(&it.1) && !open.contains(it));
        match first {
            Some(first) => open.push(*first),
            None => {
                done.insert(next.1);
                order.push(next);
                open.pop();
            }
        }
    }
}
