//! Prints the code of fields: where they are there, how they are stored, what becomes of those that are not.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprRange, Ident};

use crate::check_type::BITS;
use crate::expand::{checked, condition, contents_nest, in_step, local, operand, span_of};
use crate::model::Field;
use crate::names::{asks_whole_value, lone, mentions, replaced};

/// The fields of a struct or variant, and where their values are.
pub struct Places<'a> {
    pub fields: &'a [Field],
    /// The place of a field alone.
    pub place: fn(&Field) -> TokenStream,
}

impl Places<'_> {
    /// An expression of fields above as a number, or the field that it is.
    fn number(&self, expression: &Expr) -> TokenStream {
        if let Some(field) = lone(expression, self.fields) {
            return (self.place)(field);
        }
        // In numbers that don't overflow, whatever a file says.
        let wide = |field: &Field| {
            let place = (self.place)(field);
            quote!(__farchive::archive::private::wide(#place))
        };
        replaced(expression.to_token_stream(), self.fields, &wide)
    }

    /// Whether saving works out a field that the expression names, so that the one in memory says nothing.
    fn is_computed(&self, expression: &Expr) -> bool {
        self.fields.iter().filter(|it| it.attributes.computed.is_some()).any(|field| {
            mentions(expression.to_token_stream(), field)
                || lone(expression, self.fields).is_some_and(|it| it.member == field.member)
        })
    }
}

/// Serialises the fields of a struct.
pub fn serialize_struct(fields: &[Field]) -> Vec<TokenStream> {
    let place = |field: &Field| {
        let member = &field.member;
        quote!(self.#member)
    };
    let places = Places { fields, place };
    let serialized = fields.iter().map(|field| {
        let (member, span) = (&field.member, span_of(field));
        serialize_field(field, &quote_spanned!(span=> self.#member), &places)
    });
    serialized.chain(fields.iter().filter_map(ask_again)).collect()
}

/// Serialises the field at `place`, or sees to its absence.
pub fn serialize_field(field: &Field, place: &TokenStream, places: &Places<'_>) -> TokenStream {
    let attributes = &field.attributes;
    if attributes.skip.is_some() {
        return quote! {
            if __farchive::ArchiveExt::is_loading(ar) {
                #place = ::core::default::Default::default();
            }
        };
    }
    let span = span_of(field);
    let name = field.name();
    let present = match &attributes.computed {
        Some((expression, _)) => computed(field, place, expression, places),
        None => stored(field, place, places),
    };
    let present = earlier(field, place, present);
    let when = attributes.when.as_ref().map(|(condition, _)| condition);
    let Some(condition) = condition(&attributes.bounds, when) else { return present };
    let absent = match &attributes.default {
        Some((default, _)) => quote_spanned! {span=>
            __farchive::archive::private::absent_as(&mut #place, || #default, ar, #name)
        },
        None => quote_spanned!(span=> __farchive::archive::private::absent(&mut #place, ar, #name)),
    };
    let absent = checked(&absent, None);
    match decision(field) {
        Some(decision) => quote! {
            let #decision: bool = #condition;
            if #decision {
                #present
            } else #absent
        },
        None => quote! {
            if #condition {
                #present
            } else #absent
        },
    }
}

/// Serialises what stands at `place` in the form of the field.
fn stored(field: &Field, place: &TokenStream, places: &Places<'_>) -> TokenStream {
    let (attributes, span) = (&field.attributes, span_of(field));
    let call = if let Some((path, _)) = &attributes.with {
        let (nests, arguments) = (contents_nest(&field.ty), &attributes.arguments);
        quote_spanned! {span=>
            __farchive::archive::private::within(#nests, ar, |ar| #path(&mut #place, #(#arguments,)* ar))
        }
    } else if let Some((count, _)) = &attributes.count {
        if matches!(count, Expr::Range(ExprRange { start: None, end: None, .. })) {
            quote_spanned!(span=> __farchive::primitive::array::to_the_end(&mut #place, ar))
        } else {
            let function = match places.is_computed(count) {
                true => quote!(counted_when_loading),
                false => quote!(counted_elsewhere),
            };
            let count = places.number(count);
            quote_spanned! {span=>
                __farchive::primitive::array::#function(&mut #place, #count, ar)
            }
        }
    } else if let Some((tag, _)) = &attributes.tag {
        let (is_computed, tag) = (places.is_computed(tag), places.number(tag));
        quote_spanned! {span=>
            __farchive::archive::private::tagged(&mut #place, #tag, #is_computed, ar)
        }
    } else {
        quote_spanned!(span=> __farchive::Archived::serialize(&mut #place, ar))
    };
    let call = match &attributes.role {
        // What it is for stands before the value: a value of many parts has it in each.
        Some((role, _)) => quote_spanned! {span=> {
            __farchive::ArchiveExt::role(ar, __farchive::archive::Role::#role);
            #call
        }},
        None => call,
    };
    match attributes.flatten {
        Some(_) => checked(&call, None),
        None => in_step(&field.name(), &call),
    }
}

/// What saving works out in place of the field; loading keeps what was stored.
fn computed(
    field: &Field,
    place: &TokenStream,
    expression: &Expr,
    places: &Places<'_>,
) -> TokenStream {
    let (span, ty, name) = (span_of(field), &field.ty, field.name());
    let (computed, error) = (local("computed"), local("error"));
    let stored = stored(field, &quote_spanned!(span=> #computed), places);
    quote_spanned! {span=>
        let mut #computed: #ty = if __farchive::ArchiveExt::is_loading(ar) {
            ::core::default::Default::default()
        } else {
            match __farchive::archive::private::computed(#expression, ar) {
                ::core::result::Result::Ok(#computed) => #computed,
                ::core::result::Result::Err(#error) => {
                    return ::core::result::Result::Err(#error.in_field(#name));
                }
            }
        };
        #stored
        if __farchive::ArchiveExt::is_loading(ar) {
            #place = #computed;
        }
    }
}

/// The field in the versions in which its type was another one. Visitors go through the value as it is.
fn earlier(field: &Field, place: &TokenStream, present: TokenStream) -> TokenStream {
    if field.attributes.was.is_empty() {
        return present;
    }
    let (span, name) = (span_of(field), field.name());
    let mut code = quote!({ #present });
    for was in field.attributes.was.iter().rev() {
        let (value, from, to) = (operand(&was.until.value), &was.from, &was.to);
        let call = quote_spanned! {span=>
            __farchive::archive::private::was(&mut #place, #from, #to, ar)
        };
        let call = in_step(&name, &call);
        code = quote! {
            if !__farchive::archive::private::is_visiting(ar)
                && __farchive::Archive::versions(ar).number() < #value
            {
                #call
            } else #code
        };
    }
    code
}

/// Serialises fields that are bits of one number, the first in the lowest ones.
pub fn serialize_bits(fields: &[Field], integer: &Ident) -> Vec<TokenStream> {
    let stored: Vec<_> = fields.iter().filter(|it| it.attributes.skip.is_none()).collect();
    let members: Vec<_> = stored.iter().map(|it| &it.member).collect();
    let names: Vec<_> = stored.iter().map(|it| it.name()).collect();
    let types: Vec<_> = stored.iter().map(|it| &it.ty).collect();
    let zero = syn::parse_quote!(0);
    let widths: Vec<&Expr> = stored
        .iter()
        .map(|it| it.attributes.bits.as_ref().map_or(&zero, |(width, _)| width))
        .collect();
    let bits = BITS.iter().find(|(name, _)| integer == name).map_or(0, |(_, bits)| *bits) as u32;
    let (packed, number) = (local("bits"), local("number"));
    let function = quote::format_ident!("serialize_{integer}");
    let put = quote!(#(
        if let ::core::result::Result::Err(error) = #packed.put(&self.#members, #widths, ar) {
            return ::core::result::Result::Err(error.in_field(#names));
        }
    )*);
    let readable: TokenStream = stored
        .iter()
        .map(|field| {
            let (member, span) = (&field.member, span_of(field));
            in_step(
                &field.name(),
                &quote_spanned!(span=> __farchive::Archived::serialize(&mut self.#member, ar)),
            )
        })
        .collect();
    let serialize = checked(&quote!(ar.#function(&mut #number)), None);
    let rest = checked(&quote!(#packed.rest(ar)), None);
    let skipped = fields.iter().filter(|it| it.attributes.skip.is_some()).map(|field| {
        let place = &field.member;
        let places = Places { fields: &[], place: |_| TokenStream::new() };
        serialize_field(field, &quote!(self.#place), &places)
    });
    let code = quote! {
        const _: () = ::core::assert!(
            0 #(+ #widths)* <= #bits,
            "the fields have more bits than the number that they are stored in",
        );
        let mut #packed = __farchive::archive::PackedBits::default();
        if __farchive::ArchiveExt::leaves_out_derived(ar) {
            #readable
            #put
        } else {
            if !__farchive::ArchiveExt::is_loading(ar) {
                #put
            }
            let mut #number = #packed.number() as #integer;
            #serialize
            if __farchive::ArchiveExt::is_loading(ar) {
                #packed = __farchive::archive::PackedBits::of(::core::convert::From::from(#number), #bits);
                #(match #packed.take::<#types, _>(#widths, ar) {
                    ::core::result::Result::Ok(value) => self.#members = value,
                    ::core::result::Result::Err(error) => {
                        return ::core::result::Result::Err(error.in_field(#names));
                    }
                })*
                #rest
            }
        }
        #(#skipped)*
    };
    vec![code]
}

/// The variable that keeps what a condition said that asks the value as a whole.
fn decision(field: &Field) -> Option<Ident> {
    let (condition, _) = field.attributes.when.as_ref()?;
    asks_whole_value(condition.to_token_stream())
        .then(|| local(&format!("stored_{}", field.name())))
}

/// Nobody can see which fields a function of the value looks at: what its condition said before the later fields
/// were loaded must hold behind them too.
pub fn ask_again(field: &Field) -> Option<TokenStream> {
    let decision = decision(field)?;
    let when = field.attributes.when.as_ref().map(|(condition, _)| condition);
    let condition = condition(&field.attributes.bounds, when)?;
    let name = field.name();
    Some(quote! {
        if __farchive::ArchiveExt::is_loading(ar) && #decision != (#condition) {
            return ::core::result::Result::Err(
                __farchive::archive::private::depends_on_later(ar, #name),
            );
        }
    })
}
