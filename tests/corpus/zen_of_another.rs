//! Zen packages of 5.1 that another converter has made of the cooked packages of the corpus.

use unreal_packages::package::{OpenOptions, ZenPackage};

use crate::manifest;

/// What retoc 0.1.5 (`to-zen --version UE5_1`) makes of each: bytes and their FNV-1a hash.
#[rustfmt::skip]
const MADE: [(&str, usize, u64); 35] = [
    ("0_0_BP_Projectile.uasset", 2005, 0x23cb082b52e2ee0d),
    ("0_0_B_Gamemode.uasset", 1377, 0xd261c26c45831a8a),
    ("0_0_Cinematic_Widget.uasset", 29537, 0x9c3b415a73e45513),
    ("0_0_CloudGradientTexture.uasset", 1013, 0xd926004237f0b0b9),
    ("0_0_Credits_Widget.uasset", 40907, 0xe09d6a19b51e53e7),
    ("0_0_Cube.uasset", 15947, 0xc5a6d106652d7934),
    ("0_0_DT_FishingLevelConfigs.uasset", 36397, 0x3188d5794b9dd1fb),
    ("0_0_DT_FishingNibbleConfig.uasset", 795, 0x032b14cd5f72f879),
    ("0_0_Death_Widget.uasset", 19312, 0x0bbda2699d6ac490),
    ("0_0_DefaultPhysicalMaterial.uasset", 312, 0xc747336442330c50),
    ("0_0_DefaultPostProcessMaterial.uasset", 11442, 0x83c6b282b5c706f6),
    ("0_0_DefaultTextureCube.uasset", 66289, 0x5028f082cc398755),
    ("0_0_DefaultVolumeTexture.uasset", 739, 0x211a0184c3e52cec),
    ("0_0_Duck_Normal_Attack_MixMod.uasset", 377, 0x1614e3746aa99443),
    ("0_0_End_Screen_Widget.uasset", 14816, 0x669da2718c25b966),
    ("0_0_Entry.umap", 9141, 0x14cc6867a9bdc129),
    ("0_0_Entry_BuiltData.uasset", 24256, 0x3362ebbe1f4df7e6),
    ("0_0_Game_Widget.uasset", 36848, 0x7d239b225b3b0e12),
    ("0_0_GizmoMaterial.uasset", 8426, 0x92fce20eb0c533fa),
    ("0_0_HLODLayer_Merged.uasset", 313, 0x63299728d79c3f2a),
    ("0_0_Intro_Widget.uasset", 5913, 0xa4fa5bdbee6ce969),
    ("0_0_Jumpscare_Camera_Shake.uasset", 968, 0x628e3636e921c3e1),
    ("0_0_M_EmissiveRed_Inst.uasset", 546, 0x5564891b333a73cc),
    ("0_0_Main_Menu_Widget.uasset", 88706, 0xfa840fd42ae2fc88),
    ("0_0_MasterEQEffectPreset.uasset", 312, 0xcb6457f2e652a925),
    ("0_0_MasterReverbEffectPreset.uasset", 320, 0x7980418bbd7299a6),
    ("0_0_MasterSubmixDefault.uasset", 396, 0xe1960a9dc18217a2),
    ("0_0_MiniFont.uasset", 2503, 0x6a5d7e4b7f29d771),
    ("0_0_Music.uasset", 314, 0x74e24c12a4bf8337),
    ("0_0_P_HitEffect.uasset", 2902, 0xe1fec4e174b6ffe1),
    ("0_0_Pause_Menu_Widget.uasset", 83960, 0x641c2526c1a5a07b),
    ("0_0_SM_TankTurret.uasset", 91810, 0xeec55d21d0197199),
    ("0_0_UV_SetupGrid.uasset", 392, 0x69ae6c35c7b51c7b),
    ("0_0_WBP_EndGameWidget.uasset", 2637, 0xb187ce9aab740cf0),
    ("0_0_Widget3DPassThrough_Translucent_OneSided.uasset", 8378, 0x2f4f212b039e62b2),
];

fn fnv(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

pub fn zen_packages_of_5_1_are_those_of_another_converter() {
    let mut same = 0;
    for entry in manifest::packages() {
        let Some((_, size, hash)) = MADE.iter().find(|(name, ..)| *name == entry.name()) else {
            continue;
        };
        let package = entry.options().open(&entry.path).unwrap();
        let zen = ZenPackage::of(&package).unwrap();
        assert_eq!((zen.bytes.len(), fnv(&zen.bytes)), (*size, *hash), "{}", entry.name());
        let options = OpenOptions::new().engine("5.1".parse().unwrap());
        let again = options.imported_packages(zen.imported).open_bytes(zen.bytes.clone()).unwrap();
        assert_eq!(again.exports().len(), package.exports().len(), "{}", entry.name());
        assert!(again.to_bytes().unwrap() == zen.bytes, "{}", entry.name());
        same += 1;
    }
    assert_eq!(same, MADE.len());
}
