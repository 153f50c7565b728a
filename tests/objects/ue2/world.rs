//! Models, levels, volumes, terrain, physics.

use unreal_packages::object::geometry::{BoundingBox, IndexPair, Vector};
use unreal_packages::object::ue2::*;
use unreal_packages::primitive::{FString, Map, PackageIndex, TransArray};
use unreal_packages::{Index, Versions};

use super::{
    header, is_swat, is_ut, lazy, obeys_everywhere, object, objects, only, payload, stream,
};

fn section(versions: &Versions) -> Section {
    let swat = SwatSection {
        header: header(versions, 0, 1),
        model: object(10),
        vertex_count: 1,
        index: 2,
        tangents_header: header(versions, 0, 1),
        tangents: stream(1),
    };
    Section {
        header: header(versions, 0, 2),
        vertices: stream(1),
        material: object(11),
        node_count: 1,
        poly_flags: 2,
        light_map_texture: -1,
        swat: only(is_swat(versions), swat),
    }
}

fn atlas(versions: &Versions) -> Atlas {
    let texture = AtlasTexture {
        header: header(versions, 0, 1),
        level: object(16),
        mip_0: lazy(2),
        mip_1: lazy(1),
        format: 3,
        unknown: [1, 2, 3, 4],
        cache_id: 5,
        revision: 1,
        number: 2,
    };
    Atlas { header: header(versions, 0, 1), textures: [texture.clone(), texture] }
}

#[test]
fn models() {
    obeys_everywhere(|versions| {
        let swat = is_swat(versions);
        let node = BspNode {
            header: header(versions, 2, 2),
            surface: Index::new(5000),
            back: Index::new(-1),
            second_sphere: only(
                !is_ut(versions, 126),
                unreal_packages::object::geometry::Sphere { radius: 1.0, ..Default::default() },
            ),
            unknown: only(swat, 1),
            ..BspNode::default()
        };
        let surface = Surface {
            header: header(versions, 1, 1),
            material: object(1),
            actor: object(2),
            ..Surface::default()
        };
        let bits = LightBits { light: object(6), bits: payload(4), ..LightBits::default() };
        let model = Model {
            header: header(versions, 0, 5),
            vectors: vec![Vector::default(); 2],
            nodes: vec![node],
            surfaces: vec![surface],
            vertices: vec![IndexPair { first: Index::new(1), second: Index::new(-1) }],
            zones: vec![Zone { actor: object(3), connectivity: 1, ..Zone::default() }],
            polys: object(4),
            bounds: vec![BoundingBox::default()],
            leaf_hulls: vec![1, -1],
            leaves: vec![Leaf { visible_zones: 1, ..Leaf::default() }],
            lights: objects(&[5]),
            sections: vec![section(versions)],
            light_maps: vec![LightMap {
                light_bits: vec![bits],
                level: object(7),
                ..LightMap::default()
            }],
            light_map_textures: vec![LightMapTexture {
                level: object(8),
                light_maps: vec![0],
                mip_0: lazy(2),
                mip_1: lazy(1),
                ..LightMapTexture::default()
            }],
            unknown: only(swat, 8),
            atlases: only(swat, vec![atlas(versions)]),
            clusters: only(swat, vec![Cluster { surfaces: vec![1], ..Cluster::default() }]),
            ..Model::default()
        };
        let mut rows = vec![1, 2, 3, 4, 5, 6, 7, 8, 11];
        rows.extend([10, 16].iter().filter(|_| swat));
        (model, rows, vec![])
    });
}

#[test]
fn levels() {
    let text = |text: &str| FString::from(text);
    obeys_everywhere(|versions| {
        let mut text_blocks = [PackageIndex::NULL; 16];
        text_blocks[15] = object(4);
        let level = Level {
            actors: TransArray { maximum: 4, items: objects(&[1, 2]) },
            url: Url {
                protocol: text("unreal"),
                options: vec![text("a"), text("b")],
                port: 7777,
                ..Url::default()
            },
            header: header(versions, 4, 6),
            model: object(3),
            time_seconds: 1.0,
            text_blocks,
            travel_info: Map(vec![(text("key"), text("value"))]),
            other: only(is_swat(versions), object(5)),
            ..Level::default()
        };
        let rows = if is_swat(versions) { vec![1, 2, 3, 4, 5] } else { vec![1, 2, 3, 4] };
        (level, rows, vec![])
    });
}

#[test]
fn volumes_and_terrain() {
    obeys_everywhere(|_| {
        let face = Face { points: vec![Vector::default(); 3], ..Face::default() };
        let volume = ConvexVolume { faces: vec![face], edges: payload(2), ..Default::default() };
        (volume, vec![], vec![])
    });
    obeys_everywhere(|_| {
        let terrain = TerrainInfo {
            sectors: objects(&[1, 2]),
            vertices: payload(2),
            face_normals: payload(1),
            vertex_colors: payload(3),
            ..TerrainInfo::default()
        };
        (terrain, vec![1, 2], vec![])
    });
    obeys_everywhere(|_| {
        let sector = TerrainSector {
            info: object(1),
            shadows: vec![TerrainShadow { light: object(2), bits: payload(2) }],
            ..TerrainSector::default()
        };
        (sector, vec![1, 2], vec![])
    });
}

#[test]
fn physics() {
    obeys_everywhere(|_| {
        let props = KMeshProps {
            inertia_tensor: [1.0; 6],
            spheres: vec![KSphere::default()],
            boxes: vec![KBox::default()],
            cylinders: vec![KCylinder::default()],
            convexes: vec![KConvex { points: vec![Vector::default()], ..KConvex::default() }],
            ..KMeshProps::default()
        };
        (props, vec![], vec![])
    });
    obeys_everywhere(|_| {
        let proxy = HkMeshProxy {
            unknown_1: 1,
            boxes: vec![KBox::default()],
            capsules: vec![Capsule::default()],
            convexes: vec![HkConvex { planes: vec![Default::default()], ..HkConvex::default() }],
            ..HkMeshProxy::default()
        };
        (proxy, vec![], vec![])
    });
}
