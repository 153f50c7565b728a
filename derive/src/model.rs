//! What a type says about itself, before anybody judges or prints it.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Data, DeriveInput, Expr, Fields, Generics, Ident, Member, Meta, Path, Token, Type,
    parse_quote,
};

use crate::attr::{self, Attributes, Axis, Bound, Edge, Errors};
use crate::item::OfType;
use crate::layout::docs;

/// The integers that a discriminant can be stored as.
pub const REPRS: [&str; 8] = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"];

/// A type that derives `Archived`.
pub struct Model {
    pub ident: Ident,
    pub generics: Generics,
    /// The derive's own attributes before the type itself, where none is allowed.
    pub misplaced: Vec<Attribute>,
    /// What is said of the whole type.
    pub of_type: OfType,
    /// Where the type finds the framework.
    pub framework: Path,
    pub body: Body,
    /// Lines of its doc comment.
    pub docs: Vec<String>,
}

/// The three kinds of type.
pub enum Body {
    Struct(Vec<Field>),
    Enum { repr: Option<Ident>, variants: Vec<Variant> },
    Union,
}

/// A variant of an enum.
pub struct Variant {
    pub ident: Ident,
    pub attributes: Attributes,
    /// The explicit discriminant.
    pub discriminant: Option<Expr>,
    /// Whether it is written with parentheses.
    pub tuple: bool,
    pub fields: Vec<Field>,
    /// Lines of its doc comment.
    pub docs: Vec<String>,
}

/// A field of a struct or variant.
pub struct Field {
    pub member: Member,
    pub ty: Type,
    pub attributes: Attributes,
    /// Lines of its doc comment.
    pub docs: Vec<String>,
}

/// A `since` and an `until` that must leave room for a version between them.
pub struct Range<'a> {
    pub since: &'a Bound,
    pub until: &'a Bound,
    /// The field or variant, as a message calls it.
    pub owner: String,
}

impl Model {
    /// Reads a type, and what is wrong with its attributes into `errors`.
    pub fn read(input: &DeriveInput, errors: &mut Errors) -> Self {
        let body = match &input.data {
            Data::Struct(data) => Body::Struct(read_fields(&data.fields, errors)),
            Data::Enum(data) => Body::Enum {
                repr: read_repr(&input.attrs),
                variants: data.variants.iter().map(|it| Variant::read(it, errors)).collect(),
            },
            Data::Union(_) => Body::Union,
        };
        // What is said of the whole type stands first, or it is one of the misplaced.
        let own = input.attrs.iter().filter(|it| attr::is_own(it));
        let of_type = own.clone().next().and_then(OfType::read);
        let said = usize::from(of_type.is_some());
        let of_type = of_type.unwrap_or_default();
        Self {
            ident: input.ident.clone(),
            generics: input.generics.clone(),
            misplaced: own.skip(said).cloned().collect(),
            framework: of_type.framework.clone().unwrap_or_else(|| parse_quote!(::farchive)),
            of_type,
            body,
            docs: docs(&input.attrs),
        }
    }

    /// Every variant; none for a struct.
    pub fn variants(&self) -> &[Variant] {
        match &self.body {
            Body::Enum { variants, .. } => variants,
            _ => &[],
        }
    }

    /// The fields of a struct; none for an enum.
    fn own_fields(&self) -> &[Field] {
        match &self.body {
            Body::Struct(fields) => fields,
            _ => &[],
        }
    }

    /// Every field, also those of variants.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.own_fields().iter().chain(self.variants().iter().flat_map(|it| &it.fields))
    }

    /// Every bound of the type, in the order in which they are written.
    pub fn bounds<'a>(&'a self) -> impl Iterator<Item = &'a Bound> {
        let of_field = |it: &'a Field| {
            it.attributes.bounds.iter().chain(it.attributes.was.iter().map(|was| &was.until))
        };
        let variants = self.variants().iter().flat_map(move |it| {
            it.attributes.bounds.iter().chain(it.fields.iter().flat_map(of_field))
        });
        self.own_fields().iter().flat_map(of_field).chain(variants)
    }

    /// Every pair of bounds on the same axis: of one field, of one variant, and of a variant with one of
    /// its fields, since such a field is only there while its variant is.
    pub fn ranges(&self) -> Vec<Range<'_>> {
        let mut ranges = Vec::new();
        for field in self.fields() {
            let was = &field.attributes.was;
            let since = field.attributes.bounds.iter().filter(|it| it.edge == Edge::Since);
            for since in since.filter(|it| it.axis == Axis::First) {
                let owner = || format!("an earlier type of {}", field.describe());
                ranges.extend(was.iter().map(|was| Range {
                    since,
                    until: &was.until,
                    owner: owner(),
                }));
            }
            for pair in was.windows(2) {
                if let [before, was] = pair {
                    let owner = format!("an earlier type of {}", field.describe());
                    ranges.push(Range { since: &before.until, until: &was.until, owner });
                }
            }
        }
        for field in self.own_fields() {
            let bounds = &field.attributes.bounds;
            pair(&mut ranges, bounds, bounds, || field.describe());
        }
        for variant in self.variants() {
            let outer = &variant.attributes.bounds;
            pair(&mut ranges, outer, outer, || format!("variant `{}`", variant.ident));
            for field in &variant.fields {
                let inner = &field.attributes.bounds;
                let owner = || format!("{} of variant `{}`", field.describe(), variant.ident);
                pair(&mut ranges, inner, inner, owner);
                pair(&mut ranges, outer, inner, owner);
                pair(&mut ranges, inner, outer, owner);
            }
        }
        ranges
    }
}

/// Pairs each `since` of one list with each `until` of another on the same axis.
fn pair<'a>(
    ranges: &mut Vec<Range<'a>>,
    since: &'a [Bound],
    until: &'a [Bound],
    owner: impl Fn() -> String,
) {
    for since in since.iter().filter(|it| it.edge == Edge::Since) {
        for until in until.iter().filter(|it| it.edge == Edge::Until && it.axis == since.axis) {
            ranges.push(Range { since, until, owner: owner() });
        }
    }
}

impl Variant {
    /// What errors, documents and layouts call the variant.
    pub fn name(&self) -> String {
        match &self.attributes.rename {
            Some((name, _)) => name.clone(),
            None => self.ident.unraw().to_string(),
        }
    }

    /// Whether it keeps tags that no other variant has.
    pub fn is_other(&self) -> bool {
        self.attributes.other.is_some()
    }

    /// The fields that stand behind the tag.
    pub fn stored(&self) -> &[Field] {
        self.fields.get(usize::from(self.is_other())..).unwrap_or_default()
    }

    fn read(variant: &syn::Variant, errors: &mut Errors) -> Self {
        Self {
            ident: variant.ident.clone(),
            attributes: Attributes::read(&variant.attrs, errors),
            discriminant: variant.discriminant.as_ref().map(|(_, value)| value.clone()),
            tuple: matches!(variant.fields, Fields::Unnamed(_)),
            fields: read_fields(&variant.fields, errors),
            docs: docs(&variant.attrs),
        }
    }

    /// The variant as a pattern or expression, with one piece of code for each field.
    pub fn with_fields(&self, code: impl Fn(&Field) -> TokenStream) -> TokenStream {
        let ident = &self.ident;
        let fields = self.fields.iter().map(|field| {
            let (member, code) = (&field.member, code(field));
            match member {
                Member::Unnamed(_) => code,
                // The compiler warns of `name: name` in patterns.
                Member::Named(name) if *name == code.to_string() && name != "ar" => code,
                Member::Named(_) => quote!(#member: #code),
            }
        });
        if self.tuple {
            quote!(Self::#ident(#(#fields),*))
        } else {
            quote!(Self::#ident { #(#fields),* })
        }
    }
}

impl Field {
    /// What errors and annotations call the field.
    pub fn name(&self) -> String {
        if let Some((name, _)) = &self.attributes.rename {
            return name.clone();
        }
        match &self.member {
            Member::Named(ident) => ident.unraw().to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        }
    }

    /// How a message of the derive calls the field.
    pub fn describe(&self) -> String {
        format!("field `{}`", self.name())
    }

    /// What the field of a variant is bound to, so that conditions can name it.
    pub fn binding(&self) -> Ident {
        match &self.member {
            // `ar` is the archive in every condition: a field of that name must not hide it.
            Member::Named(ident) if ident == "ar" => Ident::new("ar", Span::mixed_site()),
            Member::Named(ident) => ident.clone(),
            Member::Unnamed(index) => format_ident!("_{}", index.index),
        }
    }
}

fn read_fields(fields: &Fields, errors: &mut Errors) -> Vec<Field> {
    let read = |(member, field): (Member, &syn::Field)| Field {
        member,
        ty: field.ty.clone(),
        attributes: Attributes::read(&field.attrs, errors),
        docs: docs(&field.attrs),
    };
    fields.members().zip(fields).map(read).collect()
}

/// The integer among the `repr`s, if there is one of a fixed width.
fn read_repr(attributes: &[Attribute]) -> Option<Ident> {
    let lists = attributes.iter().filter(|it| it.path().is_ident("repr"));
    lists
        .filter_map(|it| {
            // A `repr` that does not parse is the compiler's to report.
            it.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()
        })
        .flatten()
        .filter_map(|meta| meta.path().get_ident().cloned())
        .find(|ident| REPRS.iter().any(|repr| ident == repr))
}
