//! The command on the packages of the corpus: the folder that `UPK_CORPUS` names, or `../shared/corpus`. Each
//! test stands behind the folders that it needs.

#[path = "../commands/common/mod.rs"]
mod common;
#[path = "../tables/duckdb.rs"]
mod duckdb;
#[path = "../../../tests/corpus/folders.rs"]
mod folders;
#[path = "../../../tests/common/instructions.rs"]
mod instructions;
#[path = "../../../tests/common/level.rs"]
#[allow(dead_code, reason = "other tests use more of it")]
mod level;
#[path = "../examples/line.rs"]
mod line;
#[path = "../../../tests/common/needs.rs"]
mod needs;
#[path = "../examples/page.rs"]
mod page;
#[path = "../../../tests/common/programs.rs"]
#[allow(dead_code, reason = "other tests need other programs")]
mod programs;
#[path = "../examples/shown.rs"]
#[allow(dead_code, reason = "the lines of the README alone are taken")]
mod shown;

mod actors;
mod classes;
mod compare;
mod containers;
mod patches;
mod property;
mod queries;
mod scan;
mod tasks;
mod trials;
mod verify;

use std::process::ExitCode;

use duckdb::duckdb;
use folders::{classic, conform, ue4_and_ue5};

fn wild() -> Result<(), String> {
    folders::has("wild")
}

fn main() -> ExitCode {
    needs::run(needs::trials![
        classic => [
            property::real_properties_are_set,
            actors::actors_of_maps_of_ue2_and_ue3_are_duplicated,
            tasks::actors_of_real_maps_are_duplicated,
            tasks::maps_of_unreal_tournament_are_changed,
            tasks::textures_of_real_packages_are_renamed_and_moved,
        ];
        instructions::valgrind => [queries::a_question_costs_at_most_two_lists];
        containers::are_there => [
            containers::every_package_in_every_container_is_identical,
            containers::unpack_pack_unpack_gives_the_same_files,
            containers::builds_of_two_releases_are_compared,
            containers::a_package_of_a_real_container_is_patched,
        ];
        conform => [
            compare::generations_of_real_releases_are_told_apart,
            patches::a_patch_makes_each_generation_of_the_one_beside_it,
            tasks::real_releases_are_conformed,
        ];
        classic, conform => [
            classes::classes_of_real_packages_are_shown_and_compared,
            verify::real_packages_are_identical_or_say_why_they_are_unsupported,
        ];
        duckdb, classic, ue4_and_ue5 => [scan::tables_say_what_the_other_commands_say];
        classic, ue4_and_ue5 => [verify::info_agrees_with_verify];
        classic, ue4_and_ue5, wild, programs::python => [
            trials::tasks_of_map_makers_take_one_or_two_commands,
        ];
        ue4_and_ue5 => [
            actors::actors_of_maps_of_ue4_and_ue5_are_duplicated,
            tasks::real_data_tables_change_and_grow,
            verify::packages_of_ue4_and_ue5_are_identical_or_ask_for_their_release,
        ];
    ])
}
