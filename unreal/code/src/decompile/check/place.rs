//! Places in code: values, variables that can be assigned to, and neither.

use crate::script::ScriptExpression;

/// The expression behind contexts and sizes to skip.
fn innermost(whole: &ScriptExpression) -> Option<&ScriptExpression> {
    let mut at = whole;
    while matches!(at.name, "Context" | "ClassContext" | "ContextFailSilent" | "Skip") {
        at = at.expressions().next_back()?;
    }
    Some(at)
}

/// Whether something can be assigned to.
pub(super) fn is_place(whole: &ScriptExpression) -> bool {
    let is_place = |name: &str| {
        name.ends_with("Variable")
            || matches!(
                name,
                "ArrayElement"
                    | "DynArrayElement"
                    | "ArrayGetByRef"
                    | "StructMember"
                    | "StructMemberContext"
                    | "DynArrayLength"
                    | "InterfaceContext"
                    | "DelegateProperty"
                    | "Conditional"
            )
    };
    innermost(whole).is_some_and(|inner| is_place(inner.name))
}

/// Whether it is what bools are assigned to before Kismet: arrays of them hold no bits.
pub(super) fn is_bool_place(whole: &ScriptExpression) -> bool {
    let is_place = |name| matches!(name, "BoolVariable" | "DynArrayElement" | "Conditional");
    innermost(whole).is_some_and(|inner| is_place(inner.name))
}

/// Whether it is a constant, which nothing can be written to.
pub(super) fn is_constant(whole: &ScriptExpression) -> bool {
    whole.name.ends_with("Const")
        || matches!(
            whole.name,
            "IntZero" | "IntOne" | "IntConstByte" | "True" | "False" | "NoObject"
        )
}

/// Whether it stands where nothing is given.
pub(super) fn is_nothing(whole: &ScriptExpression) -> bool {
    matches!(whole.name, "Nothing" | "EmptyParm" | "EndFunctionParms" | "EndParmValue")
}

/// Whether it is a statement, which has no value and stands in no other.
pub(super) fn is_statement(whole: &ScriptExpression) -> bool {
    matches!(
        whole.name,
        "Return"
            | "Switch"
            | "Jump"
            | "JumpIfNot"
            | "Stop"
            | "Assert"
            | "Case"
            | "LabelTable"
            | "GotoLabel"
            | "Let"
            | "LetBool"
            | "LetObj"
            | "LetDelegate"
            | "LetMulticastDelegate"
            | "LetWeakObjPtr"
            | "LetValueOnPersistentFrame"
            | "Iterator"
            | "DynArrayIterator"
            | "IteratorPop"
            | "IteratorNext"
            | "EndOfScript"
            | "PushExecutionFlow"
            | "PopExecutionFlow"
            | "PopExecutionFlowIfNot"
            | "ComputedJump"
    )
}
