//! Tests that need something of the machine beside the Rust toolchain: python3, a C++ compiler, valgrind, node with
//! Kaitai Struct, ImHex' pattern language, a user whom permissions stop.

#[path = "../common/mod.rs"]
mod common;
#[path = "../hostile/exercise.rs"]
mod exercise;
#[path = "../common/instructions.rs"]
mod instructions;
#[path = "../hostile/memory.rs"]
mod memory;
#[path = "../common/needs.rs"]
mod needs;
#[path = "../common/node_modules.rs"]
mod node_modules;
#[path = "../reader/mod.rs"]
mod reader;
#[path = "../common/other_tools.rs"]
mod rows;
#[path = "../reader/zen.rs"]
mod zen_reader;

#[cfg(feature = "container")]
mod containers;
#[cfg(unix)]
mod folder;
mod growth;
mod headers;
mod made;
mod other_tools;
mod zen;

use std::process::ExitCode;

use common::programs::{cpp, python};
#[cfg(unix)]
use folder::ordinary_user;

fn main() -> ExitCode {
    if growth::is_work() {
        return ExitCode::SUCCESS;
    }
    needs::run(needs::trials![
        python => [
            made::an_independent_reader_sees_the_same,
            made::the_independent_reader_sees_differences,
            zen::an_independent_reader_sees_zen_packages_of_every_form_and_their_changes_the_same,
            zen::the_independent_reader_sees_damage_in_zen_packages,
        ];
        #[cfg(feature = "container")]
        python => [
            containers::paks_of_every_version_are_seen_the_same,
            containers::stores_of_every_version_are_seen_the_same,
        ];
        #[cfg(feature = "content")]
        python => [made::an_independent_reader_sees_made_content_the_same];
        instructions::valgrind => [growth::work_on_crafted_packages_grows_as_they_do];
        cpp => [headers::headers_compile];
        rows::kaitai::modules => [
            other_tools::headers_of_made_packages_are_read_the_same_by_kaitai,
        ];
        rows::imhex::command => [
            other_tools::headers_of_made_packages_are_read_the_same_by_imhex,
        ];
        #[cfg(unix)]
        ordinary_user => [folder::a_folder_that_can_not_be_written_leaves_the_old_file];
    ])
}
