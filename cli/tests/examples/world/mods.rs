//! The packages of a mod in several releases, and those of who makes content.

use unreal_packages::Guid;
use unreal_packages::archive::Span;
use unreal_packages::content::{NewTexture, NewTextures, SoundEdits, TextEdits};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{Profile, create};
use unreal_packages::mesh::MeshEdits;
use unreal_packages::object::geometry::Vector;
use unreal_packages::object::ue1::{LodMesh, Mesh, MeshMaterial, MeshVertices};
use unreal_packages::package::Package;
use unreal_packages::primitive::Payload;
use unreal_packages::property::PropertyList;

use super::code::{self, Class};
use super::{Copy, files};

pub fn write(world: &Copy) {
    let old = my_mod(40, &["Gone", "Skins.Blue"]);
    let new = my_mod(41, &["Skins.Blue", "Green"]);
    let mut released = new.clone();
    released.edit(|edit| edit.conform_to(&old)).unwrap();
    for (folder, package) in
        [("Old/", &old), ("Released/", &old), ("New/", &new), ("", &released), ("mods/", &released)]
    {
        world.write(&format!("{folder}MyMod.u"), package.to_bytes().unwrap());
    }
    world.write("Other.u", other());
    world.write("mods/Other.u", other());
    let release = |properties: &[(&'static str, &'static str)]| {
        let class = Class::new("Thing", "Engine.Actor").properties(properties);
        code::package(&Profile::UT99.versions(), 50, &[class]).to_bytes().unwrap()
    };
    world.write("Old.u", release(&[("Size", "IntProperty")]));
    world.write("New.u", release(&[("Size", "FloatProperty"), ("Colour", "IntProperty")]));
    world.write("Mod.u", guns());
    for (name, changes) in [
        ("Base.u", [None, None]),
        ("Ours.u", [Some(("Gun", "MyDamageType", "Burned")), None]),
        ("Theirs.u", [Some(("Gun", "MyDamageType", "Burned")), Some(("Gun", "Tag", "Best"))]),
    ] {
        let mut package = Package::from_bytes(guns()).unwrap();
        for (object, property, text) in changes.into_iter().flatten() {
            let of = "name".parse().unwrap();
            package.edit(|edit| edit.add_property(object, property, &of, text)).unwrap();
        }
        world.write(name, package.to_bytes().unwrap());
    }
    mine(world);
}

/// A mod: texts and textures in groups, a class, references to other packages. The textures are these.
fn my_mod(guid: u32, textures: &[&str]) -> Package {
    let pawn = Class::new("MyPawn", "Engine.Pawn")
        .properties(&[("Mood", "IntProperty")])
        .functions(&["Shout"]);
    let mut package = code::package(&Profile::UT99.versions(), guid, &[pawn]);
    for path in ["Texts.Readme", "Group.Readme"] {
        package.edit(|edit| edit.add_text(path, "How to play.")).unwrap();
    }
    for (shift, path) in (1..).zip(textures) {
        package
            .edit(|edit| edit.add_texture(path, &files::image(shift * 40), &NewTexture::default()))
            .unwrap();
    }
    let mut add = |object: &str, property: &str, of: &str, text: &str| {
        package
            .edit(|edit| edit.add_property(object, property, &of.parse().unwrap(), text))
            .unwrap();
    };
    add("Skins.Blue", "Label", "name", "OldName");
    add("Skins.Blue", "Weapon", "object", "Core.Class'Botpack.Enforcer'");
    add("Skins.Blue", "Detail", "object", "Engine.Texture'OldSkins.Red'");
    package
}

fn other() -> Vec<u8> {
    let mut package = create(&Profile::UT99).unwrap();
    package.edit(|edit| edit.set_guid(Guid::new(51, 1, 2, 3))).unwrap();
    package.edit(|edit| edit.add_text("Notes", "Nothing yet.")).unwrap();
    package.to_bytes().unwrap()
}

/// An object with properties, and a text.
fn guns() -> Vec<u8> {
    let mut package = create(&Profile::UT99).unwrap();
    package
        .edit(|edit| edit.add_plain_object("Gun", "Botpack.Enforcer", Default::default()))
        .unwrap();
    package.edit(|edit| edit.add_text("Texts.Readme", "How to shoot.")).unwrap();
    let of = "name".parse().unwrap();
    package.edit(|edit| edit.add_property("Gun", "MyDamageType", &of, "Shot")).unwrap();
    package.to_bytes().unwrap()
}

/// A mesh of one triangle in one frame.
fn boulder() -> LodMesh {
    let corners = [0_u32, 100, 100 << 11].map(u32::to_le_bytes);
    let wedges = [[0_u8, 0, 0, 0], [1, 0, 255, 0], [2, 0, 0, 255]];
    let face = [0_u16, 1, 2, 0].map(u16::to_le_bytes);
    LodMesh {
        mesh: Mesh {
            vertices: MeshVertices {
                data: Span::owned(corners.as_flattened()),
                ..MeshVertices::default()
            },
            frame_vertices: 3,
            frame_count: 1,
            scale: Vector { x: 1.0, y: 1.0, z: 1.0 },
            ..Mesh::default()
        },
        faces: Payload(Span::owned(face.as_flattened())),
        wedges: Payload(Span::owned(wedges.as_flattened())),
        materials: vec![MeshMaterial::default()],
        model_vertices: 3,
        ..LodMesh::default()
    }
}

/// Packages of one kind of content each.
fn mine(world: &Copy) {
    let profile = &Profile::UT99;
    let mut package = create(profile).unwrap();
    package
        .edit(|edit| edit.add_texture("Walls.Rough", &files::image(9), &NewTexture::default()))
        .unwrap();
    world.write("Mine.utx", package.to_bytes().unwrap());
    let mut package = create(profile).unwrap();
    package
        .edit(|edit| {
            edit.add_object("Boulder", "Engine.LodMesh", PropertyList::default(), boulder())
        })
        .unwrap();
    world.write("Rocks.usx", package.to_bytes().unwrap());
    let mut package = create(&Profile::UT2004).unwrap();
    package.edit(|edit| edit.add_mesh("Rocks.Boulder", &files::rock(1.0))).unwrap();
    world.write("Mine.usx", package.to_bytes().unwrap());
    let mut package = create(profile).unwrap();
    package.edit(|edit| edit.add_sound("Bang", &files::wave())).unwrap();
    world.write("Mine.uax", package.to_bytes().unwrap());
    let actor = Class::new("Actor", "Core.Object").functions(&["Touch", "Tick"]);
    let mut package = code::package(&profile.versions(), 60, &[actor]);
    for number in 1..12 {
        package.edit(|edit| edit.add_text(&format!("Texts.Page{number}"), "A page.")).unwrap();
    }
    world.write("Mine.u", package.to_bytes().unwrap());
}
