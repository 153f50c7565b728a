//! GUIDs of the custom versions that layouts depend on (spec: ue4-5/07 §1).

use crate::primitive::Guid;

macro_rules! custom_versions {
    ($($(#[$doc:meta])* $name:ident = $a:literal, $b:literal, $c:literal, $d:literal;)*) => {
        $($(#[$doc])* pub const $name: Guid = Guid::new($a, $b, $c, $d);)*
    };
}

custom_versions! {
    /// C++: `FAnimObjectVersion`.
    ANIM = 0xAF43A65D, 0x7FD34947, 0x98733E8E, 0xD9C1BB05;
    /// C++: `FAnimPhysObjectVersion`.
    ANIM_PHYS = 0x29E575DD, 0xE0A34627, 0x9D10D276, 0x232CDCEA;
    /// C++: `FBlueprintsObjectVersion`.
    BLUEPRINTS = 0xB0D832E4, 0x1F894F0D, 0xACCF7EB7, 0x36FD4AA2;
    /// C++: `FCoreObjectVersion`.
    CORE = 0x375EC13C, 0x06E448FB, 0xB50084F0, 0x262A717E;
    /// C++: `FEditorObjectVersion`.
    EDITOR = 0xE4B068ED, 0xF49442E9, 0xA231DA0B, 0x2E46BB41;
    /// C++: `FEnterpriseObjectVersion`.
    ENTERPRISE = 0x9DFFBCD6, 0x494F0158, 0xE2211282, 0x3C92A888;
    /// C++: `FFoliageCustomVersion`.
    FOLIAGE = 0x430C4D19, 0x71544970, 0x87699B69, 0xDF90B0E5;
    /// C++: `FFortniteMainBranchObjectVersion`.
    FORTNITE_MAIN = 0x601D1886, 0xAC644F84, 0xAA16D3DE, 0x0DEAC7D6;
    /// C++: `FFortniteReleaseBranchCustomObjectVersion`.
    FORTNITE_RELEASE = 0xE7086368, 0x6B234C58, 0x84391B70, 0x16265E91;
    /// C++: `FFrameworkObjectVersion`.
    FRAMEWORK = 0xCFFC743F, 0x43B04480, 0x939114DF, 0x171D2073;
    /// C++: `FMobileObjectVersion`.
    MOBILE = 0xB02B49B5, 0xBB2044E9, 0xA30432B7, 0x52E40360;
    /// C++: `FOverlappingVerticesCustomVersion`.
    OVERLAPPING_VERTICES = 0x612FBE52, 0xDA53400B, 0x910D4F91, 0x9FB1857C;
    /// C++: `FRecomputeTangentCustomVersion`.
    RECOMPUTE_TANGENT = 0x5579F886, 0x933A4C1F, 0x83BA087B, 0x6361B92F;
    /// C++: `FReflectionCaptureObjectVersion`.
    REFLECTION_CAPTURE = 0x6B266CEC, 0x1EC74B8F, 0xA30BE4D9, 0x0942FC07;
    /// C++: `FReleaseObjectVersion`.
    RELEASE = 0x9C54D522, 0xA8264FBE, 0x94210746, 0x61B482D0;
    /// C++: `FRenderingObjectVersion`.
    RENDERING = 0x12F88B9F, 0x88754AFC, 0xA67CD90C, 0x383ABD29;
    /// C++: `FSkeletalMeshCustomVersion`.
    SKELETAL_MESH = 0xD78A4A00, 0xE8584697, 0xBAA819B5, 0x487D46B4;
    /// C++: `FUE5MainStreamObjectVersion`.
    UE5_MAIN = 0x697DD581, 0xE64F41AB, 0xAA4A51EC, 0xBEB7B628;
    /// C++: `FUE5ReleaseStreamObjectVersion`.
    UE5_RELEASE = 0xD89B5E42, 0x24BD4D46, 0x8412ACA8, 0xDF641779;
    /// C++: `FUE5SpecialProjectStreamObjectVersion`.
    UE5_SPECIAL_PROJECT = 0x59DA5D52, 0x12324948, 0xB8785978, 0x70B8E98B;
}
