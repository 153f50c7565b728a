//! The programs of the machine that tests need.

use std::io::Write;
use std::process::{Command, Stdio};

/// An interpreter that runs.
pub fn python() -> Result<(), String> {
    let run = Command::new("python3").arg("--version").stdout(Stdio::null()).status();
    match run {
        Ok(status) if status.success() => Ok(()),
        _ => Err("needs python3".to_owned()),
    }
}

/// A compiler that knows the memory layout of a 32-bit system.
pub fn cpp() -> Result<(), String> {
    match compile_cpp("") {
        Ok(_) => Ok(()),
        Err(_) => Err("needs a C++ compiler: c++ with -m32".to_owned()),
    }
}

/// Lets the C++ compiler check a source; the error is what it says.
pub fn compile_cpp(source: &str) -> Result<(), String> {
    let mut file = tempfile::Builder::new().suffix(".cpp").tempfile().unwrap();
    file.write_all(source.as_bytes()).unwrap();
    let mut compiler = Command::new("c++");
    let compiler = compiler.args(["-m32", "-std=c++17", "-fsyntax-only"]).arg(file.path());
    let output = compiler.output().map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
