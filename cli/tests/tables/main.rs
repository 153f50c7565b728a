//! Tables as others read them: those of scans by DuckDB, pyarrow and polars, those of packages by openpyxl.

#[path = "../commands/common/mod.rs"]
mod common;
#[path = "duckdb.rs"]
mod duckdb;
#[path = "../../../tests/common/needs.rs"]
mod needs;

mod queries;
mod workbooks;

use std::process::ExitCode;

use duckdb::duckdb;
use workbooks::openpyxl;

fn main() -> ExitCode {
    needs::run(needs::trials![
        duckdb => [
            queries::questions_of_the_page_have_answers,
            queries::questions_to_leaves_have_answers,
            queries::views_leave_former_rows_out,
        ];
        openpyxl => [workbooks::another_program_reads_workbooks_and_what_it_saves_is_taken];
    ])
}
