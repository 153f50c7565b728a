//! States as text.

use std::fmt::Write as _;

use super::code::{Code, INDENT};
use super::expression::Expressions;
use super::function;
use super::scripts::Scripts;
use crate::error::Result;
use crate::object::script_object::ScriptObject;
use crate::primitive::PackageIndex;

/// Flags of states.
const EDITABLE: u32 = 0x1;
const AUTO: u32 = 0x2;
const SIMULATED: u32 = 0x4;
/// The flag of functions with a body.
const DEFINED: u32 = 0x2;

/// Probes by their bits (spec: ue1-3/12 §12.6).
const PROBES: [&str; 49] = [
    "Spawned",
    "Destroyed",
    "GainedChild",
    "LostChild",
    "",
    "",
    "Trigger",
    "UnTrigger",
    "Timer",
    "HitWall",
    "Falling",
    "Landed",
    "ZoneChange",
    "Touch",
    "UnTouch",
    "Bump",
    "BeginState",
    "EndState",
    "BaseChange",
    "Attach",
    "Detach",
    "ActorEntered",
    "ActorLeaving",
    "KillCredit",
    "AnimEnd",
    "EndedRotation",
    "InterpolateEnd",
    "EncroachingOn",
    "EncroachedBy",
    "FootZoneChange",
    "HeadZoneChange",
    "PainTimer",
    "SpeechTimer",
    "MayFall",
    "",
    "Die",
    "Tick",
    "PlayerTick",
    "Expired",
    "",
    "SeePlayer",
    "EnemyNotVisible",
    "HearNoise",
    "UpdateEyeHeight",
    "SeeMonster",
    "SeeFriend",
    "SpecialHandling",
    "BotDesireability",
    "",
];

/// A state with its functions and its code.
pub(super) fn text(scripts: &Scripts, index: PackageIndex) -> Result<String> {
    let Some(ScriptObject::State(state)) = scripts.object(index) else { return Ok(String::new()) };
    let name = scripts.name(index);
    let mut out = String::new();
    for (flag, word) in [(AUTO, "auto "), (SIMULATED, "simulated ")] {
        if state.state_flags & flag != 0 {
            out.push_str(word);
        }
    }
    out.push_str(if state.state_flags & EDITABLE != 0 { "state() " } else { "state " });
    out.push_str(&name);
    let above = scripts.parent(index);
    // One of the same name is what the class above has: it is overridden.
    if !above.is_null() && !scripts.name(above).eq_ignore_ascii_case(&name) {
        let _ = write!(out, " extends {}", scripts.name(above));
    }
    out.push_str("\n{\n");
    let mut children = scripts.children(index).to_vec();
    children.reverse();
    let is_defined = |child: &PackageIndex| {
        scripts.function(*child).is_some_and(|function| function.function_flags & DEFINED != 0)
    };
    let (functions, ignored): (Vec<_>, Vec<_>) = children.into_iter().partition(is_defined);
    let ignored = ignored.into_iter().filter(|child| scripts.function(*child).is_some());
    let mut ignored: Vec<String> = ignored.map(|child| scripts.name(child)).collect();
    // UE2 has renamed some of them.
    if scripts.dialect.has_ignore_masks() && state.ignore_mask != u64::MAX {
        let bits = PROBES.iter().enumerate();
        let unset =
            bits.filter(|(bit, name)| !name.is_empty() && state.ignore_mask >> bit & 1 == 0);
        ignored.extend(unset.map(|(_, name)| (*name).to_owned()));
    }
    if !ignored.is_empty() {
        let _ = write!(out, "{INDENT}ignores {};\n\n", ignored.join(", "));
    }
    for function in functions {
        out.push_str(&function::text(scripts, function, 1)?);
        out.push('\n');
        scripts.check(&out)?;
    }
    let code = Code::of(scripts, index, 0)?;
    let class = function::class_around(scripts, index);
    let mut body = Expressions { scripts, code_of: index, class, out: String::new() };
    code.write(&mut body, 1);
    scripts.check(&body.out)?;
    out.push_str(&body.out);
    out.push_str("}\n");
    Ok(out)
}
