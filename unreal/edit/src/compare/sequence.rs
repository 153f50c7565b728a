//! Changes between two lists.

use std::ops::Range;

/// The most elements that come or go one by one: behind that all between the first and the last difference is
/// one change. It bounds time and memory.
const MOST: usize = 512;

/// Elements of the one list that became those of the other: nothing became something, or the reverse, where
/// they were inserted or removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hunk {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

/// The changes from `old` to `new`, in order; none where they are equal. As few elements as possible come and
/// go (E. Myers, An O(ND) Difference Algorithm, 1986).
pub(crate) fn hunks<T: PartialEq>(old: &[T], new: &[T]) -> Vec<Hunk> {
    let first = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (a, b) = (&old[first..], &new[first..]);
    let last = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - last], &b[..b.len() - last]);
    if a.is_empty() && b.is_empty() {
        return Vec::new();
    }
    let whole = || vec![Hunk { old: 0..a.len(), new: 0..b.len() }];
    let found = match a.is_empty() || b.is_empty() {
        true => whole(),
        false => matches(a, b).map_or_else(whole, |kept| between(&kept, a.len(), b.len())),
    };
    let moved = |range: Range<usize>| range.start + first..range.end + first;
    found.into_iter().map(|hunk| Hunk { old: moved(hunk.old), new: moved(hunk.new) }).collect()
}

/// The changes between the pairs of elements that stay.
fn between(kept: &[(usize, usize)], old: usize, new: usize) -> Vec<Hunk> {
    let mut found = Vec::new();
    let (mut x, mut y) = (0, 0);
    for &(a, b) in kept.iter().chain([&(old, new)]) {
        if x < a || y < b {
            found.push(Hunk { old: x..a, new: y..b });
        }
        (x, y) = (a + 1, b + 1);
    }
    found
}

/// Pairs of elements that stay; `None` where too much changed.
fn matches<T: PartialEq>(a: &[T], b: &[T]) -> Option<Vec<(usize, usize)>> {
    let most = (a.len() + b.len()).min(MOST);
    // How far each diagonal goes in `a`, from -most to most, after each step.
    let mut steps: Vec<Vec<usize>> = Vec::new();
    let mut reached = vec![0_usize; 2 * most + 2];
    let slot = |diagonal: isize| (diagonal + most as isize) as usize;
    for step in 0..=most as isize {
        let mut diagonal = -step;
        while diagonal <= step {
            let down = diagonal == -step
                || diagonal != step && reached[slot(diagonal - 1)] < reached[slot(diagonal + 1)];
            let mut x = match down {
                true if step == 0 => 0,
                true => reached[slot(diagonal + 1)],
                false => reached[slot(diagonal - 1)] + 1,
            };
            let mut y = x as isize - diagonal;
            while x < a.len()
                && usize::try_from(y).is_ok_and(|y| b.get(y).is_some_and(|b| *b == a[x]))
            {
                (x, y) = (x + 1, y + 1);
            }
            reached[slot(diagonal)] = x;
            if x >= a.len() && y >= b.len() as isize {
                steps.push(reached[slot(-step)..=slot(step)].to_vec());
                return Some(trace(&steps, a.len(), b.len()));
            }
            diagonal += 2;
        }
        steps.push(reached[slot(-step)..=slot(step)].to_vec());
    }
    None
}

/// Goes back through the steps; diagonals of one step are stored from `-step` on.
fn trace(steps: &[Vec<usize>], a: usize, b: usize) -> Vec<(usize, usize)> {
    let mut kept = Vec::new();
    let (mut x, mut y) = (a, b);
    for step in (0..steps.len()).rev() {
        let diagonal = x as isize - y as isize;
        let (before_x, before_y) = match step {
            0 => (0, 0),
            _ => {
                let last = step as isize - 1;
                let reached = |diagonal: isize| {
                    let at = usize::try_from(diagonal + last).ok()?;
                    steps[step - 1].get(at).copied().filter(|_| diagonal.abs() <= last)
                };
                let (left, right) = (reached(diagonal - 1), reached(diagonal + 1));
                let down =
                    diagonal == -(step as isize) || diagonal != step as isize && left < right;
                let from = if down { diagonal + 1 } else { diagonal - 1 };
                let x = reached(from).unwrap_or(0);
                (x, (x as isize - from).max(0) as usize)
            }
        };
        // Behind the one element that came or went.
        let start = match step {
            0 => (0, 0),
            _ if x as isize - y as isize > before_x as isize - before_y as isize => {
                (before_x + 1, before_y)
            }
            _ => (before_x, before_y + 1),
        };
        while x > start.0 && y > start.1 {
            (x, y) = (x - 1, y - 1);
            kept.push((x, y));
        }
        (x, y) = (before_x, before_y);
    }
    kept.reverse();
    kept
}

#[cfg(test)]
mod tests {
    use super::{Hunk, hunks};

    fn replay(old: &[u8], new: &[u8], found: &[Hunk]) -> Vec<u8> {
        let (mut done, mut at) = (Vec::new(), 0);
        for hunk in found {
            done.extend(&old[at..hunk.old.start]);
            done.extend(&new[hunk.new.clone()]);
            at = hunk.old.end;
        }
        done.extend(&old[at..]);
        done
    }

    #[test]
    fn hunks_turn_the_old_list_into_the_new_one_with_little() {
        // Every pair of lists of up to five elements of three kinds.
        let lists: Vec<Vec<u8>> = (0..=5_u32)
            .flat_map(|length| {
                (0..3_u32.pow(length)).map(move |code| {
                    (0..length).map(|at| (code / 3_u32.pow(at) % 3) as u8).collect()
                })
            })
            .collect();
        for old in &lists {
            for new in &lists {
                let found = hunks(old, new);
                assert_eq!(&replay(old, new, &found), new, "{old:?} {new:?} {found:?}");
                let gone: usize = found.iter().map(|hunk| hunk.old.len() + hunk.new.len()).sum();
                assert_eq!(gone, old.len() + new.len() - 2 * longest(old, new), "{old:?} {new:?}");
            }
        }
    }

    /// The longest list that both contain in this order.
    fn longest(a: &[u8], b: &[u8]) -> usize {
        match (a.split_first(), b.split_first()) {
            (Some((x, a)), Some((y, b))) if x == y => 1 + longest(a, b),
            (Some((_, rest)), Some((_, less))) => longest(rest, b).max(longest(a, less)),
            _ => 0,
        }
    }

    #[test]
    fn long_lists_that_have_little_in_common_are_one_change() {
        let (old, new): (Vec<u32>, Vec<u32>) = ((0..5000).collect(), (10_000..15_000).collect());
        assert_eq!(hunks(&old, &new), [Hunk { old: 0..5000, new: 0..5000 }]);
        let mut new = old.clone();
        new.insert(7, 1_000_000);
        new.remove(4000);
        let found = hunks(&old, &new);
        assert_eq!(
            found,
            [Hunk { old: 7..7, new: 7..8 }, Hunk { old: 3999..4000, new: 4000..4000 }]
        );
    }
}
