//! Where an image is cut into chunks.

/// Uncompressed bytes of a chunk (spec: ue1-3/04 §4.2 R6).
const CHUNK_BYTES: u64 = 0x10_0000;

/// Cuts `start..end` into chunks of about 1 MiB at the starts of bodies, the tables whole in the first; a
/// body that is larger than a chunk stays whole (spec: ue1-3/04 §4.5).
pub(super) fn cuts(start: u64, end: u64, bodies: &[u64]) -> Vec<u64> {
    let mut cuts = vec![start];
    let mut last = start;
    for (at, &body) in bodies.iter().enumerate() {
        let behind = bodies.get(at + 1..).unwrap_or_default();
        let next = behind.iter().copied().find(|&next| next > body).unwrap_or(end);
        if body > last && body < end && next.saturating_sub(last) > CHUNK_BYTES {
            cuts.push(body);
            last = body;
        }
    }
    cuts.push(end);
    cuts
}

/// The old cuts where their bytes stand now; `None` when the order has changed. `moves` holds old and new
/// starts of everything that moved or stayed, ascending in the old ones.
pub(super) fn moved(old: &[u64], start: u64, end: u64, moves: &[(u64, u64)]) -> Option<Vec<u64>> {
    let mut cuts = vec![start];
    for &cut in old.get(1..old.len().checked_sub(1)?)? {
        let before = moves.partition_point(|&(from, _)| from <= cut).checked_sub(1)?;
        let &(from, to) = moves.get(before)?;
        let cut = to.checked_add(cut - from)?;
        if cut <= *cuts.last()? || cut >= end {
            return None;
        }
        cuts.push(cut);
    }
    cuts.push(end);
    (start < end).then_some(cuts)
}
