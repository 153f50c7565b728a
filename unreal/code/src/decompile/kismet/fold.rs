//! Temporaries: what is assigned once and used once stands where it is used.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::code::{object_of, variable_name};
use super::names::is_temporary;
use crate::decompile::scripts::Scripts;
use crate::primitive::PackageIndex;
use crate::script::{FlowKind, FlowStatement, ScriptExpression};

/// Temporaries within temporaries are folded this deep.
const DEEPEST: usize = 16;

/// How often each temporary is assigned and used, and what stands for those that are folded.
pub(super) struct Folding<'a> {
    scripts: &'a Scripts,
    counts: HashMap<String, [u32; 2]>,
    /// Places that something goes to.
    targets: BTreeSet<u32>,
    /// Temporaries with what stands for them, and how deep those within them are.
    pub folded: BTreeMap<String, (&'a ScriptExpression, usize)>,
}

/// An assignment to a temporary that may yet be folded.
struct PendingAssignment<'a> {
    name: String,
    value: &'a ScriptExpression,
    statement: FlowStatement<'a>,
    has_effects: bool,
    depth: usize,
}

impl<'a> Folding<'a> {
    pub fn new(scripts: &'a Scripts, code: &'a [ScriptExpression], targets: BTreeSet<u32>) -> Self {
        let (counts, folded) = Default::default();
        let mut folding = Self { scripts, counts, targets, folded };
        for statement in code {
            let assigned = assignment(statement).map(|(variable, _)| variable);
            let mut open = vec![statement];
            while let Some(whole) = open.pop() {
                open.extend(whole.expressions());
                let is_assigned = assigned.is_some_and(|it| std::ptr::eq(it, whole));
                if let Some(name) = folding.temporary(whole) {
                    folding.counts.entry(name).or_default()[usize::from(!is_assigned)] += 1;
                }
            }
        }
        folding
    }

    fn temporary(&self, whole: &ScriptExpression) -> Option<String> {
        let name = variable_name(self.scripts, whole).filter(|name| is_temporary(name))?;
        (whole.name == "LocalVariable").then_some(name)
    }

    /// The temporaries that an expression uses.
    fn used(&self, whole: &ScriptExpression) -> BTreeSet<String> {
        let (mut found, mut open) = (BTreeSet::new(), vec![whole]);
        while let Some(whole) = open.pop() {
            open.extend(whole.expressions());
            found.extend(self.temporary(whole));
        }
        found
    }

    /// A block without the assignments that are folded.
    pub fn block(&mut self, block: Vec<FlowStatement<'a>>) -> Vec<FlowStatement<'a>> {
        let (mut out, mut pending) = (Vec::with_capacity(block.len()), Vec::new());
        for statement in block {
            let place = statement.place;
            let is_target = self.targets.contains(&place);
            if is_target {
                flush(&mut pending, &mut out);
            }
            let kind = match statement.kind {
                FlowKind::Plain(whole) => {
                    let depth = self.settle(whole, &mut pending, &mut out);
                    if let Some((name, value)) = self.foldable(whole).filter(|_| !is_target) {
                        let has_effects = has_effects(self.scripts, value);
                        if has_effects {
                            flush(&mut pending, &mut out);
                        }
                        let statement = FlowStatement { place, kind: FlowKind::Plain(whole) };
                        let depth = depth + 1;
                        let it = PendingAssignment { name, value, statement, has_effects, depth };
                        pending.push(it);
                        continue;
                    }
                    FlowKind::Plain(whole)
                }
                FlowKind::If(condition, one, two) => {
                    self.settle(condition, &mut pending, &mut out);
                    flush(&mut pending, &mut out);
                    FlowKind::If(condition, self.block(one), self.block(two))
                }
                FlowKind::Mark => FlowKind::Mark,
                kind => {
                    flush(&mut pending, &mut out);
                    match kind {
                        FlowKind::Loop(body) => looped(self.block(body), &self.targets),
                        FlowKind::Sequence(body) => FlowKind::Sequence(self.block(body)),
                        FlowKind::Resume(body) => FlowKind::Resume(self.block(body)),
                        other => other,
                    }
                }
            };
            if kind != FlowKind::Mark || is_target {
                out.push(FlowStatement { place, kind });
            }
        }
        flush(&mut pending, &mut out);
        out
    }

    /// Folds what an expression uses of what is pending, and puts what it does not use before it. How deep what is
    /// folded is.
    fn settle(
        &mut self,
        whole: &'a ScriptExpression,
        pending: &mut Vec<PendingAssignment<'a>>,
        out: &mut Vec<FlowStatement<'a>>,
    ) -> usize {
        if pending.is_empty() {
            return 0;
        }
        let used = self.used(whole);
        let is_assignment =
            self.foldable(whole).is_some_and(|(_, value)| !has_effects(self.scripts, value));
        let is_folded = |it: &PendingAssignment<'_>| used.contains(&it.name) && it.depth < DEEPEST;
        let last_kept = pending.iter().rposition(|it| !is_folded(it));
        let (mut depth, mut kept) = (0, Vec::new());
        for (at, it) in pending.drain(..).enumerate() {
            // What is done must not move behind what stood after it.
            let moves = it.has_effects && last_kept.is_some_and(|last| last > at);
            if is_folded(&it) && !moves {
                depth = depth.max(it.depth);
                self.folded.insert(it.name, (it.value, it.depth));
            } else {
                kept.push(it);
            }
        }
        *pending = kept;
        // An assignment that changes nothing else may be folded itself: what is pending can wait.
        if !is_assignment {
            flush(pending, out);
        }
        depth
    }

    /// The temporary that a statement assigns, if it is assigned once and used once, and its value.
    fn foldable(&self, whole: &'a ScriptExpression) -> Option<(String, &'a ScriptExpression)> {
        let (variable, value) = assignment(whole)?;
        let name = self.temporary(variable)?;
        (self.counts.get(&name) == Some(&[1, 1])).then_some((name, value))
    }
}

fn flush<'a>(pending: &mut Vec<PendingAssignment<'a>>, out: &mut Vec<FlowStatement<'a>>) {
    out.extend(pending.drain(..).map(|it| it.statement));
}

/// The variable that a statement assigns to, and the value.
fn assignment(whole: &ScriptExpression) -> Option<(&ScriptExpression, &ScriptExpression)> {
    let is = matches!(whole.name, "Let" | "LetObj" | "LetBool" | "LetDelegate" | "LetWeakObjPtr");
    let mut parts = whole.expressions().take(2);
    is.then(|| Some((parts.next()?, parts.next()?)))?
}

/// Whether an expression calls what may do something.
fn has_effects(scripts: &Scripts, whole: &ScriptExpression) -> bool {
    let mut open = vec![whole];
    while let Some(whole) = open.pop() {
        let is_call = whole.name.ends_with("Function") || whole.name == "CallMulticastDelegate";
        if is_call && !object_of(whole).is_some_and(|function| is_pure(scripts, function)) {
            return true;
        }
        open.extend(whole.expressions());
    }
    false
}

/// Whether a function of the engine's libraries only gives a value.
fn is_pure(scripts: &Scripts, function: PackageIndex) -> bool {
    let library = scripts.name(scripts.package.outer(function));
    match library.as_str() {
        "KismetMathLibrary" | "KismetStringLibrary" | "KismetTextLibrary" => true,
        "KismetArrayLibrary" => {
            let name = scripts.name(function);
            matches!(name.as_str(), "Array_Length" | "Array_Contains" | "Array_Find")
        }
        _ => false,
    }
}

/// A loop with the condition that it starts with, if it does.
fn looped<'a>(mut body: Vec<FlowStatement<'a>>, targets: &BTreeSet<u32>) -> FlowKind<'a> {
    let breaks = |block: &[FlowStatement<'_>]| {
        matches!(block, [FlowStatement { kind: FlowKind::Break, .. }])
    };
    let Some(FlowStatement { place, kind: FlowKind::If(_, one, two) }) = body.first() else {
        return FlowKind::Loop(body);
    };
    let is_whole = body.len() == 1;
    if !breaks(two) || !(is_whole || one.is_empty()) || targets.contains(place) {
        return FlowKind::Loop(body);
    }
    match body.remove(0).kind {
        FlowKind::If(condition, one, _) => {
            FlowKind::While(condition, if is_whole { one } else { body })
        }
        other => FlowKind::Loop(vec![FlowStatement { place: u32::MAX, kind: other }]),
    }
}
