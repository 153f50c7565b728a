//! Bodies that are decoded and saved on all cores, some at a time, before it is their turn.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use super::bodies::DecodedBodies;
use super::decode::{Decoded, Decoder};
use super::drafts::{Drafts, Sketch};
use super::{Package, SectionPlace};
use crate::archive::Saver;

/// Rows at a time for each part.
const ROWS: usize = 64;
/// Bytes of bodies for each part, after which no more are taken.
const BYTES: u64 = 1 << 20;
/// Parts for each thread, since bodies differ in size.
#[cfg(feature = "parallel")]
const PARTS: usize = 4;
/// Fewer bodies are not worth a second thread.
const FEW: usize = 32;

/// What was done before its turn, in the order of the bodies.
#[derive(Default)]
pub(super) struct Ahead {
    tasks: VecDeque<Task>,
    workers: Vec<Worker>,
    /// Where the bytes of the body are that was taken last: of which worker, and where among its bytes.
    last: (usize, Range<usize>),
}

/// What one thread needs for itself.
struct Worker {
    decoder: Option<Decoder>,
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
    decoded: Option<Arc<Decoded>>,
    /// What saving it has shown, and where its bytes are.
    done: Option<(Sketch, usize, Range<usize>)>,
}

impl Ahead {
    /// What was done for a body: its typed form, where it was decoded for that, and what saving it has shown.
    pub fn take(&mut self, row: usize) -> Option<(Option<Arc<Decoded>>, Option<Sketch>)> {
        let task = self.tasks.pop_front_if(|task| task.row == row)?;
        let sketch = task.done.map(|(sketch, worker, range)| {
            self.last = (worker, range);
            sketch
        });
        Some((task.decoded, sketch))
    }

    /// The bytes of the body that was taken last.
    pub fn bytes(&self) -> &[u8] {
        let (worker, range) = &self.last;
        let bytes = self.workers.get(*worker).and_then(|worker| worker.bytes.get(range.clone()));
        bytes.unwrap_or_default()
    }
}

impl Task {
    fn run(&mut self, package: &Package, worker: &mut Worker, number: usize) {
        if let (None, Some(decoder)) = (&self.decoded, &mut worker.decoder) {
            self.decoded = decoder.decode(package, self.row, |_| true);
        }
        let Some(decoded) = &mut self.decoded else { return };
        let body = (self.row, &mut Arc::make_mut(decoded).body);
        let from = worker.bytes.len();
        let bytes = &mut worker.bytes;
        let keep = |saved: &[u8]| bytes.extend_from_slice(saved);
        // What fails here fails again when it is its turn.
        let source = &package.source;
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

impl Package {
    /// Decodes and saves the bodies at the first of these places before it is their turn, as if they all moved
    /// from `then` to `now`; says how many places that were.
    pub(super) fn draft_ahead(
        &mut self,
        places: &[&SectionPlace],
        (now, then): (u64, u64),
        drafts: &mut Drafts<'_>,
    ) -> usize {
        let parts = parts();
        if parts == 1 || places.len() < FEW {
            return places.len();
        }
        let mut bytes = 0;
        let fits = |place: &&&SectionPlace| {
            let is_first = bytes == 0;
            bytes += place.size;
            is_first || bytes <= BYTES * parts as u64
        };
        let taken = places.iter().take(ROWS * parts).take_while(fits).count();
        let decodes = drafts.decoder.is_some();
        let mut tasks = Vec::with_capacity(taken);
        for place in &places[..taken] {
            let row = place.section.row().unwrap_or_default();
            let decoded = self.bodies.decoded.take(row);
            if decoded.is_some() || decodes {
                let start = place.start.saturating_add(now).saturating_sub(then);
                let old = self.body_range(row);
                tasks.push(Task { row, start, old, decoded, done: None });
            }
        }
        let mut ahead = std::mem::take(&mut drafts.ahead);
        ahead.workers.resize_with(parts, || Worker {
            decoder: drafts.decoder.as_ref().map(|decoder| decoder.fork(self)),
            saver: Saver::new(self.versions.of_bodies()).with_context(drafts.context().clone()),
            bytes: Vec::new(),
        });
        let known: Vec<bool> = tasks.iter().map(|task| task.decoded.is_some()).collect();
        let size = tasks.len().div_ceil(parts).max(1);
        let package = &*self;
        for_each_part(tasks.chunks_mut(size).collect(), &mut ahead.workers, |at, tasks, worker| {
            worker.bytes.clear();
            tasks.iter_mut().for_each(|task| task.run(package, worker, at));
        });
        for (task, known) in tasks.iter_mut().zip(known) {
            if known {
                self.bodies.decoded.set(task.row, task.decoded.take());
            }
        }
        ahead.tasks = tasks.into();
        drafts.ahead = ahead;
        taken
    }

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
