//! Judges a model: everything that would be wrong whatever code it is turned into.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, ExprLit, ExprUnary, Lit, Member, UnOp};

use crate::attr::{Attributes, Axis, Bound, Edge, Errors};
use crate::model::{Body, Field, Model, REPRS, Range};

/// Adds everything that is wrong with `model` to `errors`.
pub fn check(model: &Model, errors: &mut Errors) {
    for attribute in &model.misplaced {
        let message = "`since`, `until` and `archive` are allowed before fields, `since` and `until` \
                       also before variants; before a whole type only one `archive(magic = BYTES, crate = PATH)` is";
        errors.at(attribute, message);
    }
    match &model.body {
        Body::Struct(_) => {}
        Body::Enum { repr, variants } => {
            if variants.is_empty() {
                errors
                    .at(&model.ident, "an enum without variants has no value that could be loaded");
            } else if repr.is_none() {
                let reprs = REPRS.map(|it| format!("`{it}`")).join(", ");
                let message = format!(
                    "an enum needs `#[repr(...)]` with the integer that its discriminant is stored \
                     as: one of {reprs}"
                );
                errors.at(&model.ident, message);
            }
        }
        Body::Union => {
            let message = "a union does not know which of its fields is set: derive `Archived` for a \
                           struct or an enum";
            errors.at(&model.ident, message);
        }
    }
    for variant in model.variants() {
        if let Some(attribute) = variant.attributes.archive() {
            let message =
                "`archive` stands before a field; a variant takes `since` and `until` only";
            errors.at(attribute, message);
        }
        check_bounds(&variant.attributes.bounds, errors);
    }
    for field in model.fields() {
        check_bounds(&field.attributes.bounds, errors);
        check_skip(&field.attributes, errors);
        if let (Some((_, with)), Some(_)) = (&field.attributes.with, &field.attributes.count) {
            errors.at(with, "`with` and `count` both say how the field is stored; one is allowed");
        }
    }
    if let Body::Struct(fields) = &model.body {
        check_counts(fields, errors);
        check_conditions(fields, mentions_of_self, errors);
    }
    for variant in model.variants() {
        check_counts(&variant.fields, errors);
        check_conditions(&variant.fields, mentions_of_variant, errors);
    }
    for range in model.ranges() {
        check_range(&range, errors);
    }
}

fn check_skip(attributes: &Attributes, errors: &mut Errors) {
    let Some(skip) = &attributes.skip else { return };
    let others = [
        attributes.when.is_some().then_some("when"),
        attributes.with.is_some().then_some("with"),
        attributes.count.is_some().then_some("count"),
        attributes.bounds.first().map(|bound| bound.edge.name()),
    ];
    for other in others.into_iter().flatten() {
        let message =
            format!("`skip` stands alone: a field that is never stored can't have `{other}`");
        errors.at(skip, message);
    }
}

/// A count must have been read when its elements are.
fn check_counts(fields: &[Field], errors: &mut Errors) {
    for (index, field) in fields.iter().enumerate() {
        let Some((count, attribute)) = &field.attributes.count else { continue };
        if !fields[..index].iter().any(|before| before.member == *count) {
            let message = "`count` names a field that stands before this one";
            errors.at(attribute, message);
        }
    }
}

/// A condition is asked before its own field and those behind it have been read: while loading they hold what
/// stood in the value before.
fn check_conditions(
    fields: &[Field],
    mentions: impl Fn(TokenStream, &Field) -> bool,
    errors: &mut Errors,
) {
    for (index, field) in fields.iter().enumerate() {
        let Some((condition, attribute)) = &field.attributes.when else { continue };
        for later in &fields[index..] {
            if mentions(condition.to_token_stream(), later) {
                let message = format!(
                    "`when` names {}, which has not been read when {} is: only fields that stand before \
                     it have been",
                    later.describe(),
                    field.describe()
                );
                errors.at(attribute, message);
            }
        }
    }
}

/// Whether the tokens have `self.field` somewhere inside, but not a call of a function of that name.
fn mentions_of_self(tokens: TokenStream, field: &Field) -> bool {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let inside = tokens.iter().any(|token| match token {
        TokenTree::Group(group) => mentions_of_self(group.stream(), field),
        _ => false,
    });
    inside
        || tokens.iter().enumerate().any(|(at, token)| {
            let is_own = matches!(token, TokenTree::Ident(ident) if ident == "self");
            let member = tokens.get(at + 2).map(ToString::to_string);
            is_own
                && matches!(tokens.get(at + 1), Some(TokenTree::Punct(dot)) if dot.as_char() == '.')
                && member.is_some_and(|member| is_member(&member, &field.member))
                && !is_call(tokens.get(at + 3))
        })
}

/// Whether the tokens use `self` otherwise than for one of its fields.
pub fn asks_whole_value(tokens: TokenStream) -> bool {
    let tokens: Vec<_> = tokens.into_iter().collect();
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Group(group) => asks_whole_value(group.stream()),
        TokenTree::Ident(ident) if ident == "self" => {
            let is_field = matches!(tokens.get(at + 1), Some(TokenTree::Punct(dot)) if dot.as_char() == '.')
                && !is_call(tokens.get(at + 3));
            !is_field
        }
        _ => false,
    })
}

/// Whether `text`, which stands behind a dot, begins with this field: `1.0` is the field 0 of the field 1.
fn is_member(text: &str, member: &Member) -> bool {
    match member {
        Member::Named(ident) => *ident == text,
        Member::Unnamed(index) => text.split('.').next() == Some(&index.index.to_string()),
    }
}

fn is_call(next: Option<&TokenTree>) -> bool {
    use proc_macro2::Delimiter::Parenthesis;
    matches!(next, Some(TokenTree::Group(group)) if group.delimiter() == Parenthesis)
}

/// Whether the tokens name the variable that the field of a variant is bound to.
fn mentions_of_variant(tokens: TokenStream, field: &Field) -> bool {
    let binding = field.binding();
    if binding == "ar" {
        return false;
    }
    let tokens: Vec<_> = tokens.into_iter().collect();
    let punct = |at: Option<usize>, chars: &[char]| {
        let token = at.and_then(|at| tokens.get(at));
        matches!(token, Some(TokenTree::Punct(punct)) if chars.contains(&punct.as_char()))
    };
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Group(group) => mentions_of_variant(group.stream(), field),
        // Not `x.field`, a part of a path, a macro or a function of that name.
        TokenTree::Ident(ident) if *ident == binding => {
            let before = at.checked_sub(1);
            let is_range = punct(at.checked_sub(2), &['.']);
            let is_member = punct(before, &['.']) && !is_range;
            let begins_a_path = punct(Some(at + 1), &[':']) && punct(Some(at + 2), &[':']);
            let is_other = is_member || begins_a_path || punct(before, &[':']);
            !(is_other || is_call(tokens.get(at + 1)))
        }
        _ => false,
    })
}

fn check_bounds(bounds: &[Bound], errors: &mut Errors) {
    for (index, bound) in bounds.iter().enumerate() {
        check_value(bound, errors);
        let same = |it: &Bound| it.edge == bound.edge && it.axis == bound.axis;
        if bounds[..index].iter().any(same) {
            let (name, axis) = (bound.edge.name(), bound.axis.describe());
            errors.at(&bound.attribute, format!("duplicate `{name}` for {axis}; one is allowed"));
        }
    }
}

fn check_value(bound: &Bound, errors: &mut Errors) {
    let name = bound.edge.name();
    let Some(literal) = literal(&bound.value) else { return };
    let Lit::Int(digits) = literal else {
        let message =
            format!("the version of `{name}` is a whole number or the path to a constant");
        return errors.at(&bound.attribute, message);
    };
    if !digits.suffix().is_empty() {
        let message = format!("the version of `{name}` is written without `{}`", digits.suffix());
        return errors.at(&bound.attribute, message);
    }
    let (lowest, highest) = match bound.axis {
        // An archive that does not list the GUID answers -1, so 0 tells "listed" from "not listed".
        Axis::Custom(_) => (0, i64::from(i32::MAX)),
        _ => (1, i64::from(u32::MAX)),
    };
    let message = match number(&bound.value) {
        Some(value) if (lowest..=highest).contains(&value) => return,
        Some(value) if value < lowest && bound.edge == Edge::Since => {
            "this `since` holds for every version: leave it out".to_owned()
        }
        Some(value) if value < lowest => {
            "this `until` is an empty range: no version is below it".to_owned()
        }
        _ => format!("no version is above {highest}"),
    };
    errors.at(&bound.attribute, message);
}

fn check_range(range: &Range<'_>, errors: &mut Errors) {
    let (Some(since), Some(until)) = (number(&range.since.value), number(&range.until.value))
    else {
        return;
    };
    if until <= since {
        errors.at(&range.until.attribute, range_message(range));
    }
}

/// What is wrong with a range whose end is not above its start.
pub fn range_message(range: &Range<'_>) -> String {
    let (owner, axis) = (&range.owner, range.until.axis.describe());
    format!("{owner} is in no version: on {axis}, `until` must be above `since`")
}

/// The literal in an expression that is one, negative or not.
fn literal(expression: &Expr) -> Option<&Lit> {
    match expression {
        Expr::Lit(ExprLit { lit, .. }) => Some(lit),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => literal(expr),
        _ => None,
    }
}

/// The value of an expression that is a whole number; of a constant only the compiler knows it.
pub fn number(expression: &Expr) -> Option<i64> {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Int(digits), .. }) => digits.base10_parse().ok(),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => {
            number(expr).and_then(i64::checked_neg)
        }
        _ => None,
    }
}
