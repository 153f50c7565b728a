//! Prints a type's layout as data: everything that the derive knows of its fields.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{
    Attribute, DeriveInput, Expr, ExprLit, GenericArgument, Generics, Ident, Lit, Meta, Path,
    PathArguments, Type, TypePath,
};

use crate::attr::{Axis, Bound, Edge, Errors};
use crate::expand::{in_scope, operand};
use crate::expand_enum::discriminants;
use crate::model::{Body, Field, Model, Variant};

/// The constant `LAYOUT` of a type.
pub fn layout(model: &Model) -> TokenStream {
    let fields = |fields: &[Field]| -> Vec<_> {
        let stored = fields.iter().filter(|it| it.attributes.skip.is_none());
        stored.flat_map(|field| self::forms(field, &model.generics)).collect()
    };
    let (constants, shape) = match &model.body {
        // Their bytes are those of one number.
        Body::Struct(own) if model.of_type.bits.is_some() => {
            let (fields, integer) = (fields(own), &model.of_type.bits);
            let size =
                quote!(::core::option::Option::Some(::core::mem::size_of::<#integer>() as u64));
            let shape = quote!(Manual { fields: &[#(#fields),*], size: |_| #size });
            (TokenStream::new(), shape)
        }
        Body::Struct(own) => {
            let magic = model.of_type.magic.as_ref().and_then(magic);
            let fields: Vec<_> = magic.into_iter().chain(fields(own)).collect();
            (TokenStream::new(), quote!(Struct { fields: &[#(#fields),*] }))
        }
        Body::Enum { repr: Some(repr), variants } => {
            let (constants, names) = discriminants(repr, variants);
            let named = names.iter().map(Some).chain([None]);
            let variants = variants
                .iter()
                .zip(named)
                .map(|(variant, value)| self::variant(variant, value, &fields(variant.stored())));
            let repr = repr.to_string();
            let shape = quote!(Enum { repr: #repr, variants: &[#(#variants),*] });
            (constants, shape)
        }
        Body::Enum { repr: None, .. } | Body::Union => return TokenStream::new(),
    };
    let doc = paragraphs(&model.docs).join("\n");
    constant(&quote!(LAYOUT), model, &doc, &constants, &shape)
}

/// A constant that is a layout.
///
/// A constant is made anew in each crate that mentions it, with all its texts; a static stands once. It knows neither the
/// type's parameters nor `Self`.
fn constant(
    name: &TokenStream,
    model: &Model,
    doc: &str,
    constants: &TokenStream,
    shape: &TokenStream,
) -> TokenStream {
    let is_static = model.generics.params.is_empty() && !mentions_self(shape);
    let own = if is_static { model.ident.to_token_stream() } else { quote!(Self) };
    let layout = quote! {
        __farchive::archive::layout::Layout {
            path: ::core::any::type_name::<#own>,
            doc: #doc,
            shape: __farchive::archive::layout::Shape::#shape,
        }
    };
    let layout = match is_static {
        true => quote! {
            static LAYOUT: __farchive::archive::layout::Layout = #layout;
            &LAYOUT
        },
        false => quote!(&#layout),
    };
    quote! {
        const #name: &'static __farchive::archive::layout::Layout = {
            #[allow(unused_imports)]
            use __farchive::archive::layout::Unlinked as _;
            #constants
            #layout
        };
    }
}

/// Whether `Self` is among tokens.
fn mentions_self(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "Self",
        TokenTree::Group(group) => mentions_self(&group.stream()),
        _ => false,
    })
}

/// The constant `DESCRIBED` of a type whose function is written by hand: its fields as they are declared, of
/// an enum what it is.
pub fn described(input: &DeriveInput) -> TokenStream {
    // Only a type's own attributes could be wrong, and it has none.
    let model = Model::read(input, &mut Errors::default());
    let fields: Vec<_> = match &model.body {
        Body::Struct(own) => own.iter().flat_map(|it| forms(it, &model.generics)).collect(),
        Body::Enum { variants, .. } => {
            let parts = variants.iter().flat_map(|it| &it.fields);
            parts.flat_map(|it| forms(it, &model.generics)).collect()
        }
        Body::Union => Vec::new(),
    };
    let (ident, doc) = (&model.ident, paragraphs(&model.docs).join("\n"));
    let shape = quote!(Manual { fields: &[#(#fields),*], size: |_| ::core::option::Option::None });
    let layout = constant(&quote!(DESCRIBED), &model, &doc, &TokenStream::new(), &shape);
    let (parameters, arguments, where_clause) = model.generics.split_for_impl();
    let code = quote! {
        #[automatically_derived]
        impl #parameters #ident #arguments #where_clause {
            #layout
        }
    };
    in_scope(&model, &code)
}

/// A variant with the constant that is its number; one that keeps those of others has none.
fn variant(variant: &Variant, value: Option<&Ident>, fields: &[TokenStream]) -> TokenStream {
    let (name, is_other) = (variant.name(), value.is_none());
    let value = value.map_or_else(|| quote!(0), |value| quote!(#value as i64));
    let bounds = variant.attributes.bounds.iter().map(|it| bound(it, it.edge));
    let doc = paragraphs(&variant.docs).into_iter().next().unwrap_or_default();
    quote! {
        __farchive::archive::layout::Variant {
            name: #name,
            value: #value,
            is_other: #is_other,
            doc: #doc,
            bounds: &[#(#bounds),*],
            fields: &[#(#fields),*],
        }
    }
}

/// The forms of a field: one, or one for each range of versions in which its type was another.
fn forms(field: &Field, generics: &Generics) -> Vec<TokenStream> {
    let own = field.attributes.bounds.iter().map(|it| bound(it, it.edge));
    let own: Vec<_> = own.collect();
    let mut forms = Vec::new();
    let mut since = None;
    for was in &field.attributes.was {
        let bounds = since.iter().cloned().chain([bound(&was.until, Edge::Until)]);
        let bounds = own.iter().cloned().chain(bounds).collect::<Vec<_>>();
        let from = format!("as {} takes it", text(was.from.to_token_stream()));
        forms.push(self::field(field, generics, &bounds, Some(from)));
        since = Some(bound(&was.until, Edge::Since));
    }
    let bounds = own.into_iter().chain(since).collect::<Vec<_>>();
    forms.push(self::field(field, generics, &bounds, with(field)));
    forms
}

/// The bytes before the first field, where they stand in the attribute.
fn magic(bytes: &Expr) -> Option<TokenStream> {
    let Expr::Lit(ExprLit { lit: Lit::ByteStr(bytes), .. }) = bytes else { return None };
    let bytes = bytes.value();
    let (ty, doc) =
        (format!("[u8; {}]", bytes.len()), format!("Always `{}`.", bytes.escape_ascii()));
    Some(quote! {
        __farchive::archive::layout::Field {
            name: "magic",
            ty: #ty,
            doc: #doc,
            bounds: &[],
            when: ::core::option::Option::None,
            with: ::core::option::Option::None,
            role: ::core::option::Option::None,
            links: &[],
        }
    })
}

/// How the field is stored where that is not its type's own form.
fn with(field: &Field) -> Option<String> {
    let attributes = &field.attributes;
    let named =
        |name: &str, it: &dyn ToTokens| format!("{name} = {}", text(it.to_token_stream()).trim());
    if let Some((count, _)) = &attributes.count {
        return Some(named("count", count));
    }
    if let Some((tag, _)) = &attributes.tag {
        return Some(named("tag", tag));
    }
    let (path, _) = attributes.with.as_ref()?;
    let path = text(path.to_token_stream());
    if attributes.arguments.is_empty() {
        return Some(path);
    }
    let arguments = attributes.arguments.iter().map(|it| text(it.to_token_stream()));
    Some(format!("{path}({})", arguments.collect::<Vec<_>>().join(", ")))
}

fn field(
    field: &Field,
    generics: &Generics,
    bounds: &[TokenStream],
    with: Option<String>,
) -> TokenStream {
    // What an earlier type was nobody can see: its function takes it.
    let is_earlier = with.as_ref().is_some_and(|it| it.starts_with("as "));
    let ty = if is_earlier { String::new() } else { text(field.ty.to_token_stream()) };
    let (name, with) = (field.name(), option(with));
    let when = option(field.attributes.when.as_ref().map(|(it, _)| text(it.to_token_stream())));
    let doc = paragraphs(&field.docs).into_iter().next().unwrap_or_default();
    let role = match &field.attributes.role {
        Some((role, _)) => quote!(::core::option::Option::Some(__farchive::archive::Role::#role)),
        None => option(None),
    };
    let mut types = Vec::new();
    // A link is a function for the type, which a lifetime of the type's own would outlive.
    if generics.lifetimes().next().is_none() && !is_earlier {
        mentioned(&field.ty, &mut types);
    }
    // The parser can't tell the name of a constant from that of a type.
    let is_constant = |ty: &Type| generics.const_params().any(|it| *ty == named(&it.ident));
    types.retain(|ty| !is_constant(ty));
    quote! {
        __farchive::archive::layout::Field {
            name: #name,
            ty: #ty,
            doc: #doc,
            bounds: &[#(#bounds),*],
            when: #when,
            with: #with,
            role: #role,
            links: &[#(__farchive::archive::layout::Link {
                layout: __farchive::archive::layout::Probe::<#types>::LINK,
                value: __farchive::archive::layout::Probe::<#types>::VALUE,
            }),*],
        }
    }
}

fn option(text: Option<String>) -> TokenStream {
    match text {
        Some(text) => quote!(::core::option::Option::Some(#text)),
        None => quote!(::core::option::Option::None),
    }
}

fn bound(Bound { axis, value, .. }: &Bound, edge: Edge) -> TokenStream {
    let edge = match edge {
        Edge::Since => quote!(Since),
        Edge::Until => quote!(Until),
    };
    let name = match value {
        Expr::Path(path) => path.path.segments.last().map(|it| it.ident.unraw().to_string()),
        _ => None,
    };
    let (measure, value, name) = (measure_of(axis), operand(value), option(name));
    quote! {
        __farchive::archive::layout::Bound {
            edge: __farchive::archive::layout::Edge::#edge,
            measure: __farchive::version::Measure::#measure,
            value: #value as i64,
            name: #name,
        }
    }
}

/// The library's form of what a bound is about.
pub fn measure_of(axis: &Axis) -> TokenStream {
    match axis {
        Axis::First => quote!(Axis(__farchive::version::Axis::FIRST)),
        Axis::Named(name) => {
            let axis = constant_of(name);
            quote!(Axis(#axis))
        }
        Axis::Custom(guid) => quote!(Custom(#guid)),
    }
}

/// The constant of an axis: its name in upper case, where the attribute stands.
pub fn constant_of(name: &Path) -> Path {
    let mut constant = name.clone();
    if let Some(last) = constant.segments.last_mut() {
        let upper = last.ident.unraw().to_string().to_uppercase();
        last.ident = Ident::new(&upper, last.ident.span());
    }
    constant
}

/// Types of the language, whose names say everything.
const PLAIN: [&str; 14] = [
    "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64", "bool", "Vec", "Option",
    "Box",
];

/// The types that a field's type is made of, each once, but for those of the language.
fn mentioned(ty: &Type, types: &mut Vec<Type>) {
    match ty {
        Type::Array(array) => mentioned(&array.elem, types),
        Type::Group(group) => mentioned(&group.elem, types),
        Type::Paren(paren) => mentioned(&paren.elem, types),
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|element| mentioned(element, types)),
        Type::Path(TypePath { path, .. }) => {
            let is_plain = path.get_ident().is_some_and(|it| PLAIN.iter().any(|name| it == name))
                || path.segments.last().is_some_and(|it| PLAIN[11..].iter().any(|n| it.ident == n));
            if !is_plain && !types.contains(ty) {
                types.push(ty.clone());
            }
            for segment in &path.segments {
                let PathArguments::AngleBracketed(arguments) = &segment.arguments else { continue };
                for argument in &arguments.args {
                    if let GenericArgument::Type(inner) = argument {
                        mentioned(inner, types);
                    }
                }
            }
        }
        _ => {}
    }
}

fn named(ident: &Ident) -> Type {
    Type::Path(TypePath { qself: None, path: ident.clone().into() })
}

/// The lines of the doc comments among `attributes`.
pub fn docs(attributes: &[Attribute]) -> Vec<String> {
    let mut lines = Vec::new();
    for attribute in attributes.iter().filter(|it| it.path().is_ident("doc")) {
        if let Meta::NameValue(pair) = &attribute.meta
            && let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &pair.value
        {
            lines.extend(text.value().split('\n').map(|line| line.trim().to_owned()));
        }
    }
    lines
}

/// The paragraphs of a doc comment as plain text, each on one line: without tables, code, lists of errors.
fn paragraphs(lines: &[String]) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    let mut in_code = false;
    for line in lines {
        if line.starts_with("```") {
            in_code = !in_code;
        }
        if line.starts_with("# ") {
            break;
        }
        let ends = in_code || line.is_empty() || line.starts_with("```") || line.starts_with('|');
        match paragraphs.last_mut() {
            Some(last) if !ends => {
                last.push_str(if last.is_empty() { "" } else { " " });
                last.push_str(line);
            }
            Some(last) if last.is_empty() => {}
            _ => paragraphs.push(String::new()),
        }
    }
    paragraphs.retain(|it| !it.is_empty());
    paragraphs.iter().map(|it| without_links(it)).collect()
}

/// Text in which links are only what they show.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("[`") {
        let (before, link) = rest.split_at(start);
        let Some(end) = link.find("`]") else { break };
        plain.push_str(before);
        plain.push_str(&link[1..=end]);
        rest = &link[end + 2..];
        if let Some((target, after)) = rest.split_once(')')
            && target.starts_with('(')
        {
            rest = after;
        }
    }
    plain + rest
}

/// Tokens as people write them.
fn text(tokens: TokenStream) -> String {
    let mut text = String::new();
    write(tokens, &mut text, &mut true);
    text
}

/// Operators of several characters.
const JOINED: [&str; 14] =
    ["&&", "||", "==", "!=", "<=", ">=", "::", "..", "..=", "=>", "->", "<<", ">>", "|="];

/// Appends `tokens`; `open` says that what stands before asks for an operand, so that an operator is one
/// of those with one operand.
fn write(tokens: TokenStream, text: &mut String, open: &mut bool) {
    let mut joined = String::new();
    let mut tokens = tokens.into_iter().peekable();
    // Depth of angle brackets, so far as they are those of types.
    let mut angles = 0_usize;
    let mut in_parameters = false;
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) => {
                joined.push(punct.as_char());
                if punct.spacing() == Spacing::Joint
                    && let Some(TokenTree::Punct(next)) = tokens.peek()
                    && JOINED.contains(&format!("{joined}{}", next.as_char()).as_str())
                    && !(angles > 0 && joined == ">")
                {
                    continue;
                }
                let type_follows = text.ends_with(|it: char| it.is_ascii_uppercase() || it == ':')
                    || last_word(text).starts_with(|it: char| it.is_ascii_uppercase());
                match joined.as_str() {
                    "." | "::" | "?" | "'" => text.push_str(&joined),
                    "," | ";" => text.push_str(&format!("{joined} ")),
                    "|" if in_parameters => text.push_str("| "),
                    "|" if *open => text.push('|'),
                    "<" if type_follows => {
                        angles += 1;
                        text.push('<');
                    }
                    ">" if angles > 0 => {
                        angles -= 1;
                        *text = text.trim_end().to_owned() + ">";
                    }
                    "!" if last_word(text).starts_with(char::is_lowercase) => text.push('!'),
                    "!" | "&" | "-" | "*" if *open => text.push_str(&joined),
                    _ => text.push_str(&format!(" {joined} ")),
                }
                in_parameters = joined == "|" && *open && !in_parameters;
                *open = !matches!(joined.as_str(), "." | "::" | "?") && !text.ends_with('>');
                joined.clear();
            }
            TokenTree::Group(group) => {
                let (left, right) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => (" { ", " }"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(left);
                *open = true;
                write(group.stream(), text, open);
                text.push_str(right);
                *open = false;
            }
            word => {
                if text.ends_with(|it: char| it.is_alphanumeric() || it == '_') {
                    text.push(' ');
                }
                text.push_str(&word.to_string());
                *open = false;
            }
        }
    }
}

/// The identifier that `text` ends with.
fn last_word(text: &str) -> &str {
    let start = text.rfind(|it: char| !it.is_alphanumeric() && it != '_').map_or(0, |at| at + 1);
    text.get(start..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_read_as_they_are_written() {
        for written in [
            "self.flags & 1 != 0",
            "Vec<Option<[u8; 4]>>",
            "self.strip.has_editor_data() && !is_cooked(ar.versions())",
            "ar.versions().game() != Game::MassEffect3",
            "!matches!(self.kind, Kind::A | Kind::B(_))",
            "*count > 0 || self.a < self.b",
            "Map<Name, (u8, Vec<Guid>)>",
            "super::bulk::BulkArray<64>",
            "self.0.is_some_and(|it| it > -1)",
        ] {
            let tokens: TokenStream = written.parse().unwrap();
            assert_eq!(text(tokens), written);
        }
    }

    #[test]
    fn docs_lose_tables_code_and_links() {
        let lines =
            ["A row of", "[`Table`](x::y), and [`Name`].", "", "| a |", "|---|", "", "Spec: 1."]
                .map(str::to_owned);
        assert_eq!(paragraphs(&lines), ["A row of `Table`, and `Name`.", "Spec: 1."]);
    }
}
