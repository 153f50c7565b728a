//! Prints the code of enums: a discriminant, then the fields of its variant.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{Generics, Ident};

use crate::expand::{checked, condition, in_step, local, span_of};
use crate::expand_field::{Places, serialize_field};
use crate::model::{Field, Model, Variant};

/// The variants that have a discriminant: all but one that keeps unknown tags.
pub fn named(variants: &[Variant]) -> &[Variant] {
    match variants.split_last() {
        Some((last, named)) if last.is_other() => named,
        _ => variants,
    }
}

/// The variant that keeps unknown tags.
fn other(variants: &[Variant]) -> Option<&Variant> {
    variants.last().filter(|it| it.is_other())
}

/// The number that is stored for the variant that the value is.
fn own_discriminant(variants: &[Variant], constants: &[Ident]) -> TokenStream {
    let idents = named(variants).iter().map(|it| &it.ident);
    let (ident, tag) = (other(variants).map(|it| &it.ident), local("tag"));
    let other = other(variants).and_then(|it| it.fields.first()).map(|field| {
        let member = &field.member;
        quote!(Self::#ident { #member: #tag, .. } => #tag,)
    });
    quote! {
        match *self {
            #(Self::#idents { .. } => #constants,)*
            #other
        }
    }
}

/// The variant that a stored number stands for, with fields that are made ready to be loaded.
fn variant_of(
    model: &Model,
    variants: &[Variant],
    constants: &[Ident],
    size: &TokenStream,
) -> TokenStream {
    let discriminant = local("discriminant");
    let default = quote!(::core::default::Default::default());
    let defaults = named(variants).iter().map(|it| it.with_fields(|_| default.clone()));
    let guards = named(variants)
        .iter()
        .map(|it| condition(&it.attributes.bounds, None).map(|condition| quote!(if #condition)));
    let type_name = model.ident.to_string();
    let unknown = match other(variants) {
        Some(other) => {
            let tag = other.fields.first().map(|it| &it.member);
            other.with_fields(|field| match Some(&field.member) == tag {
                true => quote!(#discriminant),
                false => default.clone(),
            })
        }
        None => quote! {{
            return ::core::result::Result::Err(
                __farchive::archive::private::unknown_variant::<Self, _>(
                    ar,
                    #discriminant as i64,
                    #type_name,
                    #size,
                ),
            );
        }},
    };
    quote! {
        match #discriminant {
            #(#constants #guards => #defaults,)*
            _ => #unknown,
        }
    }
}

/// Says what the number means that comes next, for archives that have keys.
fn said(variants: &[Variant], constants: &[Ident]) -> TokenStream {
    let names = named(variants).iter().map(Variant::name);
    quote! {
        ar.step(__farchive::archive::Step::Keyed(__farchive::archive::Keyed::Variant(
            &[#((#names, #constants as i64)),*],
        )));
    }
}

/// Says which variant the number stands for that came last, for archives that explain.
fn meaning(variants: &[Variant]) -> TokenStream {
    let idents = variants.iter().map(|it| &it.ident);
    let names = variants.iter().map(Variant::name);
    quote! {
        ar.step(__farchive::archive::Step::Meaning(match *self {
            #(Self::#idents { .. } => #names,)*
        }));
    }
}

/// An enum behind its discriminant.
pub fn serialize_enum(model: &Model, repr: &Ident, variants: &[Variant]) -> TokenStream {
    let discriminant = local("discriminant");
    let (declared, constants) = discriminants(repr, variants);
    let unsavable = unsavable(variants, &constants);
    let function = format_ident!("serialize_{repr}");
    let transfer = in_step("discriminant", &quote!(ar.#function(&mut #discriminant)));
    let own = own_discriminant(variants, &constants);
    let size = quote!(::core::mem::size_of::<#repr>());
    let variant = variant_of(model, variants, &constants, &size);
    let (said, meaning) = (said(variants, &constants), meaning(variants));
    let fields = serialize_variants(variants);
    quote! {
        #declared
        #unsavable
        let mut #discriminant: #repr = #own;
        #said
        #transfer
        if __farchive::ArchiveExt::is_loading(ar) {
            *self = #variant;
        }
        // An explained file says which variant the number stands for.
        #meaning
        #fields
    }
}

/// An enum whose tag stands in another field: the fields of the variant by their own, and all of it behind the tag.
pub fn serialize_tagged(
    model: &Model,
    generics: &Generics,
    repr: &Ident,
    variants: &[Variant],
    after: &TokenStream,
) -> (TokenStream, TokenStream) {
    let (discriminant, tag) = (local("discriminant"), local("tag"));
    let (declared, constants) = discriminants(repr, variants);
    let unsavable = unsavable(variants, &constants);
    let function = format_ident!("serialize_{repr}");
    let transfer = in_step("discriminant", &quote!(ar.#function(&mut #discriminant)));
    let own = own_discriminant(variants, &constants);
    let variant = variant_of(model, variants, &constants, &quote!(0));
    let (said, fields) = (said(variants, &constants), serialize_variants(variants));
    let ident = &model.ident;
    let (parameters, arguments, where_clause) = generics.split_for_impl();
    let tagged = quote!(__farchive::archive::Tagged::serialize_tagged(self, #discriminant, ar));
    let tagged = checked(&tagged, None);
    let body = quote! {
        #declared
        let mut #discriminant: #repr = __farchive::archive::Tagged::tag(self);
        #said
        #transfer
        #tagged
    };
    let extra = quote! {
        #[automatically_derived]
        impl #parameters __farchive::archive::Tagged for #ident #arguments #where_clause {
            type Tag = #repr;

            fn tag(&self) -> #repr {
                #declared
                #own
            }

            #[inline]
            fn serialize_tagged<__A: __farchive::Archive + ?::core::marker::Sized>(
                &mut self,
                #tag: #repr,
                ar: &mut __A,
            ) -> ::core::result::Result<(), __farchive::Error> {
                #declared
                #unsavable
                if __farchive::ArchiveExt::is_loading(ar) {
                    let #discriminant: #repr = #tag;
                    *self = #variant;
                }
                #fields
                #after
                ::core::result::Result::Ok(())
            }
        }
    };
    (body, extra)
}

/// Declares the discriminants of an enum as constants, and their names.
pub fn discriminants(repr: &Ident, variants: &[Variant]) -> (TokenStream, Vec<Ident>) {
    let variants = named(variants);
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

/// Refuses to save variants that the version lacks, and unknown tags that another variant has.
fn unsavable(variants: &[Variant], constants: &[Ident]) -> Option<TokenStream> {
    let mut arms: Vec<_> = variants
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
    if let Some(other) = other(variants)
        && let Some(tag) = other.fields.first().map(|it| &it.member)
    {
        let (ident, stored) = (&other.ident, local("tag"));
        let guards = named(variants).iter().map(|it| {
            condition(&it.attributes.bounds, None).map(|condition| quote!(if #condition))
        });
        let names = named(variants).iter().map(Variant::name);
        arms.push(quote! {
            Self::#ident { #tag: #stored, .. } => match #stored {
                #(#constants #guards => {
                    return ::core::result::Result::Err(
                        __farchive::archive::private::tag_is_known(ar, #stored as i64, #names),
                    );
                })*
                _ => {}
            },
        });
    }
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
    variants.iter().any(|it| !it.stored().is_empty()).then(|| {
        let arms = variants.iter().map(|variant| {
            let conditional = variant.fields.iter().any(|it| it.attributes.asks_others());
            let is_tag = |field: &Field| {
                variant.is_other()
                    && variant.fields.first().is_some_and(|it| it.member == field.member)
            };
            let is_bound =
                |field: &Field| conditional || field.attributes.skip.is_none() && !is_tag(field);
            let pattern = variant.with_fields(|field| match field.binding() {
                binding if is_bound(field) => quote!(#binding),
                _ => quote!(_),
            });
            let place = |field: &Field| {
                let binding = field.binding();
                quote!(*#binding)
            };
            let places = Places { fields: &variant.fields, place };
            let fields = variant.fields.iter().map(|field| {
                let (binding, span) = (field.binding(), span_of(field));
                match field.attributes.skip {
                    None if !is_tag(field) => {
                        serialize_field(field, &quote_spanned!(span=> *#binding), &places)
                    }
                    // Already loaded, or `Default`; bound only because a condition may look at it.
                    _ if conditional => quote!(let _ = &#binding;),
                    _ => TokenStream::new(),
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
