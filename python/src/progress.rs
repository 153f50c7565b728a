//! Telling Python how far long work is.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// Between two calls.
const PAUSE: Duration = Duration::from_millis(50);

/// A function that is called with what is done and what there is, now and then, and ends the work by raising.
#[derive(Debug, Default)]
pub struct Progress {
    hook: Option<Py<PyAny>>,
    last: Option<Instant>,
}

impl Progress {
    /// For this function; signals end the work also without one.
    pub fn new(hook: Option<Py<PyAny>>) -> Self {
        Self { hook, last: None }
    }

    /// Calls it if the last time was a while ago.
    pub fn step(&mut self, done: u64, all: u64) -> PyResult<()> {
        if self.last.is_some_and(|last| last.elapsed() < PAUSE) {
            return Ok(());
        }
        self.last = Some(Instant::now());
        self.call(done, all)
    }

    /// Calls it for the last time.
    pub fn end(&self, all: u64) -> PyResult<()> {
        self.call(all, all)
    }

    fn call(&self, done: u64, all: u64) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            match &self.hook {
                Some(hook) => hook.call1(py, (done, all)).map(drop),
                None => Ok(()),
            }
        })
    }
}
