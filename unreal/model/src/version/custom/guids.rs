//! Custom versions by their GUIDs.

use crate::version::Guid;

macro_rules! guids {
    ($($name:ident = $text:literal, $a:literal, $b:literal, $c:literal, $d:literal;)*) => {
        $(
            #[doc = concat!("`", $text, "`.")]
            pub const $name: Guid = Guid::new($a, $b, $c, $d);
        )*

        /// The known custom versions with their engine names, in order of their names.
        pub const ALL: &[(Guid, &str)] = &[$(($name, $text)),*];
    };
}

guids! {
    ANIMATION = "AnimationCustomVersion", 0x2eb5_fdbd, 0x01ac_4d10, 0x8136_f38f, 0x3393_a5da;
    ANIM = "AnimObjectVersion", 0xaf43_a65d, 0x7fd3_4947, 0x9873_3e8e, 0xd9c1_bb05;
    ANIM_PHYS = "AnimPhysObjectVersion", 0x29e5_75dd, 0xe0a3_4627, 0x9d10_d276, 0x232c_dcea;
    ASSET_REGISTRY = "AssetRegistryVersion", 0x717f_9ee7, 0xe9b0_493a, 0x88b3_9132, 0x1b38_8107;
    AUTOMATION = "AutomationObjectVersion", 0x0df7_3d61, 0xa23f_47ea, 0xb727_89e9, 0x0c41_499a;
    BLUEPRINTS = "BlueprintsObjectVersion", 0xb0d8_32e4, 0x1f89_4f0d, 0xaccf_7eb7, 0x36fd_4aa2;
    BUILD = "BuildObjectVersion", 0xe1c6_4328, 0xa22c_4d53, 0xa36c_8e86, 0x6417_bd8c;
    CINE_CAMERA = "CineCameraObjectVersion", 0xb2e1_8506, 0x4273_cfc2, 0xa54e_f4bb, 0x758b_ba07;
    CLOTHING_ASSET = "ClothingAssetCustomVersion", 0xfb68_0af2, 0x59ef_4ba3, 0xbaa8_19b5, 0x73c8_443d;
    CONTROL_RIG = "ControlRigObjectVersion", 0xa782_0cfb, 0x20a7_4359, 0x8c54_2c14, 0x9623_cf50;
    CORE = "CoreObjectVersion", 0x375e_c13c, 0x06e4_48fb, 0xb500_84f0, 0x262a_717e;
    CURVE_EXPRESSION = "CurveExpressionCustomVersion", 0xa26d_36ae, 0x2693_5388, 0xa8c5_cb96, 0x2b95_b4af;
    DESTRUCTION = "DestructionObjectVersion", 0x174f_1f0b, 0xb4c6_45a5, 0xb13f_2ee8, 0xd0fb_917d;
    EDITOR = "EditorObjectVersion", 0xe4b0_68ed, 0xf494_42e9, 0xa231_da0b, 0x2e46_bb41;
    ENTERPRISE = "EnterpriseObjectVersion", 0x9dff_bcd6, 0x494f_0158, 0xe221_1282, 0x3c92_a888;
    EXTERNAL_PHYSICS = "ExternalPhysicsCustomObjectVersion", 0x35f9_4a83, 0xe258_406c, 0xa318_09f5, 0x9610_247c;
    EXTERNAL_PHYSICS_MATERIAL = "ExternalPhysicsMaterialCustomObjectVersion", 0xb68f_c16e, 0x8b1b_42e2, 0xb453_215c, 0x0588_44fe;
    FOLIAGE = "FoliageCustomVersion", 0x430c_4d19, 0x7154_4970, 0x8769_9b69, 0xdf90_b0e5;
    FORTNITE_MAIN = "FortniteMainBranchObjectVersion", 0x601d_1886, 0xac64_4f84, 0xaa16_d3de, 0x0dea_c7d6;
    FORTNITE_RELEASE = "FortniteReleaseBranchCustomObjectVersion", 0xe708_6368, 0x6b23_4c58, 0x8439_1b70, 0x1626_5e91;
    FORTNITE_SEASON = "FortniteSeasonBranchObjectVersion", 0x5b4c_06b7, 0x2463_4af8, 0x805b_bf70, 0xcdf5_d0dd;
    FRAMEWORK = "FrameworkObjectVersion", 0xcffc_743f, 0x43b0_4480, 0x9391_14df, 0x171d_2073;
    GEOMETRY = "GeometryObjectVersion", 0x6eac_a3d4, 0x40ec_4cc1, 0xb786_8bed, 0x0942_8fc5;
    HEIGHTMAP_TEXTURE_EDGE_SNAPSHOT = "HeightmapTextureEdgeSnapshotCustomVersion", 0x1234_5678, 0x1234_5678, 0x1234_5678, 0x1234_5678;
    INSTANCED_STRUCT = "InstancedStructCustomVersion", 0xe21e_1caa, 0xaf47_425e, 0x89bf_6ad4, 0x4c44_a8bb;
    INTERCHANGE = "InterchangeCustomVersion", 0x9273_8c43, 0x2988_4d9c, 0x9a3d_9bbe, 0x6eff_9fc0;
    LIVE_LINK = "LiveLinkCustomVersion", 0xab96_5196, 0x45d8_08fc, 0xb7d7_228d, 0x78ad_569e;
    LOAD_TIMES = "LoadTimesObjectVersion", 0xc2a1_5278, 0xbfe7_4afe, 0x6c17_90ff, 0x531d_f755;
    MEDIA_FRAMEWORK = "MediaFrameworkObjectVersion", 0x6f0e_d827, 0xa609_4895, 0x9c91_998d, 0x9018_0ea4;
    MOBILE = "MobileObjectVersion", 0xb02b_49b5, 0xbb20_44e9, 0xa304_32b7, 0x52e4_0360;
    NETWORKING = "NetworkingObjectVersion", 0xa4e4_105c, 0x59a1_49b5, 0xa7c5_40c4, 0x547e_dfee;
    NIAGARA = "NiagaraCustomVersion", 0xfcf5_7afa, 0x5076_4283, 0xb9a9_e658, 0xffa0_2d32;
    NIAGARA_OBJECT = "NiagaraObjectVersion", 0xf2ae_d0ac, 0x9afe_416f, 0x8664_aa7f, 0xfa26_d6fc;
    ONLINE = "OnlineObjectVersion", 0x39c8_31c9, 0x5ae6_47dc, 0x9a44_9c17, 0x3e1c_8e7c;
    OVERLAPPING_VERTICES = "OverlappingVerticesCustomVersion", 0x612f_be52, 0xda53_400b, 0x910d_4f91, 0x9fb1_857c;
    OVERRIDABLE_PROPERTY_BAG = "OverridablePropertyBagCustomVersion", 0x5426_c227, 0x4b31_45b2, 0x9b9b_ed1f, 0x327f_b126;
    PARTICLE_SYSTEM = "ParticleSystemCustomVersion", 0x4a56_eb40, 0x10f5_11dc, 0x92d3_347e, 0xb2c9_6ae7;
    PCG = "PCGCustomVersion", 0x2763_920d, 0x0f78_4b39, 0x986e_4bb3, 0xa88d_666d;
    PHYSICS = "PhysicsObjectVersion", 0x78f0_1b33, 0xebea_4f98, 0xb9b4_84ea, 0xccb9_5aa2;
    PLATFORM = "PlatformObjectVersion", 0x6631_380f, 0x2d4d_43e0, 0x8009_cf27, 0x6956_a95a;
    POSE_DRIVER = "PoseDriverCustomVersion", 0xafe0_8691, 0x3a0d_4952, 0xb673_673b, 0x7cf2_2d1e;
    PROCEDURAL_FOLIAGE = "ProceduralFoliageCustomVersion", 0xaafe_32bd, 0x5395_4c14, 0xb66a_5e25, 0x1032_d1dd;
    PROPERTY_BAG = "PropertyBagCustomVersion", 0x134a_157e, 0xd5e2_49a3, 0x8d4e_843c, 0x98fe_9e31;
    RECOMPUTE_TANGENT = "RecomputeTangentCustomVersion", 0x5579_f886, 0x933a_4c1f, 0x83ba_087b, 0x6361_b92f;
    REFLECTION_CAPTURE = "ReflectionCaptureObjectVersion", 0x6b26_6cec, 0x1ec7_4b8f, 0xa30b_e4d9, 0x0942_fc07;
    RELEASE = "ReleaseObjectVersion", 0x9c54_d522, 0xa826_4fbe, 0x9421_0746, 0x61b4_82d0;
    RENDERING = "RenderingObjectVersion", 0x12f8_8b9f, 0x8875_4afc, 0xa67c_d90c, 0x383a_bd29;
    RIG_VM = "RigVMObjectVersion", 0xdc49_959b, 0x53c0_4de7, 0x9156_ea88, 0x5e7c_5d39;
    SEQUENCER = "SequencerObjectVersion", 0x7b5a_e74c, 0xd270_4c10, 0xa958_5798, 0x0b21_2a5a;
    SKELETAL_MESH = "SkeletalMeshCustomVersion", 0xd78a_4a00, 0xe858_4697, 0xbaa8_19b5, 0x487d_46b4;
    STATE_TREE_INSTANCE_STORAGE = "StateTreeInstanceStorageCustomVersion", 0x60c4_f0de, 0x8b26_4c34, 0xaa93_7201, 0x5dff_09cc;
    TEMP = "TempCustomVersion", 0xcb8a_b0cd, 0xe78c_4bde, 0xa862_1393, 0x14e9_ef62;
    UE5_MAIN = "UE5MainStreamObjectVersion", 0x697d_d581, 0xe64f_41ab, 0xaa4a_51ec, 0xbeb7_b628;
    UE5_RELEASE = "UE5ReleaseStreamObjectVersion", 0xd89b_5e42, 0x24bd_4d46, 0x8412_aca8, 0xdf64_1779;
    UE5_SPECIAL_PROJECT = "UE5SpecialProjectStreamObjectVersion", 0x59da_5d52, 0x1232_4948, 0xb878_5978, 0x70b8_e98b;
    VARIANT_MANAGER = "VariantManagerObjectVersion", 0x24bb_7af3, 0x5646_4f83, 0x1f2f_2dc2, 0x49ad_96ff;
    VIRTUAL_PRODUCTION = "VirtualProductionObjectVersion", 0x64f5_8936, 0xfd1b_42ba, 0xba96_7289, 0xd5d0_fa4e;
    VR = "VRObjectVersion", 0xd729_6918, 0x1dd6_4bdd, 0x9de2_64a8, 0x3cc1_3884;
    WORLD_CONDITION = "WorldConditionCustomVersion", 0x2c28_ac22, 0x15cf_46fe, 0xbd19_f011, 0x652a_3c05;
    NNE_MODEL_DATA = "NNEModelDataVersion", 0x9513_202e, 0xeba1_b279, 0xf17f_e5ba, 0xab90_c3f2;
    PAPER_2D = "Paper2D", 0x1131_0aed, 0x2e55_4d61, 0xaf67_9aa3, 0xc5a1_082c;
    UNUSED = "UnusedCustomVersionKey;", 0x0000_0000, 0x0000_0000, 0x0000_0000, 0xf99d_40c1;
}

/// The engine's name of a custom version without its prefix letter, if it is known.
pub fn name_of(guid: &Guid) -> Option<&'static str> {
    ALL.iter().find(|(known, _)| known == guid).map(|(_, name)| *name)
}
