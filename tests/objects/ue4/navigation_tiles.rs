//! Tiles of navigation meshes.

use unreal_packages::archive::{Loader, Span};
use unreal_packages::object::ue4::prepared::Prepared;
use unreal_packages::object::ue4::world::navigation::{NavMeshParameters, RecastNavMesh};
use unreal_packages::object::ue4::world::navigation_tile::{
    NavMeshLink, NavMeshTile, NavMeshTileCounts, NavMeshTileHeader, NavMeshVertices,
};
use unreal_packages::primitive::Real;
use unreal_packages::version::EngineRelease;
use unreal_packages::{Archived, Versions};

use super::{context, laws_at, saved};

fn release(minor: u8) -> Versions {
    EngineRelease::new(5, minor).versions()
}

/// A mesh of two tiles, the second empty.
fn mesh(version: u32) -> RecastNavMesh {
    let (four, one) = (Real::new(4.0), Real::new(1.0));
    let vertices = |count| match version {
        28.. => NavMeshVertices::Local(vec![[4.0; 3]; count]),
        _ => NavMeshVertices::World(vec![[four; 3]; count]),
    };
    let resolution = Prepared((version >= 23).then_some(1));
    let tile = NavMeshTile {
        reference: 1 << 36,
        size: 480,
        counts: NavMeshTileCounts {
            vertices: 4,
            polygons: 1,
            detail_meshes: 1,
            detail_vertices: 1,
            detail_triangles: 2,
            boxes: 1,
            links: 1,
            segments: 1,
            clusters: 1,
            ..Default::default()
        },
        header: NavMeshTileHeader { resolution, ..Default::default() },
        vertices: vertices(4),
        polygons: vec![Default::default()],
        detail_meshes: vec![Default::default()],
        detail_vertices: vertices(1),
        detail_triangles: vec![[0, 1, 2, 5]; 2],
        boxes: vec![Default::default()],
        links: vec![NavMeshLink { radius: four, ..Default::default() }],
        link_heights: vec![one],
        segments: vec![Default::default()],
        clusters: vec![[one; 3]],
        polygon_clusters: vec![0],
        layer_size: -1,
    };
    let parameters = NavMeshParameters { tile_count: 2, ..Default::default() };
    RecastNavMesh {
        version,
        parameters: Some(parameters),
        tiles: vec![tile, NavMeshTile::default()],
        ..Default::default()
    }
}

#[test]
fn tiles_hold_the_laws() {
    for (version, minor) in [(20, 0), (21, 0), (22, 1), (23, 2), (24, 2), (26, 3), (27, 7), (28, 8)]
    {
        laws_at(&mesh(version), &RecastNavMesh::default(), &release(minor));
    }
}

#[test]
fn tiles_are_typed_and_those_of_another_form_are_bytes() {
    let versions = release(8);
    let load = |bytes: &[u8]| {
        let mut loaded = RecastNavMesh::default();
        let mut loader = Loader::new(bytes, versions.clone()).with_context(context(bytes));
        loaded.serialize(&mut loader).unwrap();
        assert_eq!(loader.remaining(), 0);
        loaded
    };
    let bytes = saved(&mut mesh(28), &versions, 0).unwrap();
    let loaded = load(&bytes);
    assert!(loaded.other_tiles.is_empty());
    assert_eq!(loaded.tiles[0].vertices, NavMeshVertices::Local(vec![[4.0; 3]; 4]));
    assert_eq!(loaded.tiles[0].detail_triangles.len(), 2);
    // A tile with the layer that it was built from: nobody knows its form.
    let mut layered = bytes.clone();
    let end = bytes.len() - 12 - 4;
    layered[end..end + 4].copy_from_slice(&9_i32.to_le_bytes());
    let loaded = load(&layered);
    assert!(loaded.tiles.is_empty() && !loaded.other_tiles.is_empty());
    // A count that does not fit.
    let mut wrong = mesh(28);
    wrong.tiles[0].vertices = NavMeshVertices::default();
    assert!(saved(&mut wrong, &versions, 0).is_err());
    // Tiles of another version than the mesh says: as many vertices, and a resolution or none.
    for (of, said) in [(27, 28), (28, 27), (22, 23), (23, 22)] {
        let mut wrong = mesh(of);
        wrong.version = said;
        let error = saved(&mut wrong, &versions, 0).unwrap_err().to_string();
        assert!(error.contains("tiles[0]") && error.contains(&said.to_string()), "{error}");
    }
    // Tiles of old versions stay as they are.
    let old =
        RecastNavMesh { version: 9, other_tiles: Span::owned(*b"tiles"), ..Default::default() };
    laws_at(&old, &RecastNavMesh::default(), &release(8));
}
