//! The tables of scans as others read them (DuckDB, pyarrow, polars), and what questions cost.

#[path = "../commands/common/mod.rs"]
mod common;
#[path = "duckdb.rs"]
mod duckdb;
#[path = "../../../tests/common/needs.rs"]
mod needs;

mod cost;
mod queries;

use std::process::ExitCode;

use duckdb::duckdb;

fn main() -> ExitCode {
    needs::run(needs::trials![
        cost::valgrind => [cost::a_query_over_ten_thousand_actors_costs_at_most_twice_a_list];
        duckdb => [
            queries::questions_of_the_page_have_answers,
            queries::views_leave_former_rows_out,
        ];
    ])
}
