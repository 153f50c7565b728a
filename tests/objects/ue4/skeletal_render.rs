//! Cooked skeletal meshes: what is drawn, in every form from 4.19 on.

use unreal_packages::object::ue4::asset::skeletal_buffer_sizes::SkinWeightSizes;
use unreal_packages::object::ue4::asset::skeletal_buffers::{
    HalfEdges, MorphBuffers, SkeletalBuffers, SkinWeightProfile,
};
use unreal_packages::object::ue4::asset::skeletal_mesh::SkeletalMesh;
use unreal_packages::object::ue4::asset::skeletal_render::{
    DrawnSkeletalMesh, SkeletalRenderData, SkeletalRenderLod,
};
use unreal_packages::object::ue4::asset::skeletal_render_section::SkeletalRenderSection;
use unreal_packages::object::ue4::prepared::Flagged;
use unreal_packages::object::ue4::strip::StripFlags;
use unreal_packages::primitive::Payload;
use unreal_packages::version::{EngineRelease, UnrealVersions};
use unreal_packages::{ErrorKind, Map, Name, Span, Versions};

use super::{inline, laws_at, saved};

fn cooked(major: u8, minor: u8) -> Versions {
    let release = EngineRelease::new(major, minor);
    let versions = release.versions().with_release(Some(release));
    versions.with_cooked(true).with_filter_editor_only(true)
}

fn sections() -> Vec<SkeletalRenderSection> {
    let section = SkeletalRenderSection { bone_map: vec![0, 2], ..Default::default() };
    let duplicated = SkeletalRenderSection {
        duplicated_vertices: vec![4, 5],
        duplicated_ranges: vec![[2, 0]],
        ..section.clone()
    };
    vec![section, duplicated]
}

fn mesh(lods: Vec<SkeletalRenderLod>) -> SkeletalMesh {
    let drawn = SkeletalRenderData { lods, ..Default::default() };
    let strip = StripFlags { global: 1, class: 0 };
    SkeletalMesh { strip, cooked: DrawnSkeletalMesh::new(drawn), ..Default::default() }
}

fn profiles() -> Map<Name, SkinWeightProfile> {
    let profile = SkinWeightProfile { offsets: Map(vec![(3, 0)]), ..Default::default() };
    Map(vec![(Name::new(4), profile)])
}

fn refused(mesh: &SkeletalMesh, major: u8, minor: u8) {
    let error = saved(&mut mesh.clone(), &cooked(major, minor), 0).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotInVersion), "{major}.{minor}: {error}");
}

#[test]
fn buffers_are_bulk_data_from_5_8_on() {
    let lod = SkeletalRenderLod {
        required_bones: vec![0, 1],
        sections: sections(),
        buffers: inline(b"vertices"),
        // Without indices for tessellation.
        strip: StripFlags { global: 0, class: 1 },
        ..Default::default()
    };
    let left_out = SkeletalRenderLod { is_cooked_out: true, ..Default::default() };
    let mesh = mesh(vec![lod, left_out]);
    for (major, minor) in [(4, 24), (4, 27), (5, 4), (5, 8)] {
        laws_at(&mesh, &SkeletalMesh::default(), &cooked(major, minor));
    }
    refused(&mesh, 4, 23);
    let mut tessellated = mesh.clone();
    tessellated.cooked.data.as_mut().unwrap().lods[0].strip.class = 0;
    laws_at(&tessellated, &SkeletalMesh::default(), &cooked(5, 1));
    refused(&tessellated, 4, 27);
    tessellated.cooked.data.as_mut().unwrap().lods[0].buffer_sizes.adjacency.0 = Some((2, 12));
    laws_at(&tessellated, &SkeletalMesh::default(), &cooked(4, 27));
    let mut inlined = mesh.clone();
    inlined.cooked.data.as_mut().unwrap().lods[0].is_inlined = true;
    laws_at(&inlined, &SkeletalMesh::default(), &cooked(5, 8));
    refused(&inlined, 5, 7);
}

#[test]
fn buffers_stand_in_the_mesh_before() {
    let mut buffers = SkeletalBuffers::default();
    buffers.skin_weights.vertex_count = 2;
    let mut lod = SkeletalRenderLod {
        required_bones: vec![0, 1],
        sections: sections(),
        inlined: Some(Box::new(buffers)),
        ..Default::default()
    };
    let early = mesh(vec![lod.clone()]);
    for minor in [19, 22, 23] {
        laws_at(&early, &SkeletalMesh::default(), &cooked(4, minor));
    }
    refused(&early, 4, 24);
    // Finer than the platform's finest: without vertices.
    let coarse = SkeletalRenderLod {
        strip: StripFlags { global: 0, class: 2 },
        skin_weight_profiles: profiles(),
        ..Default::default()
    };
    laws_at(&mesh(vec![coarse.clone()]), &SkeletalMesh::default(), &cooked(4, 23));
    refused(&mesh(vec![coarse]), 4, 22);

    lod.is_inlined = true;
    lod.inlined.as_mut().unwrap().skin_weight_profiles = profiles();
    let inlined = mesh(vec![lod.clone()]);
    for (major, minor) in [(4, 24), (4, 25), (4, 27), (5, 0), (5, 7)] {
        laws_at(&inlined, &SkeletalMesh::default(), &cooked(major, minor));
    }
    refused(&inlined, 4, 23);
    let buffers = lod.inlined.as_mut().unwrap();
    buffers.ray_tracing_early = Payload(Span::owned(vec![7; 3]));
    laws_at(&mesh(vec![lod.clone()]), &SkeletalMesh::default(), &cooked(4, 27));
    refused(&mesh(vec![lod.clone()]), 4, 26);
    refused(&mesh(vec![lod.clone()]), 5, 6);
    let buffers = lod.inlined.as_mut().unwrap();
    let morphs = MorphBuffers { data: Payload(Span::owned(vec![1; 8])), ..Default::default() };
    buffers.morphs = Flagged(Some(morphs));
    buffers.half_edges =
        HalfEdges { twins: Payload(Span::owned(vec![2; 4])), ..Default::default() };
    laws_at(&mesh(vec![lod.clone()]), &SkeletalMesh::default(), &cooked(5, 5));
    refused(&mesh(vec![lod]), 4, 27);
}

#[test]
fn vertices_of_cloth_stand_behind_those_that_are_drawn() {
    let mut lod = SkeletalRenderLod {
        is_inlined: true,
        sections: sections(),
        inlined: Some(Box::default()),
        ..Default::default()
    };
    let cloth = Payload(Span::owned(vec![0; 128]));
    let (mut early, mut late) = (lod.clone(), lod.clone());
    early.sections[0].cloth_mapping = cloth.clone();
    late.sections[0].cloth_mapping_lods = vec![cloth];
    for lod in [&mut early, &mut late] {
        let buffers = lod.inlined.as_mut().unwrap();
        buffers.cloth.ranges.0 = Span::owned(vec![1; 24]);
    }
    laws_at(&mesh(vec![early.clone()]), &SkeletalMesh::default(), &cooked(4, 27));
    laws_at(&mesh(vec![late]), &SkeletalMesh::default(), &cooked(5, 4));
    refused(&mesh(vec![early.clone()]), 5, 4);
    // Cloth without a section that has some.
    lod.inlined = early.inlined;
    refused(&mesh(vec![lod]), 4, 27);
}

#[test]
fn sizes_of_influences_have_two_forms() {
    let old = SkinWeightSizes { stride: 8, vertex_count: 2, ..Default::default() };
    let new = SkinWeightSizes { most_bones: 4, vertex_count: 2, ..Default::default() };
    for (sizes, major, minor) in [(old, 4, 24), (new, 4, 25), (new, 5, 4)] {
        let mut lod = SkeletalRenderLod {
            sections: sections(),
            buffers: inline(b"vertices"),
            strip: StripFlags { global: 0, class: 1 },
            ..Default::default()
        };
        lod.buffer_sizes.skin_weights = sizes;
        laws_at(&mesh(vec![lod.clone()]), &SkeletalMesh::default(), &cooked(major, minor));
        refused(
            &mesh(vec![lod]),
            if minor == 24 { 5 } else { 4 },
            if minor == 24 { 4 } else { 24 },
        );
    }
}

/// Releases that write the same versions, custom ones too, are one.
#[test]
fn custom_versions_tell_releases_apart() {
    for release in EngineRelease::all() {
        let told = EngineRelease::of_stored(&release.versions());
        assert_eq!((told.ue4(), told.ue5()), (release.ue4(), release.ue5()), "{release}");
        let is_alike = told.versions().with_release(None) == release.versions().with_release(None);
        assert!(is_alike, "{release} is told to be {told}");
        // Some say nothing: then it is the newest of those that write the object versions.
        let silent = release.versions().with_custom_versions(Vec::new());
        let newest = EngineRelease::of_versions(release.ue4(), release.ue5());
        assert_eq!(EngineRelease::of_stored(&silent), newest, "{release}");
    }
    assert_eq!(
        EngineRelease::of_stored(&EngineRelease::new(4, 21).versions()),
        EngineRelease::new(4, 21)
    );
}
