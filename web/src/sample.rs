//! Packages made for those who have none.

mod lamp;
mod lamp_post;
mod windmill;
mod yard;

use serde_json::json;
use unreal_packages::content::{Image, NewTexture, NewTextures, SoundEdits, TextEdits};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{NewAsset, NewRows, Profile, create};
use unreal_packages::package::{Package, SaveOptions};

use crate::answer::Answer;
use crate::failure::{Failure, Result};

/// What there is: name of the file, what is in it.
pub(crate) const NAMES: [(&str, &str); 6] = [
    ("Courtyard.utx", "Unreal Tournament: textures, a sound, a text"),
    ("Yard.unr", "Unreal Tournament: a map of one room"),
    ("Windmill.u", "Unreal Tournament: a mesh whose sails turn"),
    ("LampPost.u", "Unreal Tournament: a class with code"),
    ("DT_Weapons.uasset", "Unreal Engine 5.4: a data table"),
    ("MF_Lamp.uasset", "Unreal Engine 4.27: nodes of a material, a curve"),
];

/// The bytes of one.
pub(crate) fn make(name: &str) -> Result<Answer> {
    let package = match name {
        "Courtyard.utx" => courtyard()?,
        "Yard.unr" => yard::make()?,
        "Windmill.u" => windmill::make()?,
        "LampPost.u" => lamp_post::make()?,
        "DT_Weapons.uasset" => weapons()?,
        "MF_Lamp.uasset" => lamp::make()?,
        _ => {
            return Err(Failure::new(
                format!("no sample is called {name}"),
                "Choose one of the list.",
            ));
        }
    };
    let bytes = package.save(&SaveOptions::new())?.bytes.to_vec();
    Ok(Answer::with(&json!({ "name": name }), bytes))
}

fn courtyard() -> unreal_packages::Result<Package> {
    let mut package = create(&Profile::UT99)?;
    package.edit(|edit| {
        edit.add_texture("Walls.Bricks", &bricks(128)?, &NewTexture::default())?;
        edit.add_texture("Walls.Fence", &fence(64)?, &NewTexture::default())?;
        edit.add_texture("Ground.Tiles", &tiles(64)?, &NewTexture::default())?;
        edit.add_sound("Ambient.Bell", &bell())?;
        let text = "A courtyard, made by the page itself.\r\nChange this text, rename a texture, look at its bytes.";
        edit.add_text("Texts.Readme", text)
    })?;
    Ok(package)
}

fn weapons() -> unreal_packages::Result<Package> {
    let mut rows = NewRows::of("/Script/Courtyard.WeaponRow");
    for (column, kind) in
        [("Damage", "float"), ("Range", "int"), ("Title", "text"), ("Melee", "bool")]
    {
        rows.column(column, kind.parse()?);
    }
    rows.row("Sword", ["12.5", "2", "A sword", "true"])?;
    rows.row("Axe", ["18", "2", "An axe", "true"])?;
    rows.row("Bow", ["9.25", "40", "A bow", "false"])?;
    NewAsset::data_table("/Game/Courtyard/DT_Weapons", rows).build("5.4".parse()?)
}

fn bricks(side: u32) -> unreal_packages::Result<Image> {
    painted(side, |x, y| {
        let x = if (y / 16).is_multiple_of(2) { x } else { x + 16 };
        let shade = ((x * 7 + y * 13) % 24) as u8;
        match x % 32 < 2 || y % 16 < 2 {
            true => [190, 186, 178, 255],
            false => [140 + shade, 62 + shade / 2, 50, 255],
        }
    })
}

fn fence(side: u32) -> unreal_packages::Result<Image> {
    painted(side, |x, y| match x % 16 < 4 || y % 32 < 4 {
        true => [90, 60, 30, 255],
        false => [0, 0, 0, 0],
    })
}

fn tiles(side: u32) -> unreal_packages::Result<Image> {
    painted(side, |x, y| {
        let shade = ((x * y) % 17) as u8;
        match ((x / 16) + (y / 16)).is_multiple_of(2) {
            true => [92 + shade, 104 + shade, 98, 255],
            false => [150 + shade, 152 + shade, 140, 255],
        }
    })
}

fn painted(side: u32, texel: impl Fn(u32, u32) -> [u8; 4]) -> unreal_packages::Result<Image> {
    let places = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    Image::from_rgba(side, side, places.map(|(x, y)| texel(x, y)).collect())
}

/// A bell of half a second: a WAV file of one channel, eight bits, 11,025 samples a second.
fn bell() -> Vec<u8> {
    const RATE: u32 = 11_025;
    let count = RATE / 2;
    let sample = |at: u32| {
        let time = at as f32 / RATE as f32;
        let tone = |pitch: f32, loud: f32| (time * pitch * std::f32::consts::TAU).sin() * loud;
        let fading = (-6.0 * time).exp();
        (128.0 + 100.0 * fading * (tone(660.0, 0.6) + tone(1_320.0, 0.25) + tone(1_980.0, 0.15)))
            as u8
    };
    let mut file = Vec::new();
    file.extend_from_slice(b"RIFF");
    file.extend_from_slice(&(36 + count).to_le_bytes());
    file.extend_from_slice(b"WAVEfmt ");
    file.extend_from_slice(&16_u32.to_le_bytes());
    file.extend_from_slice(&[1, 0, 1, 0]);
    file.extend_from_slice(&RATE.to_le_bytes());
    file.extend_from_slice(&RATE.to_le_bytes());
    file.extend_from_slice(&[1, 0, 8, 0]);
    file.extend_from_slice(b"data");
    file.extend_from_slice(&count.to_le_bytes());
    file.extend((0..count).map(sample));
    file
}
