//! The tables of scans as others read them: DuckDB, pyarrow, polars.

#[path = "../commands/common/mod.rs"]
mod common;
#[path = "duckdb.rs"]
mod duckdb;
#[path = "../../../tests/common/needs.rs"]
mod needs;

mod queries;

use std::process::ExitCode;

use duckdb::duckdb;

fn main() -> ExitCode {
    needs::run(needs::trials![
        duckdb => [
            queries::questions_of_the_page_have_answers,
            queries::views_leave_former_rows_out,
        ];
    ])
}
