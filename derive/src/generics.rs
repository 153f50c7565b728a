//! Finds the bounds that the generated code needs of a type's parameters.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{GenericParam, Generics, Ident, parse_quote};

use crate::model::{Field, Model};

/// The type's own bounds, and those that the generated code needs of its parameters.
pub fn bounded_generics(model: &Model) -> Generics {
    let mut generics = model.generics.clone();
    let is_stored = |field: &&Field| field.attributes.skip.is_none();
    let where_clause = generics.make_where_clause();
    for parameter in model.generics.type_params() {
        let ident = &parameter.ident;
        if model.fields().filter(is_stored).any(|field| mentions(&field.ty, ident)) {
            where_clause.predicates.push(parse_quote!(#ident: __farchive::Archived));
        }
    }
    let in_variant = !model.variants().is_empty();
    let mut bounded = Vec::new();
    for Field { ty, attributes, .. } in model.fields() {
        let depends = model.generics.params.iter().any(|parameter| match parameter {
            GenericParam::Type(parameter) => mentions(ty, &parameter.ident),
            GenericParam::Const(parameter) => mentions(ty, &parameter.ident),
            GenericParam::Lifetime(_) => false,
        });
        let default = quote!(::core::default::Default);
        let predicate = if !depends {
            continue;
        } else if attributes.is_gated() {
            quote!(#ty: #default + ::core::cmp::PartialEq)
        } else if attributes.skip.is_some() || in_variant {
            quote!(#ty: #default)
        } else {
            continue;
        };
        if !bounded.contains(&predicate.to_string()) {
            bounded.push(predicate.to_string());
            where_clause.predicates.push(parse_quote!(#predicate));
        }
    }
    generics
}

/// Whether a type is written with this parameter somewhere inside.
fn mentions(tokens: &impl ToTokens, parameter: &Ident) -> bool {
    fn search(tokens: TokenStream, parameter: &Ident) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Group(group) => search(group.stream(), parameter),
            TokenTree::Ident(ident) => ident == *parameter,
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        })
    }
    search(tokens.to_token_stream(), parameter)
}
