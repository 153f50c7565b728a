//! Which operands follow which token, by version.

use crate::Versions;

/// Last UE4 version in which some tokens have other operands (spec: ue4-5/05 §3).
const OLD_OPERANDS: u32 = 451;
/// First UE4 version whose array literals say their target as an expression (spec: ue4-5/05 §3).
const ARRAY_EXPRESSION: u32 = 303;
/// First UE4 version whose text literals say their kind (spec: ue4-5/05 §3; 482 has none, 504 has).
pub(super) const TEXT_KIND: u32 = 504;

/// The operands of a token, in order:
///
/// | letter | operand |
/// |---|---|
/// | `O` `N` `p` | object, name, property |
/// | `b` `w` `l` | byte, word, label |
/// | `d` `q` | int, long |
/// | `f` `D` `r` | float, double, real |
/// | `s` `u` | 8-bit text, UTF-16 text |
/// | `e` | an expression: one more token with its operands |
/// | `.` | expressions up to and including the token of [`closing`] |
/// | `T` | a text literal |
/// | `S` | a switch |
/// | `I` | a byte; if it is 4 a name follows |
///
/// `None` where no such token is known. Spec: ue4-5/05 §3.
pub(super) fn operands(token: u8, versions: &Versions) -> Option<&'static str> {
    let old = versions.ue4 <= OLD_OPERANDS;
    Some(match token {
        0x00..=0x02 | 0x33 | 0x48 | 0x6c => "p",
        0x04 | 0x4e | 0x4f | 0x51 | 0x5d | 0x67 | 0x6d => "e",
        0x06 | 0x4c | 0x5b => "l",
        0x07 | 0x18 => "le",
        0x09 => "wbe",
        0x0b | 0x15..=0x17 | 0x25..=0x28 | 0x2a | 0x2d | 0x30 | 0x32 | 0x3a | 0x3c | 0x3e => "",
        0x40 | 0x4a | 0x4d | 0x50 | 0x53 | 0x5a | 0x5e | 0x66 => "",
        0x0c | 0x1d => "d",
        0x0f if old => "ee",
        0x0f => "pee",
        0x11 => "pb",
        0x12 | 0x19 | 0x1a if old => "edpbe",
        0x12 | 0x19 | 0x1a => "edpe",
        0x13 | 0x2e | 0x52 | 0x54 | 0x55 => "Oe",
        0x14 | 0x43 | 0x44 | 0x5c | 0x5f | 0x60 | 0x62 | 0x6b => "ee",
        0x1b | 0x45 => "N.",
        0x1c | 0x46 | 0x68 => "O.",
        0x1e => "f",
        0x1f => "s",
        0x20 => "O",
        0x21 | 0x4b => "N",
        0x22 | 0x23 => "rrr",
        0x24 | 0x2c => "b",
        0x29 if versions.ue4 < TEXT_KIND => "eee",
        0x29 => "T",
        0x2b => "rrrrrrrrrr",
        0x2f => "Od.",
        0x31 if versions.ue4 < ARRAY_EXPRESSION => "O.",
        0x31 => "e.",
        0x34 => "u",
        0x35 | 0x36 => "q",
        0x37 => "D",
        0x38 => "be",
        0x39 | 0x3b => "ed.",
        0x3d | 0x65 => "pd.",
        0x3f => "ppd.",
        0x41 => "fff",
        0x42 | 0x64 => "pe",
        0x61 => "Nee",
        0x63 => "Oe.",
        0x69 => "S",
        0x6a => "I",
        _ => return None,
    })
}

/// The token that ends the list of expressions which this one begins.
pub(super) fn closing(token: u8) -> u8 {
    match token {
        0x2f => 0x30,
        0x31 => 0x32,
        0x39 => 0x3a,
        0x3b => 0x3c,
        0x3d => 0x3e,
        0x3f => 0x40,
        0x65 => 0x66,
        _ => 0x16,
    }
}

/// The operands of a text literal of this kind.
pub(super) fn text_operands(kind: u8) -> Option<&'static str> {
    Some(match kind {
        0 => "",
        1 => "eee",
        2 | 3 => "e",
        4 => "Oee",
        _ => return None,
    })
}

/// The engine's name of a token without its prefix; `Token` where none is known.
pub fn token_name(token: u8) -> &'static str {
    match token {
        0x00 => "LocalVariable",
        0x01 => "InstanceVariable",
        0x02 => "DefaultVariable",
        0x04 => "Return",
        0x06 => "Jump",
        0x07 => "JumpIfNot",
        0x09 => "Assert",
        0x0b => "Nothing",
        0x0c => "NothingInt32",
        0x0f => "Let",
        0x11 => "BitFieldConst",
        0x12 => "ClassContext",
        0x13 => "MetaCast",
        0x14 => "LetBool",
        0x15 => "EndParmValue",
        0x16 => "EndFunctionParms",
        0x17 => "Self",
        0x18 => "Skip",
        0x19 => "Context",
        0x1a => "ContextFailSilent",
        0x1b => "VirtualFunction",
        0x1c => "FinalFunction",
        0x1d => "IntConst",
        0x1e => "FloatConst",
        0x1f => "StringConst",
        0x20 => "ObjectConst",
        0x21 => "NameConst",
        0x22 => "RotationConst",
        0x23 => "VectorConst",
        0x24 => "ByteConst",
        0x25 => "IntZero",
        0x26 => "IntOne",
        0x27 => "True",
        0x28 => "False",
        0x29 => "TextConst",
        0x2a => "NoObject",
        0x2b => "TransformConst",
        0x2c => "IntConstByte",
        0x2d => "NoInterface",
        0x2e => "DynamicCast",
        0x2f => "StructConst",
        0x30 => "EndStructConst",
        0x31 => "SetArray",
        0x32 => "EndArray",
        0x33 => "PropertyConst",
        0x34 => "UnicodeStringConst",
        0x35 => "Int64Const",
        0x36 => "UInt64Const",
        0x37 => "DoubleConst",
        0x38 => "Cast",
        0x39 => "SetSet",
        0x3a => "EndSet",
        0x3b => "SetMap",
        0x3c => "EndMap",
        0x3d => "SetConst",
        0x3e => "EndSetConst",
        0x3f => "MapConst",
        0x40 => "EndMapConst",
        0x41 => "Vector3fConst",
        0x42 => "StructMemberContext",
        0x43 => "LetMulticastDelegate",
        0x44 => "LetDelegate",
        0x45 => "LocalVirtualFunction",
        0x46 => "LocalFinalFunction",
        0x48 => "LocalOutVariable",
        0x4a => "DeprecatedOp4A",
        0x4b => "InstanceDelegate",
        0x4c => "PushExecutionFlow",
        0x4d => "PopExecutionFlow",
        0x4e => "ComputedJump",
        0x4f => "PopExecutionFlowIfNot",
        0x50 => "Breakpoint",
        0x51 => "InterfaceContext",
        0x52 => "ObjToInterfaceCast",
        0x53 => "EndOfScript",
        0x54 => "CrossInterfaceCast",
        0x55 => "InterfaceToObjCast",
        0x5a => "WireTracepoint",
        0x5b => "SkipOffsetConst",
        0x5c => "AddMulticastDelegate",
        0x5d => "ClearMulticastDelegate",
        0x5e => "Tracepoint",
        0x5f => "LetObj",
        0x60 => "LetWeakObjPtr",
        0x61 => "BindDelegate",
        0x62 => "RemoveMulticastDelegate",
        0x63 => "CallMulticastDelegate",
        0x64 => "LetValueOnPersistentFrame",
        0x65 => "ArrayConst",
        0x66 => "EndArrayConst",
        0x67 => "SoftObjectConst",
        0x68 => "CallMath",
        0x69 => "SwitchValue",
        0x6a => "InstrumentationEvent",
        0x6b => "ArrayGetByRef",
        0x6c => "ClassSparseDataVariable",
        0x6d => "FieldPathConst",
        _ => "Token",
    }
}
