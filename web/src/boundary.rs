//! The functions that the worker calls, and those that it lends.
//!
//! The worker asks for room (`input`), writes bytes there, as often as it likes, and calls `answer`, which takes
//! the last of them as the request and those before it as the request's bytes. The answer stays where the returned
//! address says until the next call.

#![allow(unsafe_code, reason = "names of exported functions, and calls of what the worker lends")]

use std::cell::RefCell;

use crate::Session;

thread_local! {
    static INPUTS: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static SESSION: RefCell<Session> = RefCell::new(Session::default());
}

/// Room for `length` bytes of input; null where there is none.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    let mut bytes = Vec::new();
    if bytes.try_reserve_exact(length).is_err() {
        return std::ptr::null_mut();
    }
    bytes.resize(length, 0);
    INPUTS.with_borrow_mut(|inputs| {
        inputs.push(bytes);
        inputs.last_mut().map_or(std::ptr::null_mut(), |bytes| bytes.as_mut_ptr())
    })
}

/// Answers a request; the address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    prepare();
    let mut inputs = INPUTS.take();
    let request = inputs.pop().unwrap_or_default();
    // The answer before is given back before the next one is made.
    OUTPUT.set(Vec::new());
    let message =
        SESSION.with_borrow_mut(|session| session.answer(&request, inputs)).into_message();
    OUTPUT.set(message);
    OUTPUT.with_borrow(|output| output.as_ptr())
}

/// Bytes of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    OUTPUT.with_borrow(Vec::len)
}

#[cfg(target_family = "wasm")]
mod lent {
    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        pub safe fn random() -> u32;
        pub safe fn read(file: u32, at: f64, to: *mut u8, length: usize) -> u32;
        pub safe fn panicked(text: *const u8, length: usize);
    }
}

/// Fills `bytes` with those at `at` of a file that stays with the worker; false where that can't be.
#[cfg(target_family = "wasm")]
pub(crate) fn read_lent(file: u32, at: u64, bytes: &mut [u8]) -> bool {
    // Numbers of JavaScript hold places up to 2^53, which no file reaches.
    lent::read(file, at as f64, bytes.as_mut_ptr(), bytes.len()) != 0
}

#[cfg(not(target_family = "wasm"))]
pub(crate) fn read_lent(_file: u32, _at: u64, _bytes: &mut [u8]) -> bool {
    false
}

#[cfg(target_family = "wasm")]
fn prepare() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        unreal_packages::Guid::set_random_source(|| std::array::from_fn(|_| lent::random()));
        std::panic::set_hook(Box::new(|panic| {
            // Folders of the machine that built it say nothing to whom it is shown.
            let place = panic.location().map_or_else(String::new, |place| {
                let file = place.file().rsplit(['/', '\\']).next().unwrap_or_default();
                format!(" ({file}:{})", place.line())
            });
            let text =
                format!("{}{place}", panic.payload_as_str().unwrap_or("the module has ended"));
            lent::panicked(text.as_ptr(), text.len());
        }));
    });
}

#[cfg(not(target_family = "wasm"))]
fn prepare() {}
