//! New objects as text.

use super::call::is_end;
use super::expression::{ANY, CLOSEST, ExpressionSlot, Expressions};
use crate::script::{ScriptExpression, ScriptItem};

impl Expressions<'_> {
    /// `new(outer, name, flags) class'C'(template)`; what is left out falls away from the end.
    pub(super) fn made(&mut self, whole: &ScriptExpression) {
        let parts: Vec<_> = whole.expressions().collect();
        let [outer, name, flags, class, ..] = parts[..] else { return self.unknown(whole) };
        self.push("new");
        let given = [outer, name, flags];
        if given.iter().any(|part| part.name != "Nothing") {
            self.given(&given, None);
        }
        self.push(" ");
        self.expression(class, ExpressionSlot::within(CLOSEST));
        if let Some(template) = parts.get(4).filter(|part| part.name != "Nothing") {
            self.push("(");
            self.expression(template, ExpressionSlot::within(ANY));
            self.push(")");
        }
    }

    /// `new(outer, name, flags) class'C'(…)` of SWAT 4, where it is two calls: one that allocates, and one that
    /// constructs and has the class as its type.
    pub(super) fn constructed(
        &mut self,
        object: &ScriptExpression,
        member: &ScriptExpression,
    ) -> bool {
        if member.name != "Construct" {
            return false;
        }
        let within: Vec<_> = object.expressions().collect();
        let ([class, allocate], Some(construct)) = (&within[..], member.expressions().next())
        else {
            return false;
        };
        let is_allocation = allocate.items().any(|item| {
            matches!(item, ScriptItem::Name(name)
                if self.scripts.text(*name).eq_ignore_ascii_case("Allocate"))
        });
        if !is_allocation {
            return false;
        }
        self.push("new");
        let given: Vec<_> = allocate.expressions().filter(|part| !is_end(part)).skip(1).collect();
        if !given.is_empty() {
            self.given(&given, None);
        }
        self.push(" ");
        self.expression(class, ExpressionSlot::within(CLOSEST));
        let given: Vec<_> = construct.expressions().filter(|part| !is_end(part)).collect();
        if !given.is_empty() {
            self.given(&given, None);
        }
        true
    }
}
