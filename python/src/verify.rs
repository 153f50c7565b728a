//! A package rebuilt from its model and compared.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use unreal_packages::inspect::Rebuilt;

use crate::progress::Progress;

/// Rebuilds the package, every body from its typed form, and says what came of it.
pub fn report<'py>(
    py: Python<'py>,
    package: &Arc<unreal_packages::Package>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    static REPORT: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let all = package.exports().len() as u64;
    let mut progress = Progress::new(progress);
    progress.step(0, all)?;
    let (reason, rebuilt) = py.detach(|| {
        let rebuilt = Rebuilt::of(package);
        let reason = match &rebuilt.saved {
            Ok(saved) => {
                let new = saved.image.as_deref().unwrap_or(&saved.bytes);
                let same_file = saved.bytes == package.file();
                let at = new.iter().zip(package.source()).position(|(new, old)| new != old);
                let length = new.len().min(package.source().len());
                match (new == package.source(), same_file) {
                    (true, true) => String::new(),
                    (true, false) => "the file around the package differs".to_owned(),
                    _ => format!("first difference at {:#x}", at.unwrap_or(length)),
                }
            }
            Err(error) => format!("can't be rebuilt: {error}"),
        };
        (reason, rebuilt)
    });
    progress.end(all)?;
    let decoded = |(row, error): &(usize, Arc<unreal_packages::Error>)| {
        (package.exports().path(*row), error.to_string())
    };
    let not_decoded: Vec<_> = rebuilt.errors.iter().map(decoded).collect();
    let wrong: Vec<_> = rebuilt.positions.wrong.iter().map(ToString::to_string).collect();
    let coverage = rebuilt.coverage;
    let bytes = (coverage.typed, coverage.payload, coverage.opaque, coverage.gap);
    let class = REPORT.import(py, "farchive._reports", "Report")?;
    class.call1((reason.is_empty(), reason, bytes.0, bytes.1, bytes.2, bytes.3, wrong, not_decoded))
}
