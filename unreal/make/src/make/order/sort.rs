//! The `qsort` that older compilers were linked with: not stable, so that its swaps decide how ties fall.

/// Parts up to this length are sorted by selection.
const SMALL: usize = 8;

/// How a part is cut in two: the C library belongs to the system on which a package was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pivot {
    /// The middle element, moved to the front.
    Middle,
    /// The median of first, middle and last, left in the middle.
    #[default]
    Median,
}

/// The rows in the order in which they would be left: those of a larger weight first.
///
/// Spec: ue1-3/16 §16.6.
pub fn sorted<T>(mut rows: Vec<T>, pivot: Pivot, weight: impl Fn(&T) -> u64) -> Vec<T> {
    // Descending: what weighs more comes first.
    let compare = |a: &T, b: &T| weight(b).cmp(&weight(a));
    if rows.len() < 2 {
        return rows;
    }
    let mut parts = Vec::new();
    let mut part = (0, rows.len() - 1);
    loop {
        let (low, high) = part;
        let next = if high - low < SMALL {
            select(&mut rows, low, high, &compare);
            None
        } else {
            let [left, right] = match pivot {
                Pivot::Middle => cut_at_middle(&mut rows, low, high, &compare),
                Pivot::Median => cut_at_median(&mut rows, low, high, &compare),
            };
            // The smaller part first: the larger one waits.
            let is_left_larger = length(left) >= length(right);
            let (first, later) = if is_left_larger { (right, left) } else { (left, right) };
            let holds = |part: &(usize, usize)| part.0 < part.1;
            match (holds(&first), holds(&later)) {
                (true, true) => {
                    parts.push(later);
                    Some(first)
                }
                (true, false) => Some(first),
                (false, true) => Some(later),
                (false, false) => None,
            }
        };
        match next.or_else(|| parts.pop()) {
            Some(next) => part = next,
            None => return rows,
        }
    }
}

fn length((low, high): (usize, usize)) -> usize {
    (high + 1).saturating_sub(low)
}

/// Moves the largest to the end, the first one among equals, again and again.
fn select<T>(
    rows: &mut [T],
    low: usize,
    mut high: usize,
    compare: &impl Fn(&T, &T) -> std::cmp::Ordering,
) {
    while high > low {
        let mut most = low;
        for at in low + 1..=high {
            if compare(&rows[at], &rows[most]).is_gt() {
                most = at;
            }
        }
        rows.swap(most, high);
        high -= 1;
    }
}

/// The two parts around the middle element, which was moved to the front meanwhile.
fn cut_at_middle<T>(
    rows: &mut [T],
    low: usize,
    high: usize,
    compare: &impl Fn(&T, &T) -> std::cmp::Ordering,
) -> [(usize, usize); 2] {
    rows.swap(low + (high - low).div_ceil(2), low);
    let (mut left, mut right) = (low, high + 1);
    loop {
        left += 1;
        while left <= high && compare(&rows[left], &rows[low]).is_le() {
            left += 1;
        }
        right = right.saturating_sub(1);
        while right > low && compare(&rows[right], &rows[low]).is_ge() {
            right = right.saturating_sub(1);
        }
        if right < left {
            break;
        }
        rows.swap(left, right);
    }
    rows.swap(low, right);
    // A part of no or one element is none.
    [(low, right.saturating_sub(1).max(low)), (left, high.max(left))]
}

/// The two parts around the median of first, middle and last.
fn cut_at_median<T>(
    rows: &mut [T],
    low: usize,
    high: usize,
    compare: &impl Fn(&T, &T) -> std::cmp::Ordering,
) -> [(usize, usize); 2] {
    let mut middle = low + (high - low).div_ceil(2);
    if compare(&rows[low], &rows[middle]).is_gt() {
        rows.swap(low, middle);
    }
    if compare(&rows[low], &rows[high]).is_gt() {
        rows.swap(low, high);
    }
    if compare(&rows[middle], &rows[high]).is_gt() {
        rows.swap(middle, high);
    }
    let (mut left, mut right) = (low, high);
    loop {
        if middle > left {
            left += 1;
            while left < middle && compare(&rows[left], &rows[middle]).is_le() {
                left += 1;
            }
        }
        if middle <= left {
            left += 1;
            while left <= high && compare(&rows[left], &rows[middle]).is_le() {
                left += 1;
            }
        }
        right = right.saturating_sub(1);
        while right > middle && compare(&rows[right], &rows[middle]).is_gt() {
            right = right.saturating_sub(1);
        }
        if right < left {
            break;
        }
        rows.swap(left, right);
        if middle == right {
            middle = left;
        }
    }
    // Equal ones beside the pivot need no more sorting.
    right += 1;
    if middle < right {
        right = right.saturating_sub(1);
        while right > middle && compare(&rows[right], &rows[middle]).is_eq() {
            right = right.saturating_sub(1);
        }
    }
    if middle >= right {
        right = right.saturating_sub(1);
        while right > low && compare(&rows[right], &rows[middle]).is_eq() {
            right = right.saturating_sub(1);
        }
    }
    [(low, right), (left, high.max(left))]
}
