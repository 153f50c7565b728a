//! Whether code can run as far as its statements say it: how it ends, where it jumps to, what belongs together.

mod pops;

use std::collections::BTreeSet;

use super::{ScriptExpression, ScriptItem};
use crate::Versions;
use crate::version::threshold::COMPACT_INDEX_REMOVED;
use crate::version::{EngineFacts, UnrealVersions};

/// The label that means none before Kismet.
const NO_LABEL: u32 = 0xffff;

/// Why code can't run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct CodeFault {
    /// Where the token lies that is wrong, bytes in memory from the start of the code.
    pub place: u32,
    /// The fault.
    pub reason: String,
}

impl CodeFault {
    #[doc(hidden)]
    pub fn new(place: u32, reason: impl Into<String>) -> Self {
        Self { place, reason: reason.into() }
    }
}

/// Whose code it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[doc(hidden)]
pub enum CodeOwner {
    /// A function.
    Function,
    /// A function that is compiled code: its own says parameters at most.
    NativeFunction,
    /// A state.
    State,
    /// A class, whose code are replication conditions, or a struct.
    Other,
}

/// The statements of code, to be checked.
pub(crate) struct StatementCheck<'a> {
    code: &'a [ScriptExpression],
    versions: &'a Versions,
    owner: CodeOwner,
    faults: Vec<CodeFault>,
}

/// The faults of these statements beside those of their calls.
#[doc(hidden)]
pub fn statement_faults(
    code: &[ScriptExpression],
    versions: &Versions,
    owner: CodeOwner,
) -> Vec<CodeFault> {
    let mut check = StatementCheck { code, versions, owner, faults: Vec::new() };
    check.end();
    check.jumps();
    check.iterators();
    if check.is_kismet() {
        for place in pops::of_nothing(code) {
            check.fault(place, "nothing is pushed that it could pop");
        }
    }
    check.cases();
    check.kinds();
    check.faults
}

impl StatementCheck<'_> {
    fn fault(&mut self, place: u32, reason: impl Into<String>) {
        self.faults.push(CodeFault::new(place, reason));
    }

    fn is_kismet(&self) -> bool {
        self.versions.has_kismet()
    }

    /// The engine runs on behind code that does not end: compilers close each function and state.
    fn end(&mut self) {
        let is_end = |statement: &&ScriptExpression| statement.name == "EndOfScript";
        let end = self.code.last().map_or(0, |last| last.end);
        // Before UE3 the mark stands in memory alone.
        let is_stored = self.is_kismet() || self.versions.file() >= COMPACT_INDEX_REMOVED;
        if is_stored
            && self.owner != CodeOwner::Other
            && self.code.last().is_none_or(|it| !is_end(&it))
        {
            self.fault(end, "the code does not end in EndOfScript");
        }
        let inner = self.code.split_last().map_or(&[][..], |(_, before)| before);
        if let Some(early) = inner.iter().find(is_end) {
            self.fault(early.place, "EndOfScript stands before the end of the code");
        }
        if self.owner == CodeOwner::Function {
            let leaves = |statement: &ScriptExpression| match statement.name {
                "Return" => true,
                "PopExecutionFlow" | "ComputedJump" => self.is_kismet(),
                _ => false,
            };
            let says_nothing =
                |statement: &ScriptExpression| is_end(&statement) || is_mark(statement);
            let last = self.code.iter().rev().find(|statement| !says_nothing(statement));
            if last.is_none_or(|last| !leaves(last)) {
                self.fault(end, "the code does not end in Return");
            }
        }
    }

    /// Jumps lead to statements.
    fn jumps(&mut self) {
        let code = self.code;
        let starts: BTreeSet<u32> = code.iter().map(|statement| statement.place).collect();
        for statement in code {
            self.jumps_of(statement, &starts);
        }
    }

    fn jumps_of(&mut self, whole: &ScriptExpression, starts: &BTreeSet<u32>) {
        let mut open = vec![whole];
        while let Some(part) = open.pop() {
            open.extend(part.expressions());
            // Its places are those of its own cases, which nothing else leads to.
            if part.name == "SwitchValue" {
                continue;
            }
            for item in part.items() {
                let to = match item {
                    ScriptItem::Label(NO_LABEL) | ScriptItem::Place(NO_LABEL)
                        if !self.is_kismet() =>
                    {
                        continue;
                    }
                    ScriptItem::Label(to) | ScriptItem::Place(to) => *to,
                    _ => continue,
                };
                if !starts.contains(&to) {
                    let end = self.code.last().map_or(0, |last| last.end);
                    let reason = match to >= end {
                        true => format!("{} leads to {to:#x}, out of the code", part.name),
                        false => format!("{} leads to {to:#x}, amid a statement", part.name),
                    };
                    self.fault(part.place, reason);
                }
            }
        }
    }

    /// Loops through elements end at an IteratorPop, and what belongs to them stands in them.
    fn iterators(&mut self) {
        let code = self.code;
        let mut loops = Vec::new();
        for statement in code {
            if !matches!(statement.name, "Iterator" | "DynArrayIterator") {
                continue;
            }
            let Some(end) = statement.jump() else { continue };
            loops.push((statement.place, end));
            let at = code.partition_point(|other| other.place < end);
            if code.get(at).is_none_or(|there| there.name != "IteratorPop") {
                self.fault(statement.place, "the loop does not end at an IteratorPop");
            }
        }
        for statement in code {
            let place = statement.place;
            let is_inside = |(start, end): &(u32, u32)| (*start..=*end).contains(&place);
            let is_step = matches!(statement.name, "IteratorNext" | "IteratorPop");
            if is_step && !loops.iter().any(is_inside) {
                self.fault(place, format!("{} stands in no loop", statement.name));
            }
        }
    }

    /// Each case belongs to a switch.
    fn cases(&mut self) {
        let code = self.code;
        let mut reached = BTreeSet::new();
        for (row, statement) in code.iter().enumerate() {
            match (statement.name, statement.jump()) {
                ("Switch", _) => match code.get(row + 1) {
                    Some(next) if next.name == "Case" => drop(reached.insert(next.place)),
                    _ => self.fault(statement.place, "no Case follows the Switch"),
                },
                ("Case", Some(to)) if to != NO_LABEL => drop(reached.insert(to)),
                _ => {}
            }
        }
        for statement in code {
            if statement.name == "Case" && !reached.contains(&statement.place) {
                self.fault(statement.place, "the Case belongs to no Switch");
            }
        }
    }

    /// Values alone are no statements.
    fn kinds(&mut self) {
        // Replication conditions are values.
        if self.owner == CodeOwner::Other {
            return;
        }
        let code = self.code;
        for statement in code {
            let is_value = statement.name.ends_with("Const")
                || statement.name.starts_with("End") && statement.name != "EndOfScript"
                || matches!(
                    statement.name,
                    "IntZero" | "IntOne" | "IntConstByte" | "True" | "False" | "NoObject" | "Self"
                );
            // Compiled functions say their parameters up to it, which others have in calls alone.
            let is_end = statement.name == "EndFunctionParms";
            let is_mark = match is_end {
                true => self.owner == CodeOwner::NativeFunction,
                false => is_mark(statement),
            };
            if is_value && !is_mark {
                self.fault(statement.place, format!("{} is no statement", statement.name));
            }
        }
    }
}

/// Whether a statement is a mark, which does nothing.
fn is_mark(statement: &ScriptExpression) -> bool {
    let is_other = || {
        matches!(
            statement.name,
            "Nothing" | "Tracepoint" | "WireTracepoint" | "InstrumentationEvent" | "Breakpoint"
        )
    };
    statement.is_debug_mark() || is_other()
}
