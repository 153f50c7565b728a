//! Judges a model: everything that would be wrong whatever code it is turned into.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, ExprLit, ExprUnary, Lit, UnOp};

use crate::attr::{Attributes, Axis, Bound, Edge, Errors, is_text};
use crate::check_type::{check_bits, check_others, check_type};
use crate::model::{Body, Field, Model, REPRS, Range};
use crate::names::{lone, mentions, of_self, of_variant};

/// Adds everything that is wrong with `model` to `errors`.
pub fn check(model: &Model, errors: &mut Errors) {
    for attribute in &model.misplaced {
        let message = "`since`, `until` and `archive` are allowed before fields, `since` and `until` \
                       also before variants; before a whole type only one `archive` is, of `magic = BYTES`, \
                       `crate = PATH`, `after_load = PATH`, `before_save = PATH`, `bits = INTEGER` and `tagged`";
        errors.at(attribute, message);
    }
    if let Some(magic) = model.of_type.magic.as_ref().filter(|it| is_text(it)) {
        errors.at(magic, "`magic` needs bytes, not a text: `magic = b\"LEVL\"`");
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
    check_type(model, errors);
    check_others(model, errors);
    for variant in model.variants() {
        let keys = variant.attributes.keys();
        for (_, attribute) in
            keys.iter().filter(|(key, _)| !matches!(*key, "other" | "rename")).take(1)
        {
            let message = "this `archive` stands before a field; a variant takes `since`, `until`, \
                           `archive(other)` and `archive(rename = \"NAME\")` only";
            errors.at(attribute, message);
        }
        check_bounds(&variant.attributes.bounds, errors);
    }
    for field in model.fields() {
        check_bounds(&field.attributes.bounds, errors);
        for was in &field.attributes.was {
            check_value(&was.until, errors);
        }
        check_skip(&field.attributes, errors);
        check_storage(&field.attributes, errors);
    }
    check_bits(model, errors);
    if let Body::Struct(fields) = &model.body {
        check_order(fields, of_self, errors);
    }
    for variant in model.variants() {
        check_order(&variant.fields, of_variant, errors);
    }
    for range in model.ranges() {
        check_range(&range, errors);
    }
}

fn check_skip(attributes: &Attributes, errors: &mut Errors) {
    let Some(skip) = &attributes.skip else { return };
    let others = attributes.keys().into_iter().map(|(key, _)| key).filter(|key| *key != "skip");
    let bound = attributes.bounds.first().map(|bound| bound.edge.name());
    for other in others.chain(bound) {
        let message =
            format!("`skip` stands alone: a field that is never stored can't have `{other}`");
        errors.at(skip, message);
    }
}

/// One key says how a field is stored.
fn check_storage(attributes: &Attributes, errors: &mut Errors) {
    let keys = attributes.keys();
    let says =
        |(key, _): &&(&str, _)| matches!(*key, "with" | "count" | "tag" | "flatten" | "bits");
    let mut storing = keys.iter().filter(says);
    if let (Some((first, attribute)), Some((second, _))) = (storing.next(), storing.next()) {
        let message =
            format!("`{first}` and `{second}` both say how the field is stored; one is allowed");
        errors.at(attribute, message);
    }
    if let (Some((_, attribute)), false) = (&attributes.default, attributes.is_gated()) {
        let message = "`default` is what versions without the field make of it: it needs `since`, `until` or `when`";
        errors.at(attribute, message);
    }
    if let Some(attribute) = &attributes.other {
        errors.at(
            attribute,
            "`other` stands before a variant: it keeps tags that no other variant has",
        );
    }
}

/// Expressions are asked before their own field and those behind it have been read: while loading these hold what
/// stood in the value before.
fn check_order(
    fields: &[Field],
    of_condition: impl Fn(TokenStream, &Field) -> bool,
    errors: &mut Errors,
) {
    for (index, field) in fields.iter().enumerate() {
        let attributes = &field.attributes;
        let (before, later) = fields.split_at(index);
        if let Some((condition, attribute)) = &attributes.when {
            let tokens = condition.to_token_stream();
            let named = later.iter().filter(|it| of_condition(tokens.clone(), it));
            named.for_each(|it| errors.at(attribute, too_late("when", it, field)));
        }
        if let Some((_, attribute)) = &attributes.with {
            let tokens: TokenStream =
                attributes.arguments.iter().map(Expr::to_token_stream).collect();
            let named = later.iter().filter(|it| of_condition(tokens.clone(), it));
            named.for_each(|it| errors.at(attribute, too_late("with", it, field)));
        }
        for (key, said) in [("count", &attributes.count), ("tag", &attributes.tag)] {
            let Some((expression, attribute)) = said else { continue };
            let tokens = expression.to_token_stream();
            // A lone number is the field of a tuple, if there is one.
            let is_named = |it: &&Field| {
                mentions(tokens.clone(), it)
                    || lone(expression, std::slice::from_ref(*it)).is_some()
            };
            let mut named = later.iter().filter(is_named).peekable();
            if named.peek().is_none() && lone(expression, before).is_none() {
                check_name(key, expression, before, attribute, errors);
            }
            named.for_each(|it| errors.at(attribute, too_late(key, it, field)));
        }
    }
}

fn too_late(key: &str, named: &Field, field: &Field) -> String {
    format!(
        "`{key}` names {}, which has not been read when {} is: only fields that stand before it have been",
        named.describe(),
        field.describe()
    )
}

/// A name alone is that of a field, or a constant.
fn check_name(
    key: &str,
    expression: &Expr,
    before: &[Field],
    attribute: &syn::Attribute,
    errors: &mut Errors,
) {
    let Expr::Path(path) = expression else { return };
    let Some(name) = path.path.get_ident().map(ToString::to_string) else { return };
    if name.starts_with(char::is_uppercase) {
        return;
    }
    let others: Vec<_> = before.iter().map(|it| format!("`{}`", it.name())).collect();
    let message = match others.is_empty() {
        true => {
            format!("`{key}` names `{name}`, but there is no such field, nor any before this one")
        }
        false => format!(
            "`{key}` names `{name}`, but there is no such field: before this one are {}",
            others.join(", ")
        ),
    };
    errors.at(attribute, message);
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
