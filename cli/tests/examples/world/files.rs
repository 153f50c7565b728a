//! Files that are no packages: pictures, sounds, music, texts, tables.

use unreal_packages::content::Image;
use unreal_packages::mesh::{Lod, Mesh, MeshMaterial, MeshSection};

use super::Copy;

/// A picture of several colours.
pub fn picture(shift: u8) -> Vec<u8> {
    image(shift).to_png().unwrap()
}

pub fn image(shift: u8) -> Image {
    const SIDE: u32 = 16;
    let at = |at: u32| at + u32::from(shift) * 7;
    let color = |at: u32| [(at % SIDE * 8) as u8, (at / SIDE % SIDE * 8) as u8, shift, 255];
    Image::from_rgba(SIDE, SIDE, (0..SIDE * SIDE).map(at).map(color).collect()).unwrap()
}

/// Four samples of 16 bits.
pub fn wave() -> Vec<u8> {
    let mut file =
        b"RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x22\x56\0\0\x44\xac\0\0\x02\0\x10\0"
            .to_vec();
    file.extend(b"data\x08\0\0\0\x01\0\x02\0\x03\0\x04\0");
    file
}

/// A rock of four triangles as a file of glTF.
pub fn rock(size: f32) -> Vec<u8> {
    let far = size * 100.0;
    let lod = Lod {
        positions: vec![[0.0; 3], [far, 0.0, 0.0], [0.0, far, 0.0], [0.0, 0.0, far]],
        sections: vec![MeshSection {
            material: 0,
            indices: vec![0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2],
        }],
        ..Lod::default()
    };
    let materials = vec![MeshMaterial::default()];
    let mesh = Mesh { name: "Boulder".to_owned(), lods: vec![lod], materials, ..Mesh::default() };
    mesh.to_glb().unwrap()
}

/// The file of edits that the help of `upk edit` shows.
const DIM: &str = "\
# half the light, in maps that have some
let RADIUS = 32
expect count(Light*, class==Light) > 0
set Light1.LightRadius=$RADIUS
duplicate Light1 Light9
for 'Light*' --where 'class==Light && LightBrightness>128' {
  set $OBJECT.LightBrightness/=2
}
";

pub fn write(world: &Copy) {
    world.write("Fire.uc", "function Fire()\n{\n\tlocal int I;\n\n\tI = 5;\n\tDamage = I;\n}\n");
    world.write("values.uc", "defaultproperties\n{\n    Damage=30\n    Clip=2\n}\n");
    world.write("fire.txt", "code Enforcer.Fire\n    Return(Nothing)\nend\n");
    world.write("dim.txt", DIM);
    let pictures = [
        "Pictures/Sky.png",
        "Pictures/Walls/Brick.png",
        "Walls/Rough.png",
        "Walls/Stone/Smooth.png",
        "Skins/Blue.png",
        "Logo.png",
        "Grate.png",
        "blue.png",
        "Rough.png",
        "Rock.png",
        // What came out of a package, and out of a folder of packages.
        "Painted/Walls/Rough.png",
        "Painted/Skins.utx/Red.png",
    ];
    for (shift, name) in (1..).zip(pictures) {
        world.write(name, picture(shift * 20));
    }
    world.write("Boulder.glb", rock(2.0));
    world.write("Sounds/Bang.wav", wave());
    world.write("Bang.wav", [&wave()[..wave().len() - 2], &[9, 9]].concat());
    // An Impulse Tracker module without patterns.
    world.write("Song.it", [&b"IMPMan empty song"[..], &[0; 0xb0]].concat());
    // Conflicts of a merge, none of them open.
    world.write("conflicts.txt", "");
    world.write("Readme.txt", "How to play.\r\n");
    world.write("readme.txt", "How to play.\r\n");
    world.write("readme.bin", b"\0\0\0\0\0\0\0\0\0\x06Hello\0");
    world.write("Thing.bin", b"\0\0\0\0\0\0\0\0\0\x06Thing\0");
    world.write("Actor.uc", "class Actor extends Object;\r\n");
    let weapons = "---,Damage:float,Title:string\nSword,40,A sword\nBow,7,A bow\n";
    world.write("Weapons.csv", weapons);
    world.write("Painted/Game/Content/Data/DT_Weapons.uasset/DT_Weapons.csv", weapons);
    world.write(
        "Game.csv",
        "Namespace,Key,Translation,SourceHash\nMenu,Start,Begin,0x09090909\nMenu,New,Fresh,7\n",
    );
    world.write(
        "AssetRegistry.csv",
        "ObjectPath,Class,ChunkIDs,PackageFlags,tag Size\n/Game/A.A_2,Texture2D,12,0x200,Breite\n",
    );
    world.write("Loot.csv", "---,Value:int\nGold,100\nTin,2\n");
    world.write("Ores.csv", "---,Value\nIron,10\n");
    world.write("Menu.csv", "Key,SourceString\nStart,Start!\nQuit,Quit\n");
    world.write(
        "MyMod/Classes/MyMod.upkg",
        "[Flags]\r\nAllowDownload=True\r\nServerSideOnly=True\r\n",
    );
    // Folders that lines write into and that their users have.
    let folders =
        ["Tables/.keep", "src/.keep", "~/.zfunc/.keep", "~/.config/fish/completions/.keep"];
    for folder in folders.into_iter().chain(["~/.local/share/bash-completion/completions/.keep"]) {
        world.write(folder, "");
    }
}
