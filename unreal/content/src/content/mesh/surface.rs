//! What a material shows of its surface: where its pictures are, how rough and how metallic it is.

use super::material::MeshOptions;
use super::material_level::{LevelReader, SurfaceLevel};
use super::material_parameter::MaterialParameters;
use super::object_at::ObjectAt;
use super::picture_search::{PictureSearch, PictureUse};
use super::source::value;
use crate::package::Package;
use crate::primitive::PackageIndex;
use crate::property::Value;

/// Instances of instances that are followed.
const DEEPEST: usize = 32;

/// A material, followed to where its pictures and numbers come from.
#[derive(Debug, Default)]
pub(super) struct MaterialSurface {
    /// The texture of its base colour.
    pub base: Option<ObjectAt>,
    /// That of its normals.
    pub normal: Option<ObjectAt>,
    /// The base colour where no texture says it: red, green, blue of light.
    pub color: Option<[f32; 3]>,
    /// How rough it is, from 0 to 1, where its graph says that.
    pub roughness: Option<SurfaceLevel>,
    /// How metallic it is, likewise.
    pub metallic: Option<SurfaceLevel>,
    /// The path of a texture or material on the way to its base colour that is not at hand.
    pub away: Option<String>,
    /// Whether the alpha of its base colour says where holes are.
    pub masked: bool,
    /// How opaque it is where it is seen through: 1 where its graph says it otherwise than by a number.
    pub opacity: Option<f32>,
    /// Whether both sides are seen.
    pub two_sided: bool,
}

impl MaterialSurface {
    /// That of a material, as far as what it consists of is at hand.
    pub fn of(package: &Package, material: PackageIndex, options: &MeshOptions<'_>) -> Self {
        let mut made = Self::default();
        let chain = chain(package, material, options);
        let parameters = MaterialParameters::of(&chain);
        let search = |wanted| {
            let mut search = PictureSearch::new(options, &parameters, wanted);
            (search.find(package, material), search)
        };
        let (base, seen) = search(PictureUse::Base);
        (made.base, made.away) = (base, seen.away);
        (made.two_sided, made.masked) = (seen.two_sided, seen.masked);
        let mut seen_through = seen.seen_through;
        made.normal = search(PictureUse::Normal).0;
        if let Some(root) = chain.last() {
            let levels = LevelReader::new(&root.package, options, &parameters);
            // A graph would have led there: what else it has are masks and noise.
            if made.base.is_none() && made.away.is_none() && !levels.has_graph(root.row) {
                let (base, seen) = search(PictureUse::AnyBase);
                (made.base, made.away) = (base, seen.away);
                made.two_sided |= seen.two_sided;
                made.masked |= seen.masked;
                seen_through |= seen.seen_through;
            }
            if made.base.is_none() {
                made.color = levels.color_of_material(root.row);
            }
            let opacity = levels.of_material(root.row, "Opacity", 1.0);
            made.opacity = seen_through.then_some(match opacity {
                Some(SurfaceLevel::Number(number)) => number.clamp(0.0, 1.0),
                _ => 1.0,
            });
            made.roughness = levels.of_material(root.row, "Roughness", 0.5);
            made.metallic = levels.of_material(root.row, "Metallic", 0.0);
        }
        made
    }
}

/// A material, what it is an instance of, and so on to the one with the graph.
fn chain(package: &Package, material: PackageIndex, options: &MeshOptions<'_>) -> Vec<ObjectAt> {
    let (mut chain, mut next) = (Vec::<ObjectAt>::new(), ObjectAt::of(package, material, options));
    while let Some(at) = next.take().filter(|_| chain.len() < DEEPEST) {
        if chain.iter().any(|known| known.key() == at.key()) {
            break;
        }
        next = parent(&at).and_then(|parent| ObjectAt::of(&at.package, parent, options));
        chain.push(at);
    }
    chain
}

fn parent(at: &ObjectAt) -> Option<PackageIndex> {
    let decoded = at.package.decode(at.row).ok()?;
    match value(&at.package, decoded.body.lists().next()?, "Parent") {
        Some(Value::Object(parent)) => Some(*parent),
        _ => None,
    }
}
