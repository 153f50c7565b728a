//! Python with what reads tables.

use std::path::Path;
use std::process::Command;

/// DuckDB, pyarrow and polars as packages of python3.
pub fn duckdb() -> Result<(), String> {
    match python("import duckdb, polars, pyarrow", &[], None) {
        Ok(_) => Ok(()),
        Err(_) => Err("needs python3 with duckdb, pyarrow and polars".to_owned()),
    }
}

/// What a program in Python prints; the error is what it says. `UPK_PYTHON` names another interpreter.
pub fn python(program: &str, args: &[&str], folder: Option<&Path>) -> Result<String, String> {
    let interpreter = std::env::var_os("UPK_PYTHON").unwrap_or_else(|| "python3".into());
    let mut command = Command::new(interpreter);
    command.arg("-c").arg(program).args(args);
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    let output = command.output().map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(text(&output.stdout) + &text(&output.stderr)),
    }
}
