//! Prints the code of a model that has been found right.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, Expr, GenericArgument, Generics, Ident, Path, PathArguments, Type};

use crate::attr::{Axis, Bound, Edge, Errors};
use crate::check::{check, number, range_message};
use crate::expand_enum::{serialize_enum, serialize_tagged};
use crate::expand_field::{serialize_bits, serialize_struct};
use crate::generics::bounded_generics;
use crate::layout::{constant_of, layout, measure_of};
use crate::model::{Body, Field, Model};

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
    let (generics, thresholds) = (bounded_generics(model), thresholds(model));
    let (body, extra) = serialized(model, &generics);
    let body = model.of_type.magic.iter().map(magic).chain([body]).collect();
    let (body, fields) = prepared(model, &generics, body);
    let mut implementation = implementation(model, &generics, &thresholds, &layout(model), &body);
    implementation.extend([extra, fields]);
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

/// The code that serialises the value, and what is implemented beside it.
fn serialized(model: &Model, generics: &Generics) -> (TokenStream, TokenStream) {
    let after = model.of_type.after_load.iter().map(after_load);
    match &model.body {
        Body::Struct(fields) => match &model.of_type.bits {
            Some(bits) => (
                serialize_bits(fields, bits).into_iter().chain(after).collect(),
                TokenStream::new(),
            ),
            None => {
                (serialize_struct(fields).into_iter().chain(after).collect(), TokenStream::new())
            }
        },
        Body::Enum { repr: Some(repr), variants } if model.of_type.tagged => {
            serialize_tagged(model, generics, repr, variants, &after.collect())
        }
        Body::Enum { repr: Some(repr), variants } => {
            let body = [serialize_enum(model, repr, variants)];
            (body.into_iter().chain(after).collect(), TokenStream::new())
        }
        Body::Enum { repr: None, .. } | Body::Union => Default::default(),
    }
}

/// Calls what the type wants done when a value was loaded.
fn after_load(path: &Path) -> TokenStream {
    let checked = checked(&quote!(#path(self, ar)), None);
    quote! {
        if __farchive::ArchiveExt::is_loading(ar) {
            #checked
        }
    }
}

/// The code around `body` where a copy is prepared for saving: saving leaves the value as it is.
fn prepared(model: &Model, generics: &Generics, body: TokenStream) -> (TokenStream, TokenStream) {
    let Some(path) = &model.of_type.before_save else { return (body, TokenStream::new()) };
    let ident = &model.ident;
    let (parameters, arguments, where_clause) = generics.split_for_impl();
    let prepared = local("prepared");
    let checked = checked(&quote!(#path(&mut #prepared, ar)), None);
    let fields = quote! {
        #[automatically_derived]
        impl #parameters __farchive::archive::private::PreparedFields for #ident #arguments #where_clause {
            #[inline]
            fn serialize_fields<__A: __farchive::Archive + ?::core::marker::Sized>(
                &mut self,
                ar: &mut __A,
            ) -> ::core::result::Result<(), __farchive::Error> {
                #body
                ::core::result::Result::Ok(())
            }
        }
    };
    let serialize = quote! {
        if __farchive::ArchiveExt::is_saving(ar) {
            let mut #prepared = ::core::clone::Clone::clone(&*self);
            #checked
            return __farchive::archive::private::PreparedFields::serialize_fields(&mut #prepared, ar);
        }
        __farchive::archive::private::PreparedFields::serialize_fields(self, ar)
    };
    (serialize, fields)
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
    // What ends with the function that stores a prepared copy has returned.
    let done = model.of_type.before_save.is_none().then(|| quote!(::core::result::Result::Ok(())));
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
                #done
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
pub fn contents_nest(ty: &Type) -> TokenStream {
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
pub fn condition(bounds: &[Bound], when: Option<&Expr>) -> Option<TokenStream> {
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

/// Runs `call` inside the step `name`, so that errors and annotations know its path.
pub fn in_step(name: &str, call: &TokenStream) -> TokenStream {
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
pub fn checked(result: &TokenStream, field: Option<&str>) -> TokenStream {
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

/// Where the compiler's own errors about a field point: at its type, not at the derive.
pub fn span_of(field: &Field) -> Span {
    Span::call_site().located_at(field.ty.span())
}

/// A variable that conditions and fields of the same name can't see.
pub fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}
