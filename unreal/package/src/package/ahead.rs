//! Bodies on all cores: decoded all at once, and saved some at a time before it is their turn. Those that a save
//! decodes for itself are not: they are dropped where they were made, which costs more than a second thread gains.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use super::bodies::DecodedBodies;
use super::decode::Decoded;
use super::drafts::Sketch;
use super::saving::Saving;
use super::{Package, SectionPlace};
use crate::archive::Saver;
use crate::version::UnrealVersions;

/// Rows at a time for each part.
const ROWS: usize = 64;
/// Bytes of bodies for each part, after which no more are taken.
const BYTES: u64 = 1 << 20;
/// Parts for each thread, since bodies differ in size.
#[cfg(feature = "parallel")]
const PARTS: usize = 4;
/// Fewer bodies are not worth a second thread.
const FEW: usize = 32;

/// Bodies that were saved before their turn, in order.
#[derive(Default)]
pub(super) struct Ahead {
    /// Its row, what was shown, and where the bytes are.
    done: VecDeque<(usize, Sketch, usize, Range<usize>)>,
    workers: Vec<Worker>,
    /// Where the bytes of the body are that was taken last: of which worker, and where among its bytes.
    last: (usize, Range<usize>),
}

/// The state of one thread.
struct Worker {
    saver: Saver,
    bytes: Vec<u8>,
}

/// One body.
struct Task {
    row: usize,
    /// Where it would stand.
    start: u64,
    /// Where it stands in the source.
    old: (u64, u64),
    decoded: Arc<Decoded>,
    /// The result of saving it, and the place of its bytes.
    done: Option<(Sketch, usize, Range<usize>)>,
}

impl Ahead {
    /// The result of saving a body.
    pub fn take(&mut self, row: usize) -> Option<Sketch> {
        self.done.front().filter(|(known, ..)| *known == row)?;
        let sketch = self.done.pop_front()?;
        let (_, sketch, worker, range) = sketch;
        self.last = (worker, range);
        Some(sketch)
    }

    /// The bytes of the body that was taken last.
    pub fn bytes(&self) -> &[u8] {
        let (worker, range) = &self.last;
        let bytes = self.workers.get(*worker).and_then(|worker| worker.bytes.get(range.clone()));
        bytes.unwrap_or_default()
    }
}

impl Task {
    fn run(&mut self, source: &[u8], worker: &mut Worker, number: usize) {
        let body = (self.row, &mut Arc::make_mut(&mut self.decoded).body);
        let from = worker.bytes.len();
        let bytes = &mut worker.bytes;
        let keep = |saved: &[u8]| bytes.extend_from_slice(saved);
        // What fails here fails again when it is its turn.
        if let Ok(sketch) = Sketch::of(&mut worker.saver, body, self.start, self.old, source, keep)
        {
            self.done = Some((sketch, number, from..worker.bytes.len()));
        }
    }
}

/// How many parts work is divided into; 1 where there is one thread.
fn parts() -> usize {
    #[cfg(feature = "parallel")]
    if rayon::current_num_threads() > 1 {
        return rayon::current_num_threads() * PARTS;
    }
    1
}

/// Does the work of all parts, at once where there are threads.
fn for_each_part<T: Send, W: Send>(
    parts: Vec<T>,
    workers: &mut [W],
    work: impl Fn(usize, T, &mut W) + Sync,
) {
    let all = parts.into_iter().zip(workers).enumerate();
    #[cfg(feature = "parallel")]
    rayon::scope(|scope| {
        let work = &work;
        all.for_each(|(at, (part, worker))| scope.spawn(move |_| work(at, part, worker)));
    });
    #[cfg(not(feature = "parallel"))]
    all.for_each(|(at, (part, worker))| work(at, part, worker));
}

impl Saving<'_> {
    /// Saves the decoded bodies at the first of these places before it is their turn, as if they all moved from
    /// `then` to `now`; says how many places that were.
    pub(super) fn draft_ahead(
        &mut self,
        places: &[&SectionPlace],
        (now, then): (u64, u64),
    ) -> usize {
        let parts = parts();
        let Self { package, drafts, source, .. } = self;
        let has_none = package.bodies.decoded.is_empty() || drafts.decoder.is_some();
        if parts == 1 || places.len() < FEW || has_none {
            return places.len();
        }
        let mut bytes = 0;
        let fits = |place: &&&SectionPlace| {
            let is_first = bytes == 0;
            bytes += place.size;
            is_first || bytes <= BYTES * parts as u64
        };
        let taken = places.iter().take(ROWS * parts).take_while(fits).count();
        let mut tasks = Vec::with_capacity(taken);
        for place in &places[..taken] {
            let row = place.section.row().unwrap_or_default();
            if let Some(decoded) = package.take_body(row) {
                let start = place.start.saturating_add(now).saturating_sub(then);
                let old = package.body_range(row);
                tasks.push(Task { row, start, old, decoded, done: None });
            }
        }
        let mut ahead = std::mem::take(&mut drafts.ahead);
        ahead.workers.resize_with(parts, || Worker {
            saver: Saver::new(package.versions.of_bodies()).with_context(drafts.context().clone()),
            bytes: Vec::new(),
        });
        let size = tasks.len().div_ceil(parts).max(1);
        let source = &**source;
        for_each_part(tasks.chunks_mut(size).collect(), &mut ahead.workers, |at, tasks, worker| {
            worker.bytes.clear();
            tasks.iter_mut().for_each(|task| task.run(source, worker, at));
        });
        ahead.done.clear();
        for Task { row, decoded, done, .. } in tasks {
            package.return_body(row, decoded);
            ahead.done.extend(done.map(|(sketch, worker, range)| (row, sketch, worker, range)));
        }
        drafts.ahead = ahead;
        taken
    }
}

impl Package {
    /// Every body whose class is wanted, that can be decoded and is not yet.
    pub(super) fn decode_wanted(&self, wanted: impl Fn(&str) -> bool + Sync) -> DecodedBodies {
        let count = self.export_count();
        let parts = parts();
        let mut found = DecodedBodies::default();
        if parts == 1 || count < FEW {
            // Nothing that could fail is done with them.
            let _ = self.decode_each(wanted, |row, decoded| {
                found.set(row, decoded);
                Ok(())
            });
            return found;
        }
        let mut workers = Vec::new();
        let first = self.decoder();
        workers.resize_with(parts, || (first.fork(self), Vec::new()));
        let size = count.div_ceil(parts);
        let rows = (0..parts).map(|part| part * size..count.min((part + 1) * size)).collect();
        for_each_part(rows, &mut workers, |_, rows: Range<usize>, (decoder, found)| {
            found.extend(rows.map(|row| decoder.decode(self, row, &wanted)));
        });
        let all = workers.into_iter().flat_map(|(_, found)| found);
        all.enumerate().for_each(|(row, decoded)| found.set(row, decoded));
        found
    }
}
