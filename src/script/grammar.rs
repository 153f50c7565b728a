//! Which operands follow which token, by version.

use crate::Versions;
use crate::version::{Game, threshold};

/// First file version with the tokens of UE2 (spec: ue1-3/06 §6.6).
const UE2_TOKENS: u32 = 95;

/// The operands of a token, in order:
///
/// | letter | operand |
/// |---|---|
/// | `O` `N` | object, name |
/// | `b` `w` `l` | byte, word, label |
/// | `d` `f` | int, float |
/// | `s` `u` | 8-bit text, UTF-16 text |
/// | `e` | an expression: one more token with its operands |
/// | `P` | expressions up to and including `EndFunctionParms` |
/// | `C` | a word; unless it is 0xFFFF an expression follows |
/// | `T` | names with an int each, up to and including one that is none |
/// | `B` | pairs of bytes up to a zero |
///
/// `None` where no such token is known. Spec: ue1-3/06 §6.6.
pub(super) fn operands(token: u8, versions: &Versions) -> Option<&'static str> {
    let file = versions.file;
    if has_new_tokens(versions)
        && let Some(found) = mass_effect_3(token)
    {
        return Some(found);
    }
    Some(match token {
        // Numbers of texts, in all of them.
        0x4f if is_mass_effect(versions.game) => "d",
        0x60..=0x6f => "bP",
        0x70.. => "P",
        0x00..=0x02 => "O",
        0x06 => "l",
        0x07 => "le",
        0x08 | 0x0b | 0x16 | 0x17 | 0x25..=0x28 | 0x2a | 0x30 | 0x31 => "",
        0x0a => "C",
        0x0c => "T",
        0x0d | 0x2d => "e",
        0x0f | 0x10 | 0x1a => "ee",
        0x13 | 0x2e => "Oe",
        0x18 => "we",
        0x1c => "OP",
        0x1d => "d",
        0x1e => "f",
        0x1f => "s",
        0x20 | 0x29 => "O",
        0x21 => "N",
        0x22 => "ddd",
        0x23 => "fff",
        0x24 | 0x2c => "b",
        0x2f => "el",
        0x32 | 0x33 => "Oee",
        0x34 => "u",
        _ if file >= threshold::COMPACT_INDEX_REMOVED => return ue3(token, file),
        0x03 => "",
        0x04 | 0x0e if file < 62 => "",
        0x04 | 0x0e => "e",
        0x05 => "be",
        0x09 => "we",
        0x11 => "eeee",
        0x12 | 0x19 => "ewbe",
        0x14 if file < 62 => "B",
        0x14 => "ee",
        0x15 if file < 62 => "",
        0x1b | 0x38 => "NP",
        0x2b => "be",
        0x36 => "Oe",
        0x37 => "e",
        0x39..=0x5a if file < UE2_TOKENS => "e",
        0x15 if file >= UE2_TOKENS => "we",
        0x35 => "ff",
        0x39 => "be",
        0x3a | 0x47 => "",
        0x40 | 0x41 => "eee",
        0x42 => "dddb",
        0x43 => "ONP",
        0x44 => "N",
        0x45 => "ee",
        0x46 if versions.game == Game::Swat4 => "e",
        0x48 => "ewewe",
        _ => return None,
    })
}

fn is_mass_effect(game: Game) -> bool {
    matches!(
        game,
        Game::MassEffect1 | Game::MassEffect2 | Game::MassEffect3 | Game::MassEffectLegendary
    )
}

/// Whether there are the tokens of Mass Effect 3: not in the first two games in its engine.
fn has_new_tokens(versions: &Versions) -> bool {
    versions.game.has_no_name_flags() && versions.mass_effect_port().is_none()
}

/// The tokens that Mass Effect 3 adds; its natives start later.
fn mass_effect_3(token: u8) -> Option<&'static str> {
    Some(match token {
        0x4f => "d",
        0x5b..=0x62 => "O",
        0x63 | 0x64 => "Obl",
        0x65 => "NwP",
        0x70..=0x7f => "bP",
        _ => return None,
    })
}

/// The tokens in which UE3 differs.
fn ue3(token: u8, file: u32) -> Option<&'static str> {
    Some(match token {
        0x03 | 0x0e | 0x3a | 0x48 => "O",
        0x04 | 0x36 | 0x51 => "e",
        0x05 => match file {
            611.. => "Obe",
            // Seen at 530; the first version lies after 513.
            514..588 => "we",
            _ => "be",
        },
        0x09 if file < 200 => "we",
        0x09 => "wbe",
        0x11 if file < 300 => "eeee",
        0x11 => "eeeee",
        0x12 | 0x19 => match file {
            588.. => "ewObe",
            513..588 => "ewwe",
            _ => "ewbe",
        },
        0x14 | 0x44 => "ee",
        0x15 | 0x3f | 0x4a | 0x50 | 0x53 => "",
        0x1b if file < 242 => "bNP",
        0x1b | 0x37 => "NP",
        0x35 => match file {
            433.. => "OObbe",
            381..433 => "OObe",
            375..381 => "OOe",
            _ => "Oe",
        },
        0x38 => "be",
        0x39 | 0x40 if file < 649 => "eee",
        0x39 | 0x40 => "eeee",
        0x3b..=0x3e | 0x54 => "eee",
        0x41 => "dddb",
        0x42 if file < 181 => "ONP",
        0x42 => "bONP",
        0x43 if file <= 610 => "N",
        0x43 => "NO",
        0x45 => "ewewe",
        0x46 | 0x47 => match file {
            649.. => "ewee",
            375..649 => "ewe",
            _ => "ee",
        },
        0x49 => "wee",
        0x4b => "N",
        0x52 => "Oe",
        0x55 | 0x56 | 0x59 if file < 497 => "eee",
        0x55 | 0x56 | 0x59 => "ewee",
        0x57 => "eweee",
        0x58 => "eebel",
        0x5a => "w",
        _ => return None,
    })
}

/// The token that a debug build inserts behind parameter lists, and the number behind it that tells it
/// apart from an operand.
pub(super) fn debug_token(versions: &Versions) -> Option<(u8, u32)> {
    match versions.file {
        ..UE2_TOKENS => None,
        UE2_TOKENS..threshold::COMPACT_INDEX_REMOVED => Some((0x42, 100)),
        _ => Some((0x41, 100)),
    }
}

/// The name of a token in this version.
pub fn token_name(token: u8, versions: &Versions) -> &'static str {
    let is_ue3 = versions.file >= threshold::COMPACT_INDEX_REMOVED;
    let ue2 = versions.file >= UE2_TOKENS;
    if has_new_tokens(versions) {
        match token {
            0x4f => return "StringRefConst",
            0x5b => return "LocalFloatVariable",
            0x5c => return "LocalIntVariable",
            0x5d => return "LocalByteVariable",
            0x5e => return "LocalObjectVariable",
            0x5f => return "InstanceFloatVariable",
            0x60 => return "InstanceIntVariable",
            0x61 => return "InstanceByteVariable",
            0x62 => return "InstanceObjectVariable",
            0x63 => return "OptIfLocal",
            0x64 => return "OptIfInstance",
            0x65 => return "NamedFunction",
            0x70..=0x7f => return "ExtendedNative",
            _ => {}
        }
    }
    match token {
        0x00 => "LocalVariable",
        0x01 => "InstanceVariable",
        0x02 => "DefaultVariable",
        0x03 if is_ue3 => "StateVariable",
        0x04 => "Return",
        0x05 => "Switch",
        0x06 => "Jump",
        0x07 => "JumpIfNot",
        0x08 => "Stop",
        0x09 => "Assert",
        0x0a => "Case",
        0x0b => "Nothing",
        0x0c => "LabelTable",
        0x0d => "GotoLabel",
        0x0e if is_ue3 => "EatReturnValue",
        0x0e => "EatString",
        0x0f => "Let",
        0x10 => "DynArrayElement",
        0x11 => "New",
        0x12 => "ClassContext",
        0x13 => "MetaCast",
        0x14 if versions.file < 62 => "BeginFunction",
        0x14 => "LetBool",
        0x15 if is_ue3 => "EndParmValue",
        0x15 => "LineNumber",
        0x16 => "EndFunctionParms",
        0x17 => "Self",
        0x18 => "Skip",
        0x19 => "Context",
        0x1a => "ArrayElement",
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
        0x29 => "NativeParm",
        0x2a => "NoObject",
        0x2b => "ResizeString",
        0x2c => "IntConstByte",
        0x2d => "BoolVariable",
        0x2e => "DynamicCast",
        0x2f => "Iterator",
        0x30 => "IteratorPop",
        0x31 => "IteratorNext",
        0x32 => "StructCmpEq",
        0x33 => "StructCmpNe",
        0x34 => "UnicodeStringConst",
        0x35 if is_ue3 => "StructMember",
        0x35 => "RangeConst",
        0x36 if is_ue3 => "DynArrayLength",
        0x36 => "StructMember",
        0x37 if is_ue3 => "GlobalFunction",
        0x37 => "DynArrayLength",
        0x38 if is_ue3 => "PrimitiveCast",
        0x38 => "GlobalFunction",
        0x39..=0x5a if !ue2 => "Conversion",
        0x39 if is_ue3 => "DynArrayInsert",
        0x39 => "PrimitiveCast",
        0x3a => "ReturnNothing",
        0x3b..=0x3e => "DelegateCompare",
        0x3f => "EmptyDelegate",
        0x40 if is_ue3 => "DynArrayRemove",
        0x40 => "DynArrayInsert",
        0x41 if is_ue3 => "DebugInfo",
        0x41 => "DynArrayRemove",
        0x42 if is_ue3 => "DelegateFunction",
        0x42 => "DebugInfo",
        0x43 if is_ue3 => "DelegateProperty",
        0x43 => "DelegateFunction",
        0x44 if is_ue3 => "LetDelegate",
        0x44 => "DelegateProperty",
        0x45 if is_ue3 => "Conditional",
        0x45 => "LetDelegate",
        0x46 if is_ue3 => "DynArrayFind",
        0x47 if is_ue3 => "DynArrayFindStruct",
        0x47 => "EndOfScript",
        0x48 if is_ue3 => "OutVariable",
        0x48 => "Conditional",
        0x49 => "DefaultParm",
        0x4a => "EmptyParm",
        0x4b => "InstanceDelegate",
        0x51 => "InterfaceContext",
        0x52 => "InterfaceCast",
        0x53 => "EndOfScript",
        0x54 => "DynArrayAdd",
        0x55 => "DynArrayAddItem",
        0x56 => "DynArrayRemoveItem",
        0x57 => "DynArrayInsertItem",
        0x58 => "DynArrayIterator",
        0x59 => "DynArraySort",
        0x5a => "FilterEditorOnly",
        0x60..=0x6f => "ExtendedNative",
        0x70.. => "Native",
        _ => "Token",
    }
}
