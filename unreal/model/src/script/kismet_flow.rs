//! From jumps to statements: conditions, loops and sequences of Kismet.
//!
//! `PushExecutionFlow L` calls what follows it, `PopExecutionFlow` returns from there to `L`: code falls into
//! procedures, each of which ends where it pops. Within a procedure conditions meet where all that follows them
//! passes (post-dominators), and what leads back is a loop. Every statement stands in one place; what else leads to
//! it goes there.
//!
//! Spec: ue4-5/13 §13.1, §13.2.

use std::collections::{BTreeMap, BTreeSet};

use super::ScriptExpression;
use super::kismet_graph::{FlowTarget, KismetGraph, resume_places};

/// Blocks nest this deep; what nests deeper stands apart and is gone to.
const DEEPEST: usize = 40;
/// Guards nest this deep before they leave early instead.
const DEEPEST_GUARD: usize = 10;

/// The place of what no code of its own stands for.
const NO_PLACE: u32 = u32::MAX;

/// A statement of Kismet, and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct FlowStatement<'a> {
    /// Where its code starts in memory, bytes; the last place that there is for what has no code of its own.
    pub place: u32,
    /// Its kind.
    pub kind: FlowKind<'a>,
}

/// The kind of a statement of Kismet.
#[derive(Debug, Clone, PartialEq)]
pub enum FlowKind<'a> {
    /// A call, an assignment, the return of a value.
    Plain(&'a ScriptExpression),
    /// The condition, what is done where it holds, what else.
    If(&'a ScriptExpression, Vec<FlowStatement<'a>>, Vec<FlowStatement<'a>>),
    /// The statements of a loop.
    Loop(Vec<FlowStatement<'a>>),
    /// The statements that run as long as the condition holds.
    While(&'a ScriptExpression, Vec<FlowStatement<'a>>),
    /// A procedure that is left early: what leaves it goes on behind it.
    Sequence(Vec<FlowStatement<'a>>),
    /// The statements that run when the latent action of the statement before has ended.
    Resume(Vec<FlowStatement<'a>>),
    /// Leaves the sequence around it.
    Leave,
    /// Leaves the function.
    Return,
    /// Leaves the loop around it.
    Break,
    /// Goes to the start of the loop around it.
    Continue,
    /// Goes to a place.
    Goto(u32),
    /// Nothing: a place that something may lead to.
    Mark,
}

/// The loops around a block.
#[derive(Debug, Clone, Copy)]
struct FlowSurroundings {
    /// Where the end of the block leads.
    fall: FlowTarget,
    head: Option<FlowTarget>,
    follow: Option<FlowTarget>,
    /// Whether nothing was pushed: what pops returns.
    is_outermost: bool,
    depth: usize,
}

/// Finds the blocks of one piece of code, entry by entry.
#[derive(Debug)]
pub struct KismetFlow<'a> {
    code: &'a [ScriptExpression],
    graph: KismetGraph,
    is_taken: Vec<bool>,
    /// Rows that a block around will take.
    reserved: BTreeMap<usize, usize>,
    entries: BTreeSet<usize>,
    gotos: BTreeSet<u32>,
    leaves: usize,
    /// Before these rows nothing is left that nothing leads to, and nothing at all.
    rest_from: usize,
    left_from: usize,
}

impl<'a> KismetFlow<'a> {
    /// Of statements without marks of debug builds; `entries` are the places that something else leads to.
    pub fn new(code: &'a [ScriptExpression], entries: &BTreeSet<u32>) -> Self {
        let graph = KismetGraph::of(code, entries);
        let entries = entries.iter().filter_map(|place| graph.row(code, *place)).collect();
        let (reserved, gotos) = Default::default();
        let is_taken = vec![false; code.len()];
        let (leaves, rest_from, left_from) = Default::default();
        Self { code, graph, is_taken, reserved, entries, gotos, leaves, rest_from, left_from }
    }

    /// The statements from a place on that are in no block yet; `None` where no statement starts there.
    pub fn block(&mut self, place: u32) -> Option<Vec<FlowStatement<'a>>> {
        let row = self.graph.row(self.code, place)?;
        Some(self.from(self.graph.land(row), 0))
    }

    /// Leaves statements out.
    pub fn take(&mut self, rows: usize) {
        self.is_taken.iter_mut().take(rows).for_each(|taken| *taken = true);
    }

    /// Another block of statements that are in none yet.
    pub fn rest(&mut self) -> Option<Vec<FlowStatement<'a>>> {
        let is_left =
            |row: &usize| !self.is_taken[*row] && self.graph.land(*row) == FlowTarget::Row(*row);
        // What nothing leads to comes first, once: what it leads to is in its block then.
        let first =
            (self.rest_from..self.code.len()).find(|row| is_left(row) && self.graph.is_start(*row));
        self.rest_from = first.map_or(self.code.len(), |first| first + 1);
        let next = || (self.left_from..self.code.len()).find(is_left);
        let row = match first {
            Some(first) => first,
            None => next()?,
        };
        if first.is_none() {
            self.left_from = row + 1;
        }
        Some(self.from(FlowTarget::Row(row), 0))
    }

    /// The places that are gone to.
    pub fn gotos(&self) -> &BTreeSet<u32> {
        &self.gotos
    }

    fn from(&mut self, target: FlowTarget, depth: usize) -> Vec<FlowStatement<'a>> {
        let fall = FlowTarget::Return;
        let around = FlowSurroundings { fall, head: None, follow: None, is_outermost: true, depth };
        self.inner(target, around)
    }

    fn inner(&mut self, at: FlowTarget, around: FlowSurroundings) -> Vec<FlowStatement<'a>> {
        let mut found = Vec::new();
        self.go(at, &around, &mut found);
        found
    }

    fn place(&self, row: usize) -> u32 {
        let end = || self.code.last().map_or(0, |last| last.end);
        self.code.get(row).map_or_else(end, |statement| statement.place)
    }

    /// The meaning of a jump: one that pops where nothing was pushed returns.
    fn meant(at: FlowTarget, around: &FlowSurroundings) -> FlowTarget {
        match at {
            FlowTarget::Pop if around.is_outermost => FlowTarget::Return,
            other => other,
        }
    }

    /// The statements from here to where the block ends.
    fn go(
        &mut self,
        mut at: FlowTarget,
        around: &FlowSurroundings,
        out: &mut Vec<FlowStatement<'a>>,
    ) {
        loop {
            at = Self::meant(at, around);
            if at == around.fall {
                return;
            }
            let place = match at {
                FlowTarget::Row(row) => self.place(row),
                _ => self.place(self.code.len()),
            };
            let mut end = |kind| out.push(FlowStatement { place: NO_PLACE, kind });
            let row = match at {
                at if around.head == Some(at) => return end(FlowKind::Continue),
                at if around.follow == Some(at) => return end(FlowKind::Break),
                FlowTarget::Pop => {
                    self.leaves += 1;
                    return end(FlowKind::Leave);
                }
                FlowTarget::Return => return end(FlowKind::Return),
                FlowTarget::Elsewhere(place) => return end(FlowKind::Goto(place)),
                FlowTarget::Row(row) => row,
            };
            let is_reserved = self.reserved.contains_key(&row);
            if self.is_taken[row] || is_reserved || around.depth > DEEPEST {
                self.gotos.insert(place);
                return end(FlowKind::Goto(place));
            }
            at = match self.graph.follow(row) {
                Some(follow) => self.repeated(row, follow, around, out),
                None => self.step(row, around, out),
            };
        }
    }

    fn reserve(&mut self, target: FlowTarget) {
        if let FlowTarget::Row(row) = target {
            *self.reserved.entry(row).or_default() += 1;
        }
    }

    fn release(&mut self, target: FlowTarget) {
        if let FlowTarget::Row(row) = target
            && let Some(count) = self.reserved.get_mut(&row)
        {
            *count -= 1;
            if *count == 0 {
                self.reserved.remove(&row);
            }
        }
    }

    /// A loop that begins in this row, and where its end leads.
    fn repeated(
        &mut self,
        row: usize,
        follow: Option<FlowTarget>,
        around: &FlowSurroundings,
        out: &mut Vec<FlowStatement<'a>>,
    ) -> FlowTarget {
        let follow = follow.map(|follow| Self::meant(follow, around));
        let head = FlowTarget::Row(row);
        let depth = around.depth + 1;
        let inside = FlowSurroundings { fall: head, head: Some(head), follow, depth, ..*around };
        let mut body = Vec::new();
        let held = follow.filter(|follow| *follow != around.fall);
        held.into_iter().for_each(|follow| self.reserve(follow));
        let next = self.step(row, &inside, &mut body);
        self.go(next, &inside, &mut body);
        held.into_iter().for_each(|follow| self.release(follow));
        out.push(FlowStatement { place: self.place(row), kind: FlowKind::Loop(body) });
        follow.unwrap_or(around.fall)
    }

    /// One statement, and where it leads.
    fn step(
        &mut self,
        row: usize,
        around: &FlowSurroundings,
        out: &mut Vec<FlowStatement<'a>>,
    ) -> FlowTarget {
        let code = self.code;
        let (statement, place) = (&code[row], self.place(row));
        self.is_taken[row] = true;
        let next = self.graph.land(row + 1);
        match (statement.name, statement.expressions().next()) {
            ("PushExecutionFlow", _) => self.sequence(row, around, out),
            ("JumpIfNot", Some(condition)) => {
                let other = self.graph.jump(row);
                let fits = |at: &FlowTarget| match at {
                    FlowTarget::Row(row) => {
                        !self.is_taken[*row] && !self.reserved.contains_key(row)
                    }
                    _ => false,
                };
                let ends = [Some(around.fall), around.head, around.follow];
                let join = self.graph.join(row).map(FlowTarget::Row);
                let join = join.filter(|at| fits(at) && !ends.contains(&Some(*at)));
                let fall = join.unwrap_or(around.fall);
                let inside = FlowSurroundings { fall, depth: around.depth + 1, ..*around };
                join.into_iter().for_each(|join| self.reserve(join));
                let one = self.inner(next, inside);
                let two = self.inner(other, inside);
                join.into_iter().for_each(|join| self.release(join));
                out.push(FlowStatement { place, kind: FlowKind::If(condition, one, two) });
                fall
            }
            ("PopExecutionFlowIfNot", Some(condition)) => {
                let inside = FlowSurroundings { depth: around.depth + 1, ..*around };
                let leaves_here = Self::meant(FlowTarget::Pop, around) == around.fall;
                if leaves_here && around.depth < DEEPEST_GUARD {
                    let one = self.inner(next, inside);
                    let kind = FlowKind::If(condition, one, Vec::new());
                    out.push(FlowStatement { place, kind });
                    return around.fall;
                }
                // Whatever the end of the block leads to, this leaves.
                let fall = FlowTarget::Elsewhere(u32::MAX);
                let two = self.inner(FlowTarget::Pop, FlowSurroundings { fall, ..inside });
                let kind = FlowKind::If(condition, Vec::new(), two);
                out.push(FlowStatement { place, kind });
                next
            }
            // One that leads to itself.
            ("Jump", _) => {
                self.gotos.insert(place);
                out.push(FlowStatement { place, kind: FlowKind::Goto(place) });
                around.fall
            }
            ("Return" | "ComputedJump", _) => {
                out.push(FlowStatement { place, kind: FlowKind::Plain(statement) });
                around.fall
            }
            _ => {
                out.push(FlowStatement { place, kind: FlowKind::Plain(statement) });
                self.resumed(statement, around, out);
                next
            }
        }
    }

    /// A procedure, and where it leads.
    fn sequence(
        &mut self,
        row: usize,
        around: &FlowSurroundings,
        out: &mut Vec<FlowStatement<'a>>,
    ) -> FlowTarget {
        let (next, behind) = (self.graph.land(row + 1), self.graph.jump(row));
        let place = self.place(row);
        out.push(FlowStatement { place, kind: FlowKind::Mark });
        if Self::meant(behind, around) == Self::meant(FlowTarget::Pop, around) {
            return next;
        }
        let depth = around.depth + 1;
        let (fall, is_outermost) = (FlowTarget::Pop, false);
        let inside = FlowSurroundings { fall, head: None, follow: None, is_outermost, depth };
        let before = self.leaves;
        let is_own = behind != around.fall;
        if is_own {
            self.reserve(behind);
        }
        let body = self.inner(next, inside);
        if is_own {
            self.release(behind);
        }
        if self.leaves > before {
            self.leaves = before;
            let kind = FlowKind::Sequence(body);
            out.push(FlowStatement { place, kind });
        } else {
            out.extend(body);
        }
        behind
    }

    /// What is done behind a latent call.
    fn resumed(
        &mut self,
        statement: &'a ScriptExpression,
        around: &FlowSurroundings,
        out: &mut Vec<FlowStatement<'a>>,
    ) {
        for place in resume_places(statement) {
            let Some(row) = self.graph.row(self.code, place) else { continue };
            let FlowTarget::Row(row) = self.graph.land(row) else { continue };
            let is_free = !self.is_taken[row] && !self.reserved.contains_key(&row);
            if is_free && !self.entries.contains(&row) && around.depth < DEEPEST {
                let before = self.leaves;
                let body = self.from(FlowTarget::Row(row), around.depth + 1);
                self.leaves = before;
                out.push(FlowStatement { place, kind: FlowKind::Resume(body) });
            } else {
                self.gotos.insert(self.place(row));
            }
        }
    }
}
