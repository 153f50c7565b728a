//! Names near one that is not there: for "did you mean".

/// Names that are suggested at most.
const SHOWN: usize = 3;
/// Longer names are not compared letter by letter.
const LONGEST: usize = 64;

/// How many letters must be added, removed, changed or swapped with the next one; a larger number than `most` says no more than that.
fn distance(a: &[u8], b: &[u8], most: usize) -> usize {
    if a.len().abs_diff(b.len()) > most || a.len().max(b.len()) > LONGEST {
        return most + 1;
    }
    // The row before the last one is there for swapped letters.
    let mut earlier = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (at, letter) in a.iter().enumerate() {
        let mut row = vec![at + 1; b.len() + 1];
        for (column, other) in b.iter().enumerate() {
            let changed = last[column] + usize::from(letter != other);
            let mut least = changed.min(last[column + 1] + 1).min(row[column] + 1);
            let is_swapped =
                at > 0 && column > 0 && a[at - 1] == *other && b[column - 1] == *letter;
            if is_swapped {
                least = least.min(earlier[column - 1] + 1);
            }
            row[column + 1] = least;
        }
        earlier = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// A name without the number at its end: `Light12`, `PointLight_3`.
fn stem(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_')
}

/// The names that are most like one that is not there, the nearest first: with other letters, or with another
/// number at the end. Case does not matter.
#[doc(hidden)]
pub fn nearest(text: &str, names: impl Iterator<Item = String>) -> Vec<String> {
    let text = text.to_ascii_lowercase();
    let most = (text.len() / 4).clamp(1, 3);
    let rank = |name: &String| {
        let name = name.to_ascii_lowercase();
        let letters = distance(text.as_bytes(), name.as_bytes(), most);
        if letters <= most {
            return Some(letters);
        }
        let same = !stem(&text).is_empty() && stem(&text) == stem(&name);
        same.then_some(most + 1)
    };
    let mut found: Vec<(usize, String)> =
        names.filter_map(|name| Some((rank(&name)?, name))).collect();
    found.sort();
    found.dedup_by(|a, b| a.1.eq_ignore_ascii_case(&b.1));
    found.into_iter().take(SHOWN).map(|(_, name)| name).collect()
}

/// How [`did_you_mean`] begins.
const DID_YOU_MEAN: &str = "; did you mean ";

/// The hint of an error: `; did you mean 'A' or 'B'?`; empty where no name is near.
#[doc(hidden)]
pub fn did_you_mean(near: &[String]) -> String {
    let quoted: Vec<String> = near.iter().map(|name| format!("'{name}'")).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => format!("{DID_YOU_MEAN}{last}?"),
        Some((last, others)) => format!("{DID_YOU_MEAN}{} or {last}?", others.join(", ")),
    }
}

/// Whether what an error adds says already what could be meant.
#[doc(hidden)]
pub fn suggests(hint: &str) -> bool {
    hint.contains(DID_YOU_MEAN)
}
