//! The packages of the corpus: the folder that `UPK_CORPUS` names, or `../shared/corpus`. Each test stands
//! behind the folders that it needs.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/needs.rs"]
mod needs;
#[path = "../common/node_modules.rs"]
mod node_modules;
#[path = "../reader/mod.rs"]
mod reader;
#[path = "../common/other_tools.rs"]
mod rows;
#[path = "../reader/ue4.rs"]
mod ue4_reader;
#[path = "../reader/zen.rs"]
mod zen_reader;

#[cfg(feature = "content")]
mod actor_x;
#[cfg(feature = "usmap-codecs")]
mod additions;
#[cfg(feature = "content")]
mod animation_counts;
#[cfg(feature = "content")]
mod animations;
#[cfg(feature = "usmap-codecs")]
mod assembly;
mod assets;
mod bodies;
#[cfg(feature = "usmap-codecs")]
mod canonical;
#[cfg(feature = "usmap-codecs")]
mod checks;
#[cfg(feature = "content")]
mod classic_content;
#[cfg(feature = "content")]
mod classic_counts;
#[cfg(all(feature = "content", feature = "container", feature = "usmap-codecs"))]
mod classic_sockets;
#[cfg(feature = "usmap-codecs")]
mod code;
#[cfg(all(feature = "content", feature = "container", feature = "usmap-codecs"))]
mod collision;
mod compile;
#[cfg(feature = "compression")]
mod compression;
mod conform;
#[cfg(feature = "container")]
mod containers;
#[cfg(feature = "content")]
mod content;
#[cfg(feature = "content")]
mod content_in;
mod convert;
#[cfg(all(feature = "content", feature = "container"))]
mod cooked_meshes;
mod copies;
#[cfg(feature = "json")]
mod delegates;
mod diff;
#[cfg(all(feature = "json", feature = "usmap-codecs"))]
mod document_edits;
mod edit;
mod edits;
mod effective;
#[cfg(all(feature = "content", feature = "usmap-codecs"))]
mod embedding;
mod files;
mod folders;
#[cfg(feature = "content")]
mod gltf_counts;
mod going;
#[cfg(feature = "content")]
mod graphs;
mod groups;
mod headers;
#[cfg(feature = "content")]
mod imported_meshes;
mod imports;
#[cfg(feature = "usmap-codecs")]
mod inverses;
#[cfg(all(feature = "json", feature = "usmap-codecs"))]
mod json;
#[cfg(feature = "usmap-codecs")]
mod kismet_text;
#[cfg(all(feature = "content", feature = "container", feature = "usmap-codecs"))]
mod layers;
#[cfg(all(feature = "json", feature = "usmap-codecs"))]
mod leaves;
mod level_maps;
#[cfg(all(feature = "compression", feature = "usmap-codecs"))]
mod listed_rows;
#[cfg(feature = "make")]
mod make;
mod manifest;
#[cfg(feature = "content")]
mod map_text;
mod map_text_ue3;
#[cfg(feature = "usmap-codecs")]
mod mappings;
mod members;
#[cfg(feature = "usmap-codecs")]
mod merge;
#[cfg(feature = "content")]
mod meshes;
#[cfg(feature = "content")]
mod new_assets;
#[cfg(all(feature = "usmap-codecs", feature = "content", feature = "container"))]
mod new_blueprints;
#[cfg(feature = "usmap-codecs")]
mod objects;
mod other_tools;
#[cfg(all(feature = "content", feature = "container", feature = "usmap-codecs"))]
mod own_actors;
mod packages;
#[cfg(feature = "content")]
mod pictures;
#[cfg(feature = "usmap-codecs")]
mod properties;
mod rebuild;
#[cfg(all(feature = "content", feature = "container", feature = "usmap-codecs"))]
mod rendered;
#[cfg(all(feature = "content", feature = "container", feature = "usmap-codecs"))]
mod rendered_list;
mod saves;
#[cfg(all(feature = "content", feature = "container", feature = "usmap-codecs"))]
mod scenes;
mod seen;
#[cfg(feature = "make")]
mod set_code;
#[cfg(all(feature = "content", feature = "container", feature = "usmap-codecs"))]
mod solids;
mod source;
#[cfg(feature = "usmap-codecs")]
mod spelling;
#[cfg(all(feature = "content", feature = "usmap-codecs"))]
mod static_meshes_in;
#[cfg(feature = "content")]
mod stored_bounds;
#[cfg(feature = "content")]
mod stored_counts;
#[cfg(feature = "serde")]
mod structs;
mod structure;
#[cfg(feature = "content")]
mod tables;
#[cfg(all(feature = "content", feature = "usmap-codecs"))]
mod terrains;
#[cfg(all(feature = "content", feature = "container"))]
mod tiles;
#[cfg(feature = "content")]
mod ue3_counts;
mod ue4;
#[cfg(feature = "content")]
mod ue4_counts;
#[cfg(feature = "usmap-codecs")]
mod ue4_values;
mod undecoded;
mod unreal_script;
mod uz;
mod values;
#[cfg(all(feature = "content", feature = "usmap-codecs"))]
mod vertex_meshes_in;
mod zen;
mod zen_of_another;

use std::process::ExitCode;

use common::programs::{cpp, python};
use folders::{classic, conform, ue4_and_ue5};

/// Packages of public projects, a collection kept apart.
#[cfg(any(feature = "content", feature = "usmap-codecs"))]
fn wild() -> Result<(), String> {
    folders::has("wild")
}

fn main() -> ExitCode {
    needs::run(needs::trials![
        classic => [
            bodies::decoded_packages_take_nothing_but_their_spans_from_the_source,
            bodies::explanations_of_decoded_packages_leave_no_byte_out,
            headers::headers_assert_the_layouts_that_were_computed,
        ];
        #[cfg(all(feature = "content", feature = "usmap-codecs"))]
        classic, wild => [
            terrains::grids_stand_where_the_sectors_of_ue2_say,
            terrains::grids_have_the_heights_that_the_components_of_ue3_say,
            terrains::landscapes_are_what_actors_collide_with,
            terrains::sockets_are_at_bones,
        ];
        #[cfg(all(feature = "content", feature = "usmap-codecs"))]
        classic, wild => [
            static_meshes_in::static_meshes_of_ue2_are_built_as_the_engine_built_them,
            static_meshes_in::static_meshes_of_ue3_are_built_as_the_engine_built_them,
            vertex_meshes_in::meshes_of_ue1_are_built_as_the_engine_built_them,
            vertex_meshes_in::meshes_of_the_compilers_files_are_those_that_it_made,
            vertex_meshes_in::meshes_without_levels_have_the_links_that_the_engine_made,
        ];
        #[cfg(all(feature = "content", feature = "usmap-codecs"))]
        classic, wild => [embedding::what_is_imported_becomes_the_packages_own];
        #[cfg(feature = "content")]
        classic => [map_text::actors_of_maps_go_out_as_text_and_come_into_an_empty_map];
        classic => [map_text_ue3::actors_of_maps_of_ue3_go_out_as_text_and_come_into_an_empty_map];
        #[cfg(feature = "content")]
        classic, conform, ue4_and_ue5, wild, meshes::validator => [
            meshes::every_mesh_that_decodes_is_a_file_without_errors,
        ];
        #[cfg(feature = "content")]
        ue4_and_ue5, python, actor_x::reader => [actor_x::every_mesh_is_read_by_another_reader];
        #[cfg(all(feature = "content", feature = "container", feature = "usmap-codecs"))]
        ue4_and_ue5, wild, meshes::validator => [
            collision::shapes_are_files_without_errors,
            scenes::scenes_of_maps_are_files_without_errors,
        ];
        #[cfg(all(feature = "content", feature = "container", feature = "usmap-codecs"))]
        classic, conform, ue4_and_ue5, wild, containers::are_there, rendered::browser => [
            rendered::meshes_and_maps_are_drawn_in_a_browser,
        ];
        #[cfg(all(feature = "content", feature = "container", feature = "usmap-codecs"))]
        wild => [own_actors::actors_have_packages_of_their_own];
        #[cfg(all(feature = "content", feature = "container", feature = "usmap-codecs"))]
        classic, ue4_and_ue5, wild => [
            scenes::meshes_stand_where_engines_have_measured_them,
            scenes::damaged_maps_are_scenes_or_errors,
        ];
        #[cfg(all(feature = "content", feature = "container", feature = "usmap-codecs"))]
        classic, wild => [
            classic_sockets::tags_of_ue2_are_at_their_bones,
            collision::shapes_of_ue2_are_those_of_their_models_and_bones,
        ];
        #[cfg(all(feature = "content", feature = "container", feature = "usmap-codecs"))]
        ue4_and_ue5, wild => [
            collision::shapes_are_those_that_engines_have_measured,
            collision::shapes_of_bones_are_around_their_vertices,
        ];
        #[cfg(feature = "content")]
        ue4_and_ue5 => [
            animation_counts::files_have_the_frames_that_animations_store,
            animations::animations_move_the_bones_of_their_skeletons,
            animations::animations_of_ue3_move_the_bones_of_their_meshes,
            animations::packed_keys_say_what_was_imported,
            new_assets::cooked_assets_are_made_anew_as_their_cooker_has_made_them,
            new_assets::tables_of_games_become_those_of_the_editor,
            new_assets::headers_of_new_assets_say_what_others_of_their_release_say,
            imported_meshes::imported_meshes_fill_the_bounds_that_the_editor_has_computed,
            imported_meshes::mesh_descriptions_are_read_to_their_end_and_written_as_they_were,
        ];
        #[cfg(all(feature = "usmap-codecs", feature = "content", feature = "container"))]
        ue4_and_ue5, wild => [new_blueprints::blueprints_are_made_as_their_cookers_have_made_them];
        #[cfg(feature = "content")]
        ue4_and_ue5, graphs::other_reader => [graphs::another_reader_takes_graphs_as_text];
        #[cfg(feature = "compression")]
        classic => [compression::real_packages_decompress_compress_and_decompress];
        classic, cpp => [headers::headers_compile];
        conform, cpp => [headers::headers_of_official_releases_compile];
        saves::are_there => [
            saves::save_games_are_typed_and_saved_byte_for_byte,
            saves::values_of_save_games_are_set_to_what_they_are,
            saves::texts_of_languages_are_saved_byte_for_byte_and_changed,
        ];
        #[cfg(feature = "container")]
        containers::are_there => [
            containers::paks_are_read_and_their_tables_rebuilt,
            containers::paks_come_back_from_their_files,
            containers::stores_are_read_and_their_tables_rebuilt,
            containers::stores_come_back_from_their_files,
            containers::container_headers_of_older_releases_come_back,
        ];
        #[cfg(all(feature = "json", feature = "compression"))]
        saves::are_there => [
            saves::registries_are_typed_and_saved_byte_for_byte,
            saves::packed_save_games_are_read_and_saved_byte_for_byte,
        ];
        #[cfg(all(feature = "container", feature = "json", feature = "compression"))]
        containers::are_there => [saves::registries_in_containers_are_typed_and_saved_byte_for_byte];
        #[cfg(all(feature = "compression", feature = "usmap-codecs"))]
        classic, wild => [
            listed_rows::components_and_textures_are_listed_by_rows_that_follow,
            listed_rows::lists_of_components_are_dropped_and_made_by_versions,
        ];
        #[cfg(all(feature = "compression", feature = "usmap-codecs"))]
        wild => [saves::files_of_public_projects_are_typed_and_saved_byte_for_byte];
        uz::are_there => [uz::real_files_are_unpacked_and_packed_again_byte_for_byte];
        classic, python => [seen::corpus_is_seen_the_same_by_an_independent_reader];
        conform => [
            conform::conforming_gives_back_what_the_engine_made,
            conform::official_releases_conform_and_damaged_ones_do_not,
            conform::pruning_leaves_what_is_used_and_starts_anew,
            convert::generations_and_predecessors_that_would_be_lost_are_refused,
            imports::imports_of_real_packages_are_found_where_their_package_is_there,
        ];
        classic, conform => [
            bodies::bodies_decode_and_are_rebuilt,
            bodies::every_script_decodes_with_both_sizes_exact,
            bodies::references_finds_every_name_and_import_in_use,
            bodies::renumbering_by_nothing_changes_nothing,
            convert::real_packages_go_to_other_versions_and_back,
            copies::added_lights_are_as_the_editors_lights,
            groups::objects_are_copied_between_file_versions,
            copies::copies_between_packages_of_the_same_paths_say_what_the_originals_say,
            diff::packages_are_the_same_as_themselves_and_releases_differ_in_known_ways,
            packages::a_changed_file_keeps_every_other_body,
            packages::every_byte_is_covered_and_explained_once,
            packages::every_file_saves_identically_or_is_named_as_closed,
            packages::every_name_import_and_export_resolves,
            packages::the_newest_generation_has_the_current_counts,
            rebuild::corpus_files_are_rebuilt_from_their_spans,
            source::decompiled_classes_say_what_their_authors_wrote,
            structure::real_packages_are_edited_and_nothing_else_changes,
            values::real_packages_take_new_values,
        ];
        #[cfg(feature = "make")]
        classic, compile::tables_are_there => [
            make::pure_packages_come_back_from_their_texts,
            make::exports_of_ue1_and_ue2_fall_as_the_sort_leaves_them,
            make::packages_of_ue3_come_back_from_their_texts,
            make::packages_of_ue3_are_ordered_as_the_engine_does,
            set_code::functions_come_back_from_their_texts_and_longer_ones_touch_nothing_else,
        ];
        classic, ue4_and_ue5, rows::kaitai::modules => [
            other_tools::headers_of_every_version_are_read_the_same_by_kaitai,
        ];
        classic, ue4_and_ue5, rows::imhex::command => [
            other_tools::headers_of_every_version_are_read_the_same_by_imhex,
        ];
        #[cfg(feature = "make")]
        classic => [make::exports_of_ue3_stand_where_the_walk_puts_them];
        classic, conform, compile::make, compile::tables_are_there => [
            compile::compiled_packages_are_compiled_against,
            compile::decompiled_text_is_compiled_to_the_code_that_it_is_of,
            compile::compiled_text_is_the_stored_code,
        ];
        #[cfg(all(feature = "make", feature = "usmap-codecs"))]
        classic, conform, compile::make, wild, compile::tables_are_there => [
            make::objects_of_texts_are_the_stored_ones,
        ];
        #[cfg(feature = "json")]
        classic => [delegates::delegates_of_ue2_follow_their_rows];
        #[cfg(feature = "usmap-codecs")]
        classic, conform => [
            assembly::unreal_script_comes_back_from_text,
            code::strings_of_unreal_script_change_their_lengths,
        ];
        #[cfg(feature = "content")]
        classic, conform => [
            classic_content::corpus_content_comes_back_byte_for_byte,
            classic_content::corpus_edits_reach_only_their_place,
        ];
        #[cfg(feature = "serde")]
        classic, conform => [structs::objects_are_loaded_and_saved_as_structs];
        ue4_and_ue5 => [
            assets::real_packages_of_the_editor_have_the_same_header,
            edits::every_package_can_be_edited,
            going::objects_of_ue4_and_ue5_go_and_come_back,
            imports::imports_of_real_projects_are_found_where_their_package_is_there,
            ue4::checksums_are_those_of_the_engine,
            ue4::every_byte_is_explained,
            ue4::every_package_saves_identically,
            ue4::headers_are_typed_to_the_last_byte,
            ue4::only_spans_are_taken_from_the_source,
            ue4::packages_grow_and_keep_what_they_hold_or_refuse,
        ];
        #[cfg(feature = "content")]
        ue4_and_ue5 => [
            content::content_of_ue4_packages_comes_out_or_says_why_not,
            content::filtered_sources_have_the_hash_that_they_say,
            content_in::every_size_of_filtered_sources_has_the_filter,
            content_in::stored_payloads_are_as_the_engine_makes_them,
            content_in::thumbnails_are_made_anew_as_the_editor_makes_them,
            pictures::textures_of_ue4_and_ue5_go_in_again_without_a_change,
            tables::tables_come_out_and_go_back_byte_for_byte,
        ];
        #[cfg(feature = "content")]
        classic => [pictures::sizes_of_textures_of_consoles_are_halves_of_each_other];
        #[cfg(feature = "content")]
        classic, ue4_and_ue5, pictures::decoder => [
            pictures::another_decoder_sees_the_same_pixels,
        ];
        #[cfg(feature = "content")]
        ue4_and_ue5, python => [
            content_in::cooked_textures_take_pictures_of_another_size,
            content_in::sounds_of_ue4_and_ue5_take_others_and_their_own_again,
            content_in::sources_of_textures_take_other_pictures,
            tables::python_reads_every_table_and_what_it_writes_is_no_change,
        ];
        #[cfg(all(feature = "content", feature = "json", feature = "compression"))]
        saves::are_there => [tables::texts_of_languages_come_out_and_go_back_byte_for_byte];
        #[cfg(all(feature = "container", feature = "content"))]
        containers::are_there => [
            content::textures_in_containers_come_out,
            cooked_meshes::cooked_meshes_are_what_they_were_made_from,
            tiles::virtual_textures_take_other_pixels,
            tiles::virtual_textures_take_pictures_of_another_size,
        ];
        #[cfg(all(feature = "content", feature = "container", feature = "usmap-codecs"))]
        containers::are_there => [
            collision::shapes_of_containers_are_within_their_meshes,
            layers::layers_go_out_as_dds_files_and_in_again,
            layers::layers_take_pictures_of_another_size_and_their_own_again,
        ];
        #[cfg(feature = "usmap-codecs")]
        ue4_and_ue5 => [
            assembly::kismet_comes_back_from_text,
            code::strings_and_names_of_kismet_change_their_lengths,
            kismet_text::blueprints_are_pseudo_code_that_leaves_nothing_out,
            mappings::files_load_and_save,
            ue4::packages_without_versions_find_their_release,
            ue4_values::real_packages_take_new_values,
            objects::most_of_every_body_is_decoded,
            properties::every_property_is_decoded_and_saves_identically,
        ];
        #[cfg(feature = "usmap-codecs")]
        wild => [objects::most_of_every_body_of_the_second_collection_is_decoded];
        zen::are_there => [
            zen::cooked_packages_become_the_packages_of_containers_that_they_are_beside,
            zen::packages_of_containers_are_saved_byte_for_byte,
            zen::tables_of_script_objects_name_what_their_hashes_say,
        ];
        ue4_and_ue5 => [
            zen_of_another::zen_packages_of_5_1_are_those_of_another_converter,
        ];
        zen::are_there, ue4_and_ue5, python => [
            zen::an_independent_reader_sees_real_zen_packages_and_their_changes_the_same,
        ];
        ue4_and_ue5, python => [edits::an_independent_reader_sees_what_was_edited];
        #[cfg(feature = "usmap-codecs")]
        ue4_and_ue5, python => [additions::every_package_takes_new_objects];
        conform, compile::make => [effective::inherited_values_are_those_that_decompiled_classes_say];
        classic, ue4_and_ue5 => [
            level_maps::places_are_those_that_raw_bytes_say,
            groups::groups_of_actors_are_copied_into_other_maps,
            members::members_are_listed_whatever_is_done_to_them,
            undecoded::what_was_decoded_before_makes_no_difference_to_an_edit,
        ];
        classic, conform, ue4_and_ue5 => [
            going::actors_of_real_maps_go_and_come_back,
            packages::header_and_rows_tell_the_truth,
        ];
        #[cfg(feature = "usmap-codecs")]
        classic, conform, ue4_and_ue5 => [code::no_code_of_a_compiler_is_refused];
        #[cfg(feature = "usmap-codecs")]
        classic, conform, ue4_and_ue5 => [canonical::one_property_is_one_line];
        #[cfg(feature = "usmap-codecs")]
        classic, conform, ue4_and_ue5 => [spelling::what_get_prints_set_takes];
        #[cfg(feature = "usmap-codecs")]
        classic, conform => [inverses::edits_of_classic_packages_are_taken_back];
        #[cfg(feature = "usmap-codecs")]
        ue4_and_ue5 => [inverses::edits_of_ue4_and_ue5_packages_are_taken_back];
        #[cfg(feature = "usmap-codecs")]
        classic, conform => [merge::edits_of_classic_packages_are_merged];
        #[cfg(feature = "usmap-codecs")]
        ue4_and_ue5 => [merge::edits_of_ue4_and_ue5_packages_are_merged];
        #[cfg(feature = "usmap-codecs")]
        classic, conform => [checks::objects_and_names_of_classic_packages_are_not_refused];
        #[cfg(feature = "usmap-codecs")]
        ue4_and_ue5 => [checks::objects_and_names_of_ue4_and_ue5_are_not_refused];
        #[cfg(feature = "usmap-codecs")]
        ue4_and_ue5 => [spelling::rows_become_rows_of_another_name];
        #[cfg(all(feature = "json", feature = "usmap-codecs"))]
        classic, conform, ue4_and_ue5 => [
            json::every_package_comes_back_byte_for_byte,
            json::what_is_stored_may_be_deleted,
            leaves::one_changed_leaf_is_shown,
            document_edits::natural_edits_do_what_they_say,
        ];
    ])
}
