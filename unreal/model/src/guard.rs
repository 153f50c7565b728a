//! Calls of codecs that other crates bring: a panic inside one must neither end the program nor be seen.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use crate::error::UnrealError;

type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Send + Sync>;

/// Whether a panic ends the program, so that nothing can be caught, and the build does not allow that.
#[doc(hidden)]
pub const PANICS_ABORT: bool = cfg!(all(panic = "abort", not(feature = "oodle-may-abort")));

thread_local! {
    /// Whether this thread is inside [`guarded`].
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Leaves the thread as it was, however the work ends.
struct Inside(bool);

impl Drop for Inside {
    fn drop(&mut self) {
        INSIDE.set(self.0);
    }
}

/// The result of some work, `None` if it panicked; nothing is printed then.
///
/// Where a panic ends the program this is no protection: see [`oodle_refusal`].
#[doc(hidden)]
pub fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    be_silent();
    let _inside = Inside(INSIDE.replace(true));
    catch_unwind(AssertUnwindSafe(work)).ok()
}

/// Makes caught panics silent.
///
/// A panic prints its message before anyone can catch it, and what prints is one hook for the whole process.
/// Putting another hook there for the time of a call would take messages away from other threads, and two
/// threads at it could lose the program's own hook. So ours is put before the one that is there, once, and
/// says nothing only on a thread that is inside [`guarded`]; every other panic goes to the one before it.
fn be_silent() {
    static ONCE: Once = Once::new();
    // The hook can't be changed by a thread that is panicking; a drop may bring one here.
    // Where nothing is caught, the message is all that is left.
    if cfg!(panic = "abort") || std::thread::panicking() {
        return;
    }
    ONCE.call_once(|| set_hook(silent_inside(take_hook())));
}

fn silent_inside(before: Hook) -> Hook {
    Box::new(move |panic| {
        // A thread that is ending has no flag any more.
        if !INSIDE.try_with(Cell::get).unwrap_or(false) {
            before(panic);
        }
    })
}

/// Why Oodle can't be read in a build in which a panic ends the program (`aborts`).
///
/// The decoder (`oozextract` 0.5.7) checks damaged input with `assert!` and by indexing in its innermost
/// loops: lengths and distances of Mermaid's commands, the state of LZNA's models, the tables of Huffman and
/// TANS codes. What they are is known only when the block is decoded, so no look at the block before can
/// rule them out.
#[doc(hidden)]
pub fn oodle_refusal(aborts: bool) -> Option<UnrealError> {
    let reason = "Oodle can't be read by this build: its decoder may panic on damaged bytes, and a panic \
                  ends the program (panic = \"abort\"); build with panic = \"unwind\"";
    aborts.then(|| UnrealError::unsupported(reason))
}
