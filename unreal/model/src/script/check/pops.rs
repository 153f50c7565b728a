//! Kismet's stack of places: what is popped was pushed.

use crate::script::ScriptExpression;

/// The stack where a statement is reached, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stack {
    /// Nothing leads there that is known.
    Unreached,
    /// Nothing is pushed.
    Empty,
    /// Something may be.
    Pushed,
}

/// The places of pops where nothing is pushed, whichever way leads there. A place that is pushed is reached with what
/// the stack held before, since code that pops it has popped all above it.
pub(super) fn of_nothing(code: &[ScriptExpression]) -> Vec<u32> {
    let pops =
        |it: &&ScriptExpression| matches!(it.name, "PopExecutionFlow" | "PopExecutionFlowIfNot");
    if !code.iter().any(|it| pops(&it)) {
        return Vec::new();
    }
    let row_of = |place: u32| {
        let row = code.partition_point(|statement| statement.place < place);
        code.get(row).filter(|statement| statement.place == place).map(|_| row)
    };
    let mut stacks = vec![Stack::Unreached; code.len()];
    // Events and latent actions enter through computed jumps, which lead anywhere.
    let mut anywhere = Stack::Unreached;
    let mut open = Vec::new();
    if let Some(first) = stacks.first_mut() {
        *first = Stack::Empty;
        open.push(0);
    }
    while let Some(row) = open.pop() {
        let (statement, stack) = (&code[row], stacks[row]);
        let next = match statement.name {
            "PushExecutionFlow" => Some(Stack::Pushed),
            "Jump" | "Return" | "EndOfScript" | "PopExecutionFlow" | "ComputedJump" => None,
            _ => Some(stack),
        };
        let mut reach = |to: usize, stack: Stack| {
            if let Some(known) = stacks.get_mut(to)
                && *known < stack
            {
                *known = stack;
                open.push(to);
            }
        };
        if let Some(next) = next {
            reach(row + 1, next);
        }
        if statement.name == "ComputedJump" && anywhere < stack {
            anywhere = stack;
            (0..code.len()).for_each(|to| reach(to, stack));
        }
        if let Some(to) = statement.jump().and_then(row_of) {
            reach(to, stack);
        }
    }
    let empty = code.iter().zip(&stacks).filter(|(_, stack)| **stack == Stack::Empty);
    empty.map(|(statement, _)| statement).filter(pops).map(|pop| pop.place).collect()
}
