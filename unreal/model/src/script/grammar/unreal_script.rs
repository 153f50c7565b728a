//! The tokens of UnrealScript, by file version and game (spec: ue1-3/06 §6.6).

use super::row::{Row, tokens};
use crate::Versions;
use crate::version::{Game, UnrealVersions, threshold::COMPACT_INDEX_REMOVED as UE3};

/// First file version with the tokens of UE2.
const UE2: u32 = 95;

const TOKENS: &[Row] = tokens! {
    0x00 "LocalVariable" "O";
    0x01 "InstanceVariable" "O";
    0x02 "DefaultVariable" "O";
    0x03 until UE3 "Token" "";
    0x03 from UE3 "StateVariable" "O";
    0x04 "Return" "" 62 "e";
    // Seen with a word at 530; the first such version lies after 513.
    0x05 "Switch" "be" 514 "we" 588 "be" 611 "Obe";
    0x06 "Jump" "l";
    0x07 "JumpIfNot" "le";
    0x08 "Stop" "";
    0x09 "Assert" "we" 200 "wbe";
    0x0a "Case" "C";
    0x0b "Nothing" "";
    0x0c "LabelTable" "L";
    0x0d "GotoLabel" "e";
    0x0e until UE3 "EatString" "" 62 "e";
    0x0e from UE3 "EatReturnValue" "O";
    0x0f "Let" "ee";
    0x10 "DynArrayElement" "ee";
    0x11 "New" "eeee" 300 "eeeee";
    0x12 "ClassContext" "ekbe" 513 "ekwe" 588 "ekObe";
    0x13 "MetaCast" "Oe";
    0x14 until 62 "BeginFunction" "B";
    0x14 from 62 "LetBool" "ee";
    0x15 until 62 "LineNumber" "";
    0x15 from UE2 until UE3 "LineNumber" "we";
    0x15 from UE3 "EndParmValue" "";
    0x16 "EndFunctionParms" "";
    0x17 "Self" "";
    0x18 "Skip" "ke";
    0x19 "Context" "ekbe" 513 "ekwe" 588 "ekObe";
    0x1a "ArrayElement" "ee";
    0x1b "VirtualFunction" "NP" 178 "bNP" 242 "NP";
    0x1c "FinalFunction" "OP";
    0x1d "IntConst" "d";
    0x1e "FloatConst" "f";
    0x1f "StringConst" "s";
    0x20 "ObjectConst" "O";
    0x21 "NameConst" "N";
    0x22 "RotationConst" "ddd";
    0x23 "VectorConst" "fff";
    0x24 "ByteConst" "b";
    0x25 "IntZero" "";
    0x26 "IntOne" "";
    0x27 "True" "";
    0x28 "False" "";
    0x29 "NativeParm" "O";
    0x2a "NoObject" "";
    0x2b until UE3 "ResizeString" "be";
    0x2c "IntConstByte" "b";
    0x2d "BoolVariable" "e";
    0x2e "DynamicCast" "Oe";
    0x2f "Iterator" "el";
    0x30 "IteratorPop" "";
    0x31 "IteratorNext" "";
    0x32 "StructCmpEq" "Oee";
    0x33 "StructCmpNe" "Oee";
    0x34 "UnicodeStringConst" "u";
    0x35 until UE3 "RangeConst" "ff";
    0x35 from UE3 "StructMember" "Oe" 375 "OOe" 381 "OObe" 433 "OObbe";
    0x36 until UE3 "StructMember" "Oe";
    0x36 from UE3 "DynArrayLength" "e";
    0x37 until UE3 "DynArrayLength" "e";
    0x37 from UE3 "GlobalFunction" "NP";
    0x38 until UE3 "GlobalFunction" "NP";
    0x38 from UE3 "PrimitiveCast" "be";
    0x39 from UE2 until UE3 "PrimitiveCast" "be";
    0x39 from UE3 "DynArrayInsert" "eee" 649 "eeee";
    0x3a from UE2 "ReturnNothing" "" 178 "O";
    0x3b..=0x3e from UE3 "DelegateCompare" "eee";
    0x3f from UE3 "EmptyDelegate" "";
    0x40 from UE2 until UE3 "DynArrayInsert" "eee";
    0x40 from UE3 "DynArrayRemove" "eee" 649 "eeee";
    0x41 from UE2 until UE3 "DynArrayRemove" "eee";
    0x41 from UE3 "DebugInfo" "dddb";
    0x42 from UE2 until UE3 "DebugInfo" "dddb";
    0x42 from UE3 "DelegateFunction" "ONP" 181 "bONP";
    0x43 from UE2 until UE3 "DelegateFunction" "ONP";
    0x43 from UE3 "DelegateProperty" "N" 611 "NO";
    0x44 from UE2 until UE3 "DelegateProperty" "N";
    0x44 from UE3 "LetDelegate" "ee";
    0x45 from UE2 until UE3 "LetDelegate" "ee";
    0x45 from UE3 "Conditional" "ekeke";
    0x46 from UE3 "DynArrayFind" "ee" 375 "eke" 649 "ekee";
    0x47 from UE2 until UE3 "EndOfScript" "";
    0x47 from UE3 "DynArrayFindStruct" "eee" 375 "ekee" 649 "ekeee";
    0x48 from UE2 until UE3 "Conditional" "ekeke";
    0x48 from UE3 "OutVariable" "O";
    0x49 from UE3 "DefaultParm" "kee";
    0x4a from UE3 "EmptyParm" "";
    0x4b from UE3 "InstanceDelegate" "N";
    0x50 from UE3 "Token" "";
    0x51 from UE3 "InterfaceContext" "e";
    0x52 from UE3 "InterfaceCast" "Oe";
    0x53 from UE3 "EndOfScript" "";
    0x54 from UE3 "DynArrayAdd" "eee";
    0x55 from UE3 "DynArrayAddItem" "ee" 497 "eke" 649 "ekee";
    0x56 from UE3 "DynArrayRemoveItem" "ee" 497 "eke" 649 "ekee";
    0x57 from UE3 "DynArrayInsertItem" "eee" 497 "ekee" 649 "ekeee";
    0x58 from UE3 "DynArrayIterator" "eebel";
    0x59 from UE3 "DynArraySort" "ee" 497 "eke" 649 "ekee";
    0x5a from UE3 "FilterEditorOnly" "l";
    0x60..=0x6f "ExtendedNative" "bP";
    0x70..=0xff "Native" "P";
};

/// Mass Effect adds numbers of texts.
const MASS_EFFECT: &[Row] = tokens! { 0x4f "Token" "d"; };

/// Tokens that the third one adds, but for the first two in its engine; its natives start later.
const MASS_EFFECT_3: &[Row] = tokens! {
    0x4f "StringRefConst" "d";
    0x5b "LocalFloatVariable" "O";
    0x5c "LocalIntVariable" "O";
    0x5d "LocalByteVariable" "O";
    0x5e "LocalObjectVariable" "O";
    0x5f "InstanceFloatVariable" "O";
    0x60 "InstanceIntVariable" "O";
    0x61 "InstanceByteVariable" "O";
    0x62 "InstanceObjectVariable" "O";
    0x63 "OptIfLocal" "Obl";
    0x64 "OptIfInstance" "Obl";
    0x65 "NamedFunction" "NwP";
    0x70..=0x7f "ExtendedNative" "bP";
};

const SWAT_4: &[Row] = tokens! { 0x46 until UE3 "Construct" "e"; };

/// UE1 has a token for each conversion.
const UE1: &[Row] = tokens! { 0x39..=0x5a "Conversion" "e"; };

/// The tables of these versions; of two that have a token the first one counts.
pub(super) fn tables(versions: &Versions) -> [&'static [Row]; 3] {
    let of_engine = if versions.file() < UE2 { UE1 } else { &[] };
    let of_game = match versions.game() {
        Game::MassEffect3 | Game::MassEffectLegendary if versions.mass_effect_port().is_none() => {
            MASS_EFFECT_3
        }
        Game::MassEffect1 | Game::MassEffect2 | Game::MassEffect3 | Game::MassEffectLegendary => {
            MASS_EFFECT
        }
        Game::Swat4 => SWAT_4,
        _ => &[],
    };
    [of_game, of_engine, TOKENS]
}

/// The token that a debug build inserts behind parameter lists, and the number behind it that tells it
/// apart from an operand.
pub(super) fn debug_token(versions: &Versions) -> Option<(u8, u32)> {
    match versions.file() {
        ..UE2 => None,
        UE2..UE3 => Some((0x42, 100)),
        _ => Some((0x41, 100)),
    }
}
