//! The command on the packages of the corpus: the folder that `UPK_CORPUS` names, or `../shared/corpus`. Each
//! test stands behind the folders that it needs.

#[path = "../commands/common/mod.rs"]
mod common;
#[path = "../../../tests/corpus/folders.rs"]
mod folders;
#[path = "../../../tests/common/needs.rs"]
mod needs;

mod classes;
mod property;
mod verify;

use std::process::ExitCode;

use folders::{classic, conform, ue4_and_ue5};

fn main() -> ExitCode {
    needs::run(needs::trials![
        classic => [property::real_properties_are_set];
        classic, conform => [
            classes::classes_of_real_packages_are_shown_and_compared,
            verify::real_packages_are_identical_or_say_why_they_are_unsupported,
        ];
        ue4_and_ue5 => [verify::packages_of_ue4_and_ue5_are_identical_or_ask_for_their_release];
    ])
}
