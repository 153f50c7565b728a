//! From jumps to statements: conditions, loops and switches of UnrealScript.

use std::collections::BTreeSet;
use std::ops::Range;

use super::ScriptExpression;

/// Blocks nest this deep; what nests deeper is written with jumps.
const DEEPEST: usize = 200;

/// How many statements behind a switch are looked at for its end.
const NEAR: usize = 256;

/// Tokens that jump unless something holds.
const CONDITIONAL: [&str; 3] = ["JumpIfNot", "OptIfLocal", "OptIfInstance"];

/// A statement, and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement<'a> {
    /// Where its code starts in memory, bytes.
    pub place: u32,
    /// Its kind.
    pub kind: StatementKind<'a>,
}

/// The kind of a statement.
#[derive(Debug, Clone, PartialEq)]
pub enum StatementKind<'a> {
    /// A call, an assignment, a return: whatever does not lead elsewhere in the code.
    Plain(&'a ScriptExpression),
    /// The condition, what is done where it holds, what else.
    If(&'a ScriptExpression, Vec<Statement<'a>>, Option<Vec<Statement<'a>>>),
    /// The condition, the body.
    While(&'a ScriptExpression, Vec<Statement<'a>>),
    /// Start, condition, step, body.
    For([&'a ScriptExpression; 3], Vec<Statement<'a>>),
    /// The body, and the condition to end behind it; endless without one.
    DoUntil(Vec<Statement<'a>>, Option<&'a ScriptExpression>),
    /// The iterated expression, and the body.
    Foreach(&'a ScriptExpression, Vec<Statement<'a>>),
    /// The value, and the cases: their value, `None` for the default, and their statements.
    Switch(&'a ScriptExpression, Vec<SwitchCase<'a>>),
    /// Leaves the loop or switch around it.
    Break,
    /// Goes to the end of the loop around it.
    Continue,
    /// Goes to a place.
    Goto(u32),
    /// Goes to a place where the condition does not hold.
    GotoUnless(&'a ScriptExpression, u32),
    /// Nothing: the end of a block, to which something may lead.
    End,
}

/// A case of a switch.
#[derive(Debug, Clone, PartialEq)]
pub struct SwitchCase<'a> {
    /// The compared value; `None` for the default.
    pub value: Option<&'a ScriptExpression>,
    /// The statements, also reached by falling through.
    pub body: Vec<Statement<'a>>,
}

/// The statements of code with their blocks, and the places that jumps which are left lead to, beside those that
/// have `labels`.
///
/// Code whose jumps fit no blocks is written with jumps alone.
pub fn structured<'a>(
    code: &'a [ScriptExpression],
    labels: &BTreeSet<u32>,
) -> (Vec<Statement<'a>>, BTreeSet<u32>) {
    let mut finder = Blocks::new(code);
    let found = finder.block(0..code.len(), &Enclosing::default());
    let targets: BTreeSet<u32> = finder.gotos.union(labels).copied().collect();
    let mut shown = BTreeSet::new();
    places(&found, &mut shown);
    shown.insert(end_of(code));
    if targets.is_subset(&shown) && !finder.too_deep {
        return (found, targets);
    }
    let mut flat = Blocks::new(code);
    let found = (0..code.len()).map(|row| flat.lone(row, &Enclosing::default())).collect();
    flat.gotos.extend(labels);
    (found, flat.gotos)
}

/// Where code ends.
fn end_of(code: &[ScriptExpression]) -> u32 {
    code.last().map_or(0, |last| last.end)
}

/// The places of all statements.
fn places(block: &[Statement<'_>], found: &mut BTreeSet<u32>) {
    for statement in block {
        found.insert(statement.place);
        match &statement.kind {
            StatementKind::If(_, one, other) => {
                places(one, found);
                places(other.as_deref().unwrap_or_default(), found);
            }
            StatementKind::While(_, body)
            | StatementKind::For(_, body)
            | StatementKind::DoUntil(body, _)
            | StatementKind::Foreach(_, body) => places(body, found),
            StatementKind::Switch(_, cases) => {
                cases.iter().for_each(|case| places(&case.body, found));
            }
            _ => {}
        }
    }
}

/// The loops and switches around a block.
#[derive(Debug, Clone, Copy, Default)]
struct Enclosing {
    /// The row that `break` leads to.
    end: Option<usize>,
    /// The row that `continue` leads to.
    next: Option<usize>,
    /// Whether `continue` says first that the next element follows.
    in_foreach: bool,
    /// Whether `return` ends loops through elements first.
    pops: bool,
    depth: usize,
}

struct Blocks<'a> {
    code: &'a [ScriptExpression],
    /// For each row the rows behind it that jump back to it, ascending.
    back: Vec<Vec<usize>>,
    gotos: BTreeSet<u32>,
    too_deep: bool,
}

impl<'a> Blocks<'a> {
    fn new(code: &'a [ScriptExpression]) -> Self {
        let back = vec![Vec::new(); code.len()];
        let mut blocks = Self { code, back, gotos: BTreeSet::new(), too_deep: false };
        for row in 0..code.len() {
            if let Some(to) = blocks.jump(row).or_else(|| blocks.unless(row))
                && to <= row
            {
                blocks.back[to].push(row);
            }
        }
        blocks
    }

    /// The row of a place; the number of rows for the end. What stood before a row and was left out leads to it.
    fn row(&self, place: u32) -> Option<usize> {
        let row = self.code.partition_point(|statement| statement.place < place);
        let is_here = self.code.get(row).is_some_and(|statement| statement.place == place);
        let before = row.checked_sub(1).and_then(|before| self.code.get(before));
        (is_here || before.is_none_or(|before| before.end <= place)).then_some(row)
    }

    fn place(&self, row: usize) -> u32 {
        self.code.get(row).map_or_else(|| end_of(self.code), |statement| statement.place)
    }

    fn is(&self, row: usize, name: &str) -> bool {
        self.code.get(row).is_some_and(|statement| statement.name == name)
    }

    fn target(&self, row: usize, name: &str) -> Option<usize> {
        let statement = self.code.get(row).filter(|statement| statement.name == name)?;
        self.row(statement.jump()?)
    }

    /// Where a row jumps to in any case.
    fn jump(&self, row: usize) -> Option<usize> {
        self.target(row, "Jump")
    }

    /// Where a row jumps to unless its condition holds.
    fn unless(&self, row: usize) -> Option<usize> {
        CONDITIONAL.iter().find_map(|name| self.target(row, name))
    }

    /// The condition of a row that jumps or compares. Mass Effect 3 has jumps that ask for a variable themselves.
    fn condition(&self, row: usize) -> Option<&'a ScriptExpression> {
        let statement = self.code.get(row)?;
        let asks_itself = statement.name.starts_with("OptIf");
        if asks_itself { Some(statement) } else { statement.expressions().next() }
    }

    fn at(&self, row: usize, kind: StatementKind<'a>) -> Statement<'a> {
        Statement { place: self.place(row), kind }
    }

    /// The statements of these rows.
    fn block(&mut self, rows: Range<usize>, around: &Enclosing) -> Vec<Statement<'a>> {
        let mut found = Vec::new();
        if around.depth > DEEPEST {
            self.too_deep = true;
            return found;
        }
        let inner = Enclosing { depth: around.depth + 1, ..*around };
        let mut row = rows.start;
        while row < rows.end {
            let taken = self
                .repeated(row, rows.end, &inner, &mut found)
                .or_else(|| self.foreach(row, rows.end, &inner, &mut found))
                .or_else(|| self.switch(row, rows.end, &inner, &mut found))
                .or_else(|| self.branch(row, rows.end, &inner, &mut found));
            row = match taken {
                Some(next) => next,
                None => self.simple(row, around, &mut found),
            };
        }
        found
    }

    /// The same, of a block behind which stands what its form implies: a jump, the step of a loop, the next case.
    fn body(&mut self, rows: Range<usize>, around: &Enclosing) -> Vec<Statement<'a>> {
        let end = rows.end;
        let mut found = self.block(rows, around);
        found.push(self.at(end, StatementKind::End));
        found
    }

    /// A statement without a block. Loops through elements end before a `return`, and say before a `continue` that
    /// the next one follows.
    fn simple(&mut self, row: usize, around: &Enclosing, found: &mut Vec<Statement<'a>>) -> usize {
        let goes_on = self.jump(row + 1).is_some_and(|to| around.next == Some(to));
        if around.in_foreach && goes_on && self.is(row, "IteratorNext") {
            found.push(self.at(row, StatementKind::Continue));
            return row + 2;
        }
        let pops = (row..).take_while(|row| self.is(*row, "IteratorPop")).count();
        if around.pops && pops > 0 && self.is(row + pops, "Return") {
            return row + pops;
        }
        let lone = self.lone(row, around);
        found.push(lone);
        row + 1
    }

    /// A row that begins no block.
    fn lone(&mut self, row: usize, around: &Enclosing) -> Statement<'a> {
        let code = self.code;
        let kind = match (self.jump(row), self.unless(row), self.condition(row)) {
            (Some(to), ..) if around.end == Some(to) => StatementKind::Break,
            (Some(to), ..) if around.next == Some(to) => StatementKind::Continue,
            (Some(to), ..) => StatementKind::Goto(self.goto(to)),
            (None, Some(to), Some(condition)) => {
                StatementKind::GotoUnless(condition, self.goto(to))
            }
            _ => StatementKind::Plain(&code[row]),
        };
        self.at(row, kind)
    }

    fn goto(&mut self, row: usize) -> u32 {
        let place = self.place(row);
        self.gotos.insert(place);
        place
    }

    /// A loop that begins in this row and ends before `end`.
    fn repeated(
        &mut self,
        row: usize,
        end: usize,
        around: &Enclosing,
        found: &mut Vec<Statement<'a>>,
    ) -> Option<usize> {
        let back = &self.back[row];
        let last = *back.get(back.partition_point(|from| *from < end).checked_sub(1)?)?;
        let inside =
            Enclosing { end: Some(last + 1), next: Some(row), in_foreach: false, ..*around };
        if self.unless(last) == Some(row) {
            let condition = self.condition(last);
            let body = self.body(row..last, &Enclosing { next: Some(last), ..inside });
            found.push(self.at(row, StatementKind::DoUntil(body, condition)));
            return Some(last + 1);
        }
        let condition = self.condition(row).filter(|_| self.unless(row) == Some(last + 1));
        let Some(condition) = condition else {
            let body = self.body(row..last, &inside);
            found.push(self.at(row, StatementKind::DoUntil(body, None)));
            return Some(last + 1);
        };
        let step = last.checked_sub(1).filter(|step| *step > row);
        if let (Some(step), Some(Statement { kind: StatementKind::Plain(start), place })) =
            (step, found.last())
            && row > 0
            && self.code[row - 1].place == *place
            && changed(start).is_some_and(|variable| changed(&self.code[step]) == Some(variable))
            // What goes on from within passes through the step.
            && !self.leads_to(row + 1..step, last)
        {
            let (start, place) = (*start, *place);
            found.pop();
            let body = self.body(row + 1..step, &Enclosing { next: Some(step), ..inside });
            let parts = [start, condition, &self.code[step]];
            found.push(Statement { place, kind: StatementKind::For(parts, body) });
            return Some(last + 1);
        }
        let body = self.body(row + 1..last, &inside);
        found.push(self.at(row, StatementKind::While(condition, body)));
        Some(last + 1)
    }

    /// A loop through elements.
    fn foreach(
        &mut self,
        row: usize,
        end: usize,
        around: &Enclosing,
        found: &mut Vec<Statement<'a>>,
    ) -> Option<usize> {
        let statement = &self.code[row];
        if !matches!(statement.name, "Iterator" | "DynArrayIterator") {
            return None;
        }
        let pop = self.row(statement.jump()?)?;
        let fits = row + 1 < pop && pop < end && self.is(pop, "IteratorPop");
        if !fits || !self.is(pop - 1, "IteratorNext") {
            return None;
        }
        let (in_foreach, pops) = (true, true);
        let inside = Enclosing { end: Some(pop), next: Some(pop), in_foreach, pops, ..*around };
        let body = self.body(row + 1..pop - 1, &inside);
        found.push(self.at(row, StatementKind::Foreach(statement, body)));
        Some(pop + 1)
    }

    /// A switch with all its cases.
    fn switch(
        &mut self,
        row: usize,
        end: usize,
        around: &Enclosing,
        found: &mut Vec<Statement<'a>>,
    ) -> Option<usize> {
        if !self.is(row, "Switch") {
            return None;
        }
        let value = self.code[row].expressions().next_back()?;
        let mut cases = Vec::new();
        let mut case = row + 1;
        loop {
            if !self.is(case, "Case") || case >= end {
                return None;
            }
            cases.push(case);
            if self.code[case].jump() == Some(0xffff) {
                break;
            }
            case = self.target(case, "Case").filter(|next| *next > case)?;
        }
        let behind = case + 1;
        // The end is where breaks lead to: nothing in a case leads past it but jumps to the loop around.
        let leads = |from: usize| {
            let to = self.jump(from).or_else(|| self.unless(from))?;
            (to >= behind && to <= end).then_some(to)
        };
        let breaks = (row + 1..case).filter_map(leads).min();
        // Where none breaks, what follows is the default's, unless it leaves what is around the switch.
        let leaves = |from: usize| {
            self.jump(from).is_some_and(|to| around.end == Some(to) || around.next == Some(to))
        };
        let near = behind..end.min(behind + NEAR);
        let last =
            breaks.unwrap_or_else(|| if near.into_iter().any(leaves) { behind } else { end });
        let inside = Enclosing { end: Some(last), ..*around };
        let ends = cases.iter().skip(1).copied().chain([last]);
        let bodies: Vec<(usize, usize)> = cases.iter().copied().zip(ends).collect();
        let cases = bodies.into_iter().map(|(case, end)| SwitchCase {
            value: self.condition(case),
            body: match end < last {
                true => self.body(case + 1..end, &inside),
                false => self.block(case + 1..end, &inside),
            },
        });
        let cases = cases.collect();
        found.push(self.at(row, StatementKind::Switch(value, cases)));
        Some(last)
    }

    /// The statements where a condition holds, and those of its `else`.
    fn branch(
        &mut self,
        row: usize,
        end: usize,
        around: &Enclosing,
        found: &mut Vec<Statement<'a>>,
    ) -> Option<usize> {
        let (to, condition) = (self.unless(row)?, self.condition(row)?);
        if to <= row || to > end {
            return None;
        }
        let otherwise = self.jump(to - 1).filter(|behind| {
            let fits = to > row + 1 && *behind >= to && *behind <= end;
            let leaves = around.end == Some(*behind) || around.next == Some(*behind);
            // An empty block is no reason to put the rest of a loop into another one.
            let is_rest = *behind == end && to > row + 2;
            fits && (!leaves || is_rest) && !self.leads_to(row + 1..to - 1, to)
        });
        let (then, other) = match otherwise {
            Some(behind) => {
                let then = self.body(row + 1..to - 1, around);
                (then, Some(self.block(to..behind, around)))
            }
            None => (self.block(row + 1..to, around), None),
        };
        found.push(self.at(row, StatementKind::If(condition, then, other)));
        Some(otherwise.unwrap_or(to))
    }

    /// Whether one of these rows jumps to a row.
    fn leads_to(&self, mut rows: Range<usize>, to: usize) -> bool {
        rows.any(|row| self.jump(row).or_else(|| self.unless(row)) == Some(to))
    }
}

/// The variable that a statement assigns to or counts.
fn changed(statement: &ScriptExpression) -> Option<&ScriptExpression> {
    match statement.name {
        "Let" | "LetBool" | "LetDelegate" | "Native" | "ExtendedNative" => {
            let variable = statement.expressions().next()?;
            Some(if variable.name == "BoolVariable" {
                variable.expressions().next()?
            } else {
                variable
            })
        }
        "EatString" => changed(statement.expressions().next()?),
        _ => None,
    }
}
