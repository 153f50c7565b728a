//! Declarations of a compiled class with some of its functions and states from a text.

use std::sync::Arc;

use crate::compile::declarations::{ClassDeclarations, Owner, fold};
use crate::compile::syntax::{Syntax, SyntaxItem};

impl ClassDeclarations {
    /// The same class with the functions and states that a text has: they count instead of its own of these names, and
    /// can be compiled. Everything else that the text declares is passed over.
    #[must_use]
    pub fn with_code(mut self, syntax: &Arc<Syntax>) -> Self {
        self.syntax = Some(syntax.clone());
        for (place, item) in (0_u32..).zip(&syntax.items) {
            match item {
                SyntaxItem::Function(it) => {
                    self.add_function(it, Owner::Class, (place, None), syntax);
                }
                SyntaxItem::State(it) => {
                    let Some(row) = self.state_named(&fold(&it.name.text)) else {
                        self.add_state(it, place, syntax);
                        continue;
                    };
                    if let Some(state) = self.states.get_mut(row as usize) {
                        state.item = Some(place);
                        state.ignores = it.ignores.iter().map(|it| it.text.clone()).collect();
                    }
                    for (at, function) in (0_u32..).zip(&it.functions) {
                        self.add_function(function, Owner::State(row), (place, Some(at)), syntax);
                    }
                }
                _ => {}
            }
        }
        self
    }
}
