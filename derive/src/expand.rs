//! Prints the code of a model that has been found right.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{DeriveInput, Expr, GenericArgument, Generics, Ident, PathArguments, Type};

use crate::attr::{Axis, Bound, Edge, Errors};
use crate::check::{asks_whole_value, check, number, range_message};
use crate::generics::bounded_generics;
use crate::layout::{constant_of, layout, measure_of};
use crate::model::{Body, Field, Model, Variant};

/// The whole way from a type to its code; on errors, these and an empty `impl`.
pub fn derive(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let model = Model::read(input, &mut errors);
    check(&model, &mut errors);
    match errors.finish() {
        Ok(()) => expand(&model),
        Err(error) => {
            // Without an implementation every use of the type would be an error of its own.
            let nothing = TokenStream::new();
            let stub = implementation(&model, &model.generics, &[], &nothing, &nothing);
            let (errors, stub) = (error.into_compile_error(), in_scope(&model, &stub));
            quote!(#errors #stub)
        }
    }
}

fn expand(model: &Model) -> TokenStream {
    let body = match &model.body {
        Body::Struct(fields) => {
            let serialized = fields.iter().map(|field| {
                let (member, span) = (&field.member, span_of(field));
                let count = field.attributes.count.as_ref().map(|(count, _)| quote!(self.#count));
                serialize_field(field, &quote_spanned!(span=> self.#member), count)
            });
            serialized.chain(fields.iter().filter_map(ask_again)).collect()
        }
        Body::Enum { repr: Some(repr), variants } => serialize_enum(model, repr, variants),
        Body::Enum { repr: None, .. } | Body::Union => TokenStream::new(),
    };
    let body = model.magic.iter().map(magic).chain([body]).collect();
    let (generics, thresholds) = (bounded_generics(model), thresholds(model));
    let implementation = implementation(model, &generics, &thresholds, &layout(model), &body);
    let assertions = model.ranges().into_iter().filter_map(|range| {
        // Two numbers have been compared already.
        number(&range.since.value).zip(number(&range.until.value)).is_none().then(|| {
            let (since, until) = (&range.since.value, &range.until.value);
            let message = range_message(&range);
            let span = Span::call_site().located_at(range.until.attribute.path().span());
            quote_spanned!(span=> const _: () = ::core::assert!((#since) < (#until), #message);)
        })
    });
    in_scope(model, &quote!(#(#assertions)* #implementation))
}

/// The code in a scope of its own, where the framework has one name: outside it may be called otherwise, or be
/// reached through the crate that exports it.
pub fn in_scope(model: &Model, code: &TokenStream) -> TokenStream {
    let framework = &model.framework;
    quote! {
        const _: () = {
            use #framework as __farchive;
            #code
        };
    }
}

fn implementation(
    model: &Model,
    generics: &Generics,
    thresholds: &[TokenStream],
    layout: &TokenStream,
    body: &TokenStream,
) -> TokenStream {
    let ident = &model.ident;
    let (parameters, arguments, where_clause) = generics.split_for_impl();
    let unused = body.is_empty().then(|| quote!(let _ = ar;));
    let nests = nests(model);
    quote! {
        #[automatically_derived]
        impl #parameters __farchive::Archived for #ident #arguments #where_clause {
            const THRESHOLDS: &'static [__farchive::archive::Threshold] = &[#(#thresholds),*];

            #layout

            const NESTS: bool = #nests;

            #[inline]
            fn serialize<__A: __farchive::Archive + ?::core::marker::Sized>(
                &mut self,
                ar: &mut __A,
            ) -> ::core::result::Result<(), __farchive::Error> {
                #unused
                #body
                ::core::result::Result::Ok(())
            }
        }
    }
}

/// Whether a value may hold values of its own type: whether a stored field may.
fn nests(model: &Model) -> TokenStream {
    let mut written = Vec::new();
    let mut terms = Vec::new();
    for field in model.fields().filter(|field| field.attributes.skip.is_none()) {
        let term = field_nests(&field.ty);
        if !written.contains(&term.to_string()) {
            written.push(term.to_string());
            terms.push(term);
        }
    }
    if terms.is_empty() {
        return quote!(false);
    }
    quote! {{
        #[allow(unused_imports)]
        use __farchive::archive::layout::Unlinked as _;
        #(#terms)||*
    }}
}

/// Whether a value of this type may hold others of its own; of one that is not `Archived` it is assumed.
fn field_nests(ty: &Type) -> TokenStream {
    quote!(<__farchive::archive::layout::Probe<#ty>>::NESTS)
}

/// Whether what stands in a field of this type may hold values of the type around it: of a list or box what it
/// is of, of any other type the type itself.
fn contents_nest(ty: &Type) -> TokenStream {
    let arguments = match ty {
        Type::Path(path) => path.path.segments.last().map(|segment| &segment.arguments),
        _ => None,
    };
    let mut inner = Vec::new();
    if let Some(PathArguments::AngleBracketed(arguments)) = arguments {
        for argument in &arguments.args {
            if let GenericArgument::Type(ty) = argument {
                inner.push(field_nests(ty));
            }
        }
    }
    if inner.is_empty() {
        inner.push(field_nests(ty));
    }
    quote! {{
        #[allow(unused_imports)]
        use __farchive::archive::layout::Unlinked as _;
        const { #(#inner)||* }
    }}
}

/// Each bound of the type, once.
fn thresholds(model: &Model) -> Vec<TokenStream> {
    let mut written = Vec::new();
    let mut thresholds = Vec::new();
    for Bound { axis, value, .. } in model.bounds() {
        let measure = measure_of(axis);
        let value = operand(value);
        let threshold = quote! {
            __farchive::archive::Threshold {
                measure: __farchive::version::Measure::#measure,
                value: #value as i64,
            }
        };
        if !written.contains(&threshold.to_string()) {
            written.push(threshold.to_string());
            thresholds.push(threshold);
        }
    }
    thresholds
}

/// When something is there, or `None` when it always is.
fn condition(bounds: &[Bound], when: Option<&Expr>) -> Option<TokenStream> {
    let bounds = bounds.iter().map(|Bound { edge, axis, value, .. }| {
        let version = match axis {
            Axis::First => quote!(number()),
            Axis::Named(name) => {
                let axis = constant_of(name);
                quote!(get(#axis))
            }
            Axis::Custom(guid) => {
                let guid = operand(guid);
                quote!(custom(&#guid))
            }
        };
        let value = operand(value);
        match edge {
            Edge::Since => quote!(__farchive::Archive::versions(ar).#version >= #value),
            Edge::Until => quote!(__farchive::Archive::versions(ar).#version < #value),
        }
    });
    let terms: Vec<_> = bounds.chain(when.map(operand)).collect();
    (!terms.is_empty()).then(|| quote!(#(#terms)&&*))
}

/// An expression that can stand beside any operator.
pub fn operand(expression: &Expr) -> TokenStream {
    match expression {
        Expr::Lit(_) | Expr::Path(_) | Expr::Paren(_) => quote!(#expression),
        _ => quote!((#expression)),
    }
}

/// The bytes that stand before the value in every file.
fn magic(bytes: &Expr) -> TokenStream {
    let checked = checked(&quote!(__farchive::archive::private::magic(#bytes, ar)), None);
    quote!(#checked)
}

/// Serialises the field at `place`, or sees to its absence; `count` is the field that counts its elements.
fn serialize_field(field: &Field, place: &TokenStream, count: Option<TokenStream>) -> TokenStream {
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
    let call = match (&attributes.with, count) {
        (Some((path, _)), _) => {
            let nests = contents_nest(&field.ty);
            quote_spanned! {span=>
                __farchive::archive::private::within(#nests, ar, |ar| #path(&mut #place, ar))
            }
        }
        (None, Some(count)) => quote_spanned! {span=>
            __farchive::primitive::array::counted_elsewhere(&mut #place, #count, ar)
        },
        (None, None) => quote_spanned!(span=> __farchive::Archived::serialize(&mut #place, ar)),
    };
    let present = in_step(&name, &call);
    let when = attributes.when.as_ref().map(|(condition, _)| condition);
    let Some(condition) = condition(&attributes.bounds, when) else { return present };
    let absent =
        quote_spanned!(span=> __farchive::archive::private::absent(&mut #place, ar, #name));
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

/// The variable that keeps what a condition said that asks the value as a whole.
fn decision(field: &Field) -> Option<Ident> {
    let (condition, _) = field.attributes.when.as_ref()?;
    asks_whole_value(condition.to_token_stream())
        .then(|| local(&format!("stored_{}", field.name())))
}

/// Nobody can see which fields a function of the value looks at: what its condition said before the later fields
/// were loaded must hold behind them too.
fn ask_again(field: &Field) -> Option<TokenStream> {
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

/// Runs `call` inside the step `name`, so that errors and annotations know its path.
fn in_step(name: &str, call: &TokenStream) -> TokenStream {
    let result = local("result");
    let checked = checked(&quote!(#result), Some(name));
    quote! {
        ar.step(__farchive::archive::Step::Field(#name));
        let #result: ::core::result::Result<(), __farchive::Error> = #call;
        ar.step(__farchive::archive::Step::Leave);
        #checked
    }
}

/// Hands on the error of `result`; `?` would call whatever `From` the caller has made of it.
fn checked(result: &TokenStream, field: Option<&str>) -> TokenStream {
    let error = local("error");
    let outer = match field {
        Some(name) => quote!(#error.in_field(#name)),
        None => quote!(#error),
    };
    quote! {
        if let ::core::result::Result::Err(#error) = #result {
            return ::core::result::Result::Err(#outer);
        }
    }
}

fn serialize_enum(model: &Model, repr: &Ident, variants: &[Variant]) -> TokenStream {
    let discriminant = local("discriminant");
    let (declared, constants) = discriminants(repr, variants);
    let idents: Vec<_> = variants.iter().map(|it| &it.ident).collect();
    let unsavable = unsavable(variants);
    let function = format_ident!("serialize_{repr}");
    let transfer = in_step("discriminant", &quote!(ar.#function(&mut #discriminant)));
    let defaults =
        variants.iter().map(|it| it.with_fields(|_| quote!(::core::default::Default::default())));
    let guards = variants
        .iter()
        .map(|it| condition(&it.attributes.bounds, None).map(|condition| quote!(if #condition)));
    let type_name = model.ident.to_string();
    let names = variants.iter().map(|it| it.ident.unraw().to_string());
    let fields = serialize_variants(variants);
    quote! {
        #declared
        #unsavable
        let mut #discriminant: #repr = match *self {
            #(Self::#idents { .. } => #constants,)*
        };
        #transfer
        if __farchive::ArchiveExt::is_loading(ar) {
            *self = match #discriminant {
                #(#constants #guards => #defaults,)*
                _ => {
                    return ::core::result::Result::Err(__farchive::archive::private::unknown_variant(
                        ar,
                        #discriminant as i64,
                        #type_name,
                    ));
                }
            };
        }
        // An explained file says which variant the number stands for.
        ar.step(__farchive::archive::Step::Meaning(match *self {
            #(Self::#idents { .. } => #names,)*
        }));
        #fields
    }
}

/// Declares the discriminants of an enum as constants, and their names.
pub fn discriminants(repr: &Ident, variants: &[Variant]) -> (TokenStream, Vec<Ident>) {
    let constants: Vec<_> =
        (0..variants.len()).map(|index| format_ident!("__DISCRIMINANT_{index}")).collect();
    let values = variants.iter().enumerate().map(|(index, variant)| {
        match (&variant.discriminant, index.checked_sub(1).map(|before| &constants[before])) {
            (Some(value), _) => quote!(#value),
            (None, Some(before)) => quote!(#before + 1),
            (None, None) => quote!(0),
        }
    });
    (quote!(#(const #constants: #repr = #values;)*), constants)
}

/// Refuses to save variants that the version lacks.
fn unsavable(variants: &[Variant]) -> Option<TokenStream> {
    let arms: Vec<_> = variants
        .iter()
        .filter_map(|Variant { ident, attributes, .. }| {
            let present = condition(&attributes.bounds, None)?;
            Some(quote! {
                Self::#ident { .. } if !(#present) => {
                    return ::core::result::Result::Err(
                        __farchive::archive::private::variant_not_in_version(ar),
                    );
                }
            })
        })
        .collect();
    (!arms.is_empty()).then(|| {
        quote! {
            if __farchive::ArchiveExt::is_saving(ar) {
                match *self {
                    #(#arms)*
                    _ => {}
                }
            }
        }
    })
}

/// Serialises the fields of whichever variant the value is; nothing if no variant has any.
fn serialize_variants(variants: &[Variant]) -> Option<TokenStream> {
    variants.iter().any(|it| !it.fields.is_empty()).then(|| {
        let arms = variants.iter().map(|variant| {
            let conditional = variant.fields.iter().any(|it| it.attributes.when.is_some());
            let is_bound = |field: &Field| conditional || field.attributes.skip.is_none();
            let pattern = variant.with_fields(|field| match field.binding() {
                binding if is_bound(field) => quote!(#binding),
                _ => quote!(_),
            });
            let fields = variant.fields.iter().map(|field| {
                let (binding, span) = (field.binding(), span_of(field));
                match field.attributes.skip {
                    None => {
                        let count = field.attributes.count.as_ref().and_then(|(count, _)| {
                            let field = variant.fields.iter().find(|it| it.member == *count)?;
                            let binding = field.binding();
                            Some(quote!(*#binding))
                        });
                        serialize_field(field, &quote_spanned!(span=> *#binding), count)
                    }
                    // Already `Default`; bound only because a condition may look at it.
                    Some(_) if conditional => quote!(let _ = &#binding;),
                    Some(_) => TokenStream::new(),
                }
            });
            quote!(#pattern => { #(#fields)* })
        });
        quote! {
            match self {
                #(#arms)*
            }
        }
    })
}

/// Where the compiler's own errors about a field point: at its type, not at the derive.
fn span_of(field: &Field) -> Span {
    Span::call_site().located_at(field.ty.span())
}

/// A variable that conditions and fields of the same name can't see.
fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}
