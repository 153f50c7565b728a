//! The meshes that are drawn, by engines and kinds.

/// How a mesh or a map is looked at, and which side of it must be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// A body, from everywhere: fronts.
    Around,
    /// A ground or a sheet, from above: fronts.
    Above,
    /// A sheet whose stored normals look down, from below: fronts.
    Below,
    /// Rooms, from everywhere: the backs of their walls.
    Within,
    /// Open surfaces, from everywhere: both.
    Open,
}

/// A mesh: the kind of its object, its file in the corpora, its path.
pub struct Drawn(pub &'static str, pub &'static str, pub &'static str, pub Seen);

use Seen::{Above, Around, Below, Open, Within};

pub const MESHES: &[Drawn] = &[
    Drawn("UE1 Mesh", "conform/relics_gen09.u", "RelicHourglass", Around),
    Drawn("UE1 Mesh", "conform/relics_gen09.u", "RelicSkull", Around),
    Drawn("UE1 Mesh", "conform/relics_gen11.u", "RelicRegen", Around),
    Drawn("UE1 LodMesh", "classic/69_0_HeadHunter.u", "Skull", Around),
    Drawn("UE1 LodMesh", "classic/69_0_KillConfirmed.u", "dogTag", Around),
    Drawn("UE1 LodMesh", "conform/relics_gen10.u", "RelicHelmet", Around),
    Drawn("UE1 SkeletalMesh", "classic/69_0_C4.u", "C4", Around),
    Drawn("UE2 StaticMesh", "classic/128_29_U_Adrenaline_rc.u", "DG-AdrenalinePickupMesh", Around),
    Drawn("UE2 StaticMesh", "classic/128_29_U_LazarCat_rc.u", "cat.3rdLC", Around),
    Drawn("UE2 StaticMesh", "wild/classic/126_29_X_MiscPhysicsMeshes.usx", "Crates.Crate", Around),
    Drawn("UE2 SkeletalMesh", "classic/129_27_TP_llrem870.ukx", "TP_rem870", Around),
    Drawn("UE2 SkeletalMesh", "wild/classic/129_0_storybook_anims.ukx", "storybook", Around),
    Drawn(
        "UE2 SkeletalMesh",
        "wild/classic/128_29_HolyHandGrenadeAnim.ukx",
        "HolyHandGrenadeAnimMesh",
        Around,
    ),
    Drawn("UE2 TerrainInfo", "wild/classic/126_0_Beanstalk_bonus_dawn.unr", "TerrainInfo1", Above),
    Drawn(
        "UE3 StaticMesh",
        "classic/513_130_BioA_ProNor.pcc",
        "BioS_Normandy_Des.ProNor_Hatchdoors_01",
        Around,
    ),
    Drawn(
        "UE3 StaticMesh",
        "classic/684_194_BioD_Cat002_120TurretEnemies.pcc",
        "BioVFX_Z_MESHES.Sphere_Out_HiRes",
        Around,
    ),
    // Of the Xbox 360, the Wii U and the PlayStation 3.
    Drawn(
        "UE3 StaticMesh",
        "classic/684_194_biod_nor.xxx",
        "bioapl_cra_crate01.Crate01_S.Crate01_S",
        Around,
    ),
    Drawn(
        "UE3 SkeletalMesh",
        "classic/845_194_BioD_CerMir_525_2ndTran.xxx",
        "bioapl_dor_human_space.Human_Space_Door_4M_MDL",
        Around,
    ),
    Drawn(
        "UE3 SkeletalMesh",
        "classic/684_150_SFXWEAPON_SNIPERRIFLES.XXX",
        "BIOG_WPN_SNP_R.SNPa.WPN_SNPa_MDL",
        Around,
    ),
    Drawn("UE3 SkeletalMesh", "classic/864_0_ConceptaAssets.upk", "Mesh.hooman", Around),
    Drawn("UE3 SkeletalMesh", "classic/737_0_PRO_Mawhonic.upk", "SK_Mawhonic", Around),
    Drawn(
        "UE3 SkeletalMesh",
        "classic/684_194_BioD_Cat002_120TurretEnemies.pcc",
        "biog_rpr_hsk_nkd_r.NKDa.RPR_HSK_NKDa_MDL",
        Around,
    ),
    Drawn(
        "UE3 Terrain",
        "classic/684_153_BIOA_LAV60_00_LAY.XXX",
        "TheWorld.PersistentLevel.Terrain_3",
        Above,
    ),
    Drawn(
        "UE4 cooked StaticMesh",
        "modern/0_0_S_Dungeon_Statue_Pedestal.uasset",
        "S_Dungeon_Statue_Pedestal",
        Around,
    ),
    Drawn("UE4 cooked StaticMesh", "modern/0_0_knight.uasset", "Knight", Around),
    Drawn(
        "UE4 StaticMesh",
        "modern/342_0_item_weapon_gladius_glad.uasset",
        "item_weapon_gladius_glad",
        Around,
    ),
    Drawn("UE4 StaticMesh", "modern/413_0_paperStacks.uasset", "paperStacks", Around),
    Drawn(
        "UE4 SkeletalMesh",
        "modern/363_0_sg_char_player_skeletalmesh_02.uasset",
        "sg_char_player_skeletalmesh_02",
        Around,
    ),
    Drawn(
        "UE4 SkeletalMesh",
        "modern/482_0_Cannon_Export_base.uasset",
        "Cannon_Export_base_base",
        Around,
    ),
    Drawn("UE5 StaticMesh", "modern/522_1018_SM_cube.uasset", "SM_cube", Around),
    Drawn(
        "UE5 StaticMesh",
        "wild/modern/522_1017_SM_QuarterCylinder.uasset",
        "SM_QuarterCylinder",
        Around,
    ),
    Drawn("UE5 StaticMesh", "wild/modern/522_1006_Wall_400x300.uasset", "Wall_400x300", Around),
    // An invisible mannequin: one small square.
    Drawn(
        "UE5 SkeletalMesh",
        "wild/modern/522_1012_SKM_Quinn_Invis.uasset",
        "SKM_Quinn_Invis",
        Open,
    ),
    Drawn("UE5 cooked StaticMesh", "Minimal-Uncompressed-Windows.utoc", "SM_Nanite", Below),
    Drawn("UE5 cooked SkeletalMesh", "Minimal-Uncompressed-Windows.utoc", "SK_Fixture", Below),
    Drawn(
        "UE5 LandscapeStreamingProxy",
        "wild/modern/522_1017_5E5M8U03KHQYTL2OPFTDPV.uasset",
        "/Game/UI/UI_Assets/Untitled.Untitled.PersistentLevel.LandscapeStreamingProxy_D7T4VF4LBP34PHV9XOEVM5TIG_1_4_4_0",
        Above,
    ),
];

/// Maps, as scenes.
pub const MAPS: &[(&str, Seen)] = &[
    ("classic/69_0_1HH-TestBox-Large.unr", Within),
    ("wild/classic/126_0_Beanstalk_bonus_dawn.unr", Within),
    ("wild/classic/126_0_11_FGM_Battle.unr", Within),
    // Doors and stands without the rooms around them.
    ("classic/513_130_BioA_ProNor.pcc", Open),
    ("modern/522_1018_MyMap.umap", Around),
    ("wild/modern/522_1008_Map_Startup.umap", Around),
];
