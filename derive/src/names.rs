//! Fields that expressions name: by `self.field`, or by their bare names.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, Member};

use crate::model::Field;

/// The field that an expression is, and nothing else: `rows`, or `0` in a tuple.
pub fn lone<'a>(expression: &Expr, fields: &'a [Field]) -> Option<&'a Field> {
    let member: Member = syn::parse2(expression.to_token_stream()).ok()?;
    fields.iter().find(|field| field.member == member)
}

/// The expression with `place` for each bare name of a field.
pub fn replaced(
    tokens: TokenStream,
    fields: &[Field],
    place: &impl Fn(&Field) -> TokenStream,
) -> TokenStream {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let mut replaced = TokenStream::new();
    for (at, token) in tokens.iter().enumerate() {
        let field = fields.iter().find(|field| is_bare(&tokens, at, field));
        match (token, field) {
            (_, Some(field)) => replaced.extend(place(field)),
            (TokenTree::Group(group), None) => {
                let inner = self::replaced(group.stream(), fields, place);
                let mut new = proc_macro2::Group::new(group.delimiter(), inner);
                new.set_span(group.span());
                replaced.extend([TokenTree::Group(new)]);
            }
            (token, None) => replaced.extend([token.clone()]),
        }
    }
    replaced
}

/// Whether the tokens name the field, as `self.field` or by its bare name.
pub fn mentions(tokens: TokenStream, field: &Field) -> bool {
    of_self(tokens.clone(), field) || of_variant(tokens, field)
}

/// Whether the tokens have `self.field` somewhere inside, but not a call of a function of that name.
pub fn of_self(tokens: TokenStream, field: &Field) -> bool {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let inside = tokens.iter().any(|token| match token {
        TokenTree::Group(group) => of_self(group.stream(), field),
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

/// Whether the tokens name the variable that the field of a variant is bound to.
pub fn of_variant(tokens: TokenStream, field: &Field) -> bool {
    if field.binding() == "ar" {
        return false;
    }
    let tokens: Vec<_> = tokens.into_iter().collect();
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Group(group) => of_variant(group.stream(), field),
        _ => is_bare(&tokens, at, field),
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

/// Whether the token is the field's name by itself: not `x.field`, a part of a path, a macro or a function.
fn is_bare(tokens: &[TokenTree], at: usize, field: &Field) -> bool {
    let punct = |at: Option<usize>, chars: &[char]| {
        let token = at.and_then(|at| tokens.get(at));
        matches!(token, Some(TokenTree::Punct(punct)) if chars.contains(&punct.as_char()))
    };
    match tokens.get(at) {
        Some(TokenTree::Ident(ident)) if *ident == field.binding() => {
            let before = at.checked_sub(1);
            let is_range = punct(at.checked_sub(2), &['.']);
            let is_member = punct(before, &['.']) && !is_range;
            let begins_a_path = punct(Some(at + 1), &[':']) && punct(Some(at + 2), &[':']);
            let is_other = is_member || begins_a_path || punct(before, &[':']);
            !(is_other || is_call(tokens.get(at + 1)))
        }
        _ => false,
    }
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
