//! What classes derive from, as far as it is known.

use super::meaning::ObjectLookup;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::{EngineClasses, Surroundings};
use crate::version::{Engine, Versions};

/// Classes are followed this far.
const DEEPEST: usize = 64;
/// The class that all others derive from.
const ROOT: &str = "Object";

/// What the engines' native classes derive from that no declaration says, line by line: a class, then those
/// that it derives from, the nearest first. Where releases differ a line has the classes of all of them.
const NATIVE: &str = "\
Actor
Field
Package
TextBuffer
Enum Field
Const Field
Struct Field
ScriptStruct Struct Field
UserDefinedStruct ScriptStruct Struct Field
UserDefinedEnum Enum Field
Function Struct Field
State Struct Field
Class State Struct Field
BlueprintGeneratedClass Class Struct Field
WidgetBlueprintGeneratedClass BlueprintGeneratedClass Class Struct Field
AnimBlueprintGeneratedClass BlueprintGeneratedClass Class Struct Field
";
const UE1: &str = "\
Primitive
Sound
Music
Font
Polys
Model Primitive
Mesh Primitive
LodMesh Mesh Primitive
SkeletalMesh LodMesh Mesh Primitive
Animation
Palette
Bitmap
Texture Bitmap
FractalTexture Texture Bitmap
FireTexture FractalTexture Texture Bitmap
WaterTexture FractalTexture Texture Bitmap
WaveTexture WaterTexture FractalTexture Texture Bitmap
WetTexture WaterTexture FractalTexture Texture Bitmap
IceTexture FractalTexture Texture Bitmap
ScriptedTexture Texture Bitmap
LevelBase
Level LevelBase
";
const UE2: &str = "\
Primitive
Animation
Sound
Music
Font
Polys
Palette
Model Primitive
Mesh Primitive
LodMesh Mesh Primitive
SkeletalMesh LodMesh Mesh Primitive
VertMesh LodMesh Mesh Primitive
StaticMesh Primitive
MeshAnimation Animation
LevelBase
Level LevelBase
Material
RenderedMaterial Material
BitmapMaterial RenderedMaterial Material
Texture Bitmap BitmapMaterial RenderedMaterial Material
";
const UE3: &str = "\
Component
ActorComponent Component
Surface
MaterialInterface Surface
Material MaterialInterface Surface
MaterialInstance MaterialInterface Surface
MaterialInstanceConstant MaterialInstance MaterialInterface Surface
MaterialInstanceTimeVarying MaterialInstance MaterialInterface Surface
Texture Surface
Texture2D Texture Surface
TextureCube Texture Surface
TextureMovie Texture Surface
TextureRenderTarget Texture Surface
TextureRenderTarget2D TextureRenderTarget Texture Surface
LightMapTexture2D Texture2D Texture Surface
ShadowMapTexture2D Texture2D Texture Surface
SoundCue
SoundNode
SoundNodeWave SoundNode
StaticMesh
SkeletalMesh
AnimSet
AnimSequence
ParticleSystem
PhysicsAsset
Font
Polys
Model
LevelBase
Level LevelBase
";
const UE4_AND_5: &str = "\
ActorComponent
StreamableRenderAsset
SkinnedAsset StreamableRenderAsset
MaterialInterface
FXSystemAsset
StaticMesh StreamableRenderAsset
SkeletalMesh SkinnedAsset StreamableRenderAsset
Texture StreamableRenderAsset
Texture2D Texture StreamableRenderAsset
TextureCube Texture StreamableRenderAsset
Material MaterialInterface
MaterialInstance MaterialInterface
MaterialInstanceConstant MaterialInstance MaterialInterface
SoundBase
SoundWave SoundBase
SoundCue SoundBase
ParticleSystem FXSystemAsset
PhysicsAsset
";

/// The native classes of an engine.
fn lines(versions: &Versions) -> impl Iterator<Item = &'static str> {
    const OWN: &[(Engine, &str)] =
        &[(Engine::Ue1, UE1), (Engine::Ue2, UE2), (Engine::Ue3, UE3), (Engine::Ue5, UE4_AND_5)];
    let own = versions.engine().row_of(OWN).unwrap_or_default();
    own.lines().chain(NATIVE.lines())
}

impl ObjectLookup<'_> {
    /// The classes that an object is of, its own first; `None` where one of them is not known.
    pub(super) fn classes_of(&self, object: PackageIndex) -> Option<Vec<String>> {
        let tables = self.package().tables();
        match object.target() {
            ObjectRef::Null => None,
            ObjectRef::Export(row) => match tables.exports.get(row)?.class_index {
                class if class.is_null() => self.classes_from("Class".to_owned()),
                class => self.ancestry(class),
            },
            ObjectRef::Import(row) => {
                let class = tables.imports.get(row)?.class_name;
                self.classes_from(self.package().name_text(class))
            }
        }
    }

    /// A class and all that it derives from; `None` where one of them is not known.
    pub(super) fn ancestry(&self, class: PackageIndex) -> Option<Vec<String>> {
        let exports = &self.package().tables().exports;
        let (mut chain, mut index) = (Vec::new(), class);
        while let ObjectRef::Export(row) = index.target() {
            if chain.len() >= DEEPEST {
                return None;
            }
            chain.push(self.package().object_name(index));
            index = exports.get(row)?.super_index;
        }
        match (index.is_null(), chain.last()) {
            (false, _) => {
                chain.extend(self.classes_from(self.package().object_name(index))?);
                Some(chain)
            }
            // Only the first of all derives from nothing.
            (true, Some(last)) => last.eq_ignore_ascii_case(ROOT).then_some(chain),
            (true, None) => None,
        }
    }

    fn classes_from(&self, class: String) -> Option<Vec<String>> {
        let mut chain = vec![class];
        while chain.len() < DEEPEST {
            let class = chain.last()?;
            if class.eq_ignore_ascii_case(ROOT) {
                return Some(chain);
            }
            match self.parent_of(class) {
                Some(parent) => chain.push(parent),
                None => {
                    chain.extend(native(class, self.package().versions())?);
                    return Some(chain);
                }
            }
        }
        None
    }

    fn parent_of(&self, class: &str) -> Option<String> {
        let package = self.package();
        let given = || self.mappings()?.parent_of(class);
        let own = || self.own()?.parent_of(class);
        let around = || package.class_layouts().parent_of(class);
        let declared = || Some(&*package.class_layouts().class(class)?.parent);
        let engine = || EngineClasses::of(package.versions())?.parent_of(class);
        let found = given().or_else(own).or_else(around).or_else(declared).or_else(engine);
        found.filter(|parent| !parent.is_empty()).map(str::to_owned)
    }
}

/// What a native class derives from.
fn native(class: &str, versions: &Versions) -> Option<Vec<String>> {
    let mut lines = lines(versions).map(|line| line.split(' '));
    let mut found = lines.find_map(|mut words| {
        words.next().is_some_and(|first| first.eq_ignore_ascii_case(class)).then_some(words)
    })?;
    Some(found.by_ref().chain([ROOT]).map(str::to_owned).collect())
}
