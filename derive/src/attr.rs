//! Reads `since`, `until` and `archive` into [`Attributes`], without judging what they mean together.

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, ExprPath, Ident, Member, Meta, Path, Token};

/// Collects every error of a type, so that they are reported together.
#[derive(Default)]
pub struct Errors(Option<Error>);

impl Errors {
    /// Adds an error.
    pub fn push(&mut self, error: Error) {
        match &mut self.0 {
            Some(all) => all.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// Adds an error that points at `tokens`.
    pub fn at(&mut self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        self.push(Error::new_spanned(tokens, message));
    }

    /// Every error, as one.
    pub fn finish(self) -> Result<(), Error> {
        self.0.map_or(Ok(()), Err)
    }
}

/// Which end of a range a bound is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    Since,
    Until,
}

impl Edge {
    pub fn name(self) -> &'static str {
        match self {
            Self::Since => "since",
            Self::Until => "until",
        }
    }

    fn allowed(self) -> String {
        let name = self.name();
        format!(
            "allowed are `{name}(VERSION)`, `{name}(AXIS = VERSION)` with the name of an axis in lower case, and \
             `{name}(custom = GUID, VERSION)`"
        )
    }
}

/// The version that a bound is about.
#[derive(PartialEq, Eq)]
pub enum Axis {
    /// The first one of the format.
    First,
    /// The name as it was written; a constant in scope stands for it, called the same in upper case.
    Named(Path),
    /// The GUID as it was written: a macro can't tell whether two expressions name the same one.
    Custom(Box<Expr>),
}

impl Axis {
    /// How a message calls it.
    pub fn describe(&self) -> String {
        match self {
            Self::First => "the first axis".into(),
            Self::Named(path) => {
                let name = path.segments.last().map(|it| it.ident.unraw().to_string());
                format!("the axis `{}`", name.unwrap_or_default())
            }
            Self::Custom(guid) => {
                format!("the custom version of `{}`", guid.to_token_stream())
            }
        }
    }
}

/// One `since` or `until`.
pub struct Bound {
    pub edge: Edge,
    pub axis: Axis,
    pub value: Expr,
    /// Where errors point.
    pub attribute: Attribute,
}

/// What stands before one field or variant.
#[derive(Default)]
pub struct Attributes {
    pub bounds: Vec<Bound>,
    pub when: Option<(Expr, Attribute)>,
    pub with: Option<(ExprPath, Attribute)>,
    pub skip: Option<Attribute>,
    /// The field that counts the elements of this one.
    pub count: Option<(Member, Attribute)>,
}

impl Attributes {
    /// Reads the derive's own attributes among `attributes`.
    pub fn read(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let mut read = Self::default();
        for attribute in attributes {
            if let Some(edge) = edge(attribute) {
                match read_bound(edge, attribute) {
                    Ok(bound) => read.bounds.push(bound),
                    Err(error) => errors.push(error),
                }
            } else if attribute.path().is_ident("archive") {
                read.read_archive(attribute, errors);
            }
        }
        read
    }

    /// The first `archive` attribute, if there is one.
    pub fn archive(&self) -> Option<&Attribute> {
        let when = self.when.as_ref().map(|(_, attribute)| attribute);
        let with = self.with.as_ref().map(|(_, attribute)| attribute);
        let count = self.count.as_ref().map(|(_, attribute)| attribute);
        when.or(with).or(count).or(self.skip.as_ref())
    }

    /// Whether the field is left out of some versions or values.
    pub fn is_gated(&self) -> bool {
        !self.bounds.is_empty() || self.when.is_some()
    }

    fn read_archive(&mut self, attribute: &Attribute, errors: &mut Errors) {
        const ALLOWED: &str =
            "allowed are `when = CONDITION`, `with = PATH`, `count = FIELD` and `skip`";
        let Meta::List(list) = &attribute.meta else {
            return errors.at(attribute, format!("expected `#[archive(...)]`; {ALLOWED}"));
        };
        if list.tokens.is_empty() {
            return errors.at(attribute, format!("`archive` is empty; {ALLOWED}"));
        }
        let items = Punctuated::<Item, Token![,]>::parse_terminated;
        let items = match attribute.parse_args_with(items) {
            Ok(items) => items,
            Err(error) => return errors.push(explain(&error, ALLOWED)),
        };
        for Item { key, value } in items {
            let key = key.unraw().to_string();
            let duplicate = match (key.as_str(), value.map(ungroup)) {
                ("when", Some(condition)) => {
                    self.when.replace((condition, attribute.clone())).is_some()
                }
                ("with", Some(Expr::Path(path))) => {
                    self.with.replace((path, attribute.clone())).is_some()
                }
                ("count", Some(value)) if member(&value).is_some() => {
                    let member = member(&value).map(|member| (member, attribute.clone()));
                    std::mem::replace(&mut self.count, member).is_some()
                }
                ("count", _) => {
                    errors.at(attribute, "`count` needs the field that counts: `count = FIELD`");
                    false
                }
                ("skip", None) => self.skip.replace(attribute.clone()).is_some(),
                ("when", None) => {
                    errors.at(attribute, "`when` needs a condition: `when = CONDITION`");
                    false
                }
                ("with", _) => {
                    errors.at(attribute, "`with` needs the path of a function: `with = PATH`");
                    false
                }
                ("skip", Some(_)) => {
                    errors.at(attribute, "`skip` takes no value: `#[archive(skip)]`");
                    false
                }
                _ => {
                    errors.at(attribute, format!("unknown key `{key}`; {ALLOWED}"));
                    false
                }
            };
            if duplicate {
                errors
                    .at(attribute, format!("duplicate `{key}`; it may stand once before a field"));
            }
        }
    }
}

/// The field that an expression names: `rows`, or `0` in a tuple.
fn member(expression: &Expr) -> Option<Member> {
    syn::parse2(expression.to_token_stream()).ok()
}

/// What `#[archive(...)]` says before a type: `magic = BYTES`, `crate = PATH`.
#[derive(Default)]
pub struct OfType {
    pub magic: Option<Expr>,
    pub framework: Option<Path>,
}

impl OfType {
    /// What the attribute says, if it says these and nothing else, each once.
    pub fn read(attribute: &Attribute) -> Option<Self> {
        if !attribute.path().is_ident("archive") {
            return None;
        }
        let items = Punctuated::<Item, Token![,]>::parse_terminated;
        let items = attribute.parse_args_with(items).ok().filter(|items| !items.is_empty())?;
        let mut read = Self::default();
        for Item { key, value } in items {
            let before = match (key.to_string().as_str(), value?) {
                ("magic", value) => read.magic.replace(value).is_some(),
                ("crate", Expr::Path(path)) => read.framework.replace(path.path).is_some(),
                _ => return None,
            };
            if before {
                return None;
            }
        }
        Some(read)
    }
}

/// One entry of `#[archive(...)]`.
struct Item {
    key: Ident,
    value: Option<Expr>,
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key = input.call(Ident::parse_any)?;
        let equals: Option<Token![=]> = input.parse()?;
        let value = equals.map(|_| input.parse()).transpose()?;
        Ok(Self { key, value })
    }
}

/// Which bound an attribute is, if it is one.
fn edge(attribute: &Attribute) -> Option<Edge> {
    [Edge::Since, Edge::Until].into_iter().find(|edge| attribute.path().is_ident(edge.name()))
}

/// Whether an attribute is one of the derive's own.
pub fn is_own(attribute: &Attribute) -> bool {
    edge(attribute).is_some() || attribute.path().is_ident("archive")
}

fn read_bound(edge: Edge, attribute: &Attribute) -> syn::Result<Bound> {
    let (name, allowed) = (edge.name(), edge.allowed());
    let Meta::List(list) = &attribute.meta else {
        return Err(Error::new_spanned(attribute, format!("expected `#[{name}(...)]`; {allowed}")));
    };
    if list.tokens.is_empty() {
        return Err(Error::new_spanned(attribute, format!("`{name}` has no version; {allowed}")));
    }
    attribute.parse_args_with(|input: ParseStream<'_>| {
        let axis = read_axis(input, attribute, &allowed)?;
        let value = read_expression(input, &allowed)?;
        let _: Option<Token![,]> = input.parse()?;
        if !input.is_empty() {
            let message =
                format!("one axis is allowed in an attribute: repeat `#[{name}(...)]` for another");
            return Err(Error::new_spanned(attribute, message));
        }
        Ok(Bound { edge, axis, value, attribute: attribute.clone() })
    })
}

fn read_expression(input: ParseStream<'_>, allowed: &str) -> syn::Result<Expr> {
    input.parse().map(ungroup).map_err(|error| explain(&error, allowed))
}

fn read_axis(input: ParseStream<'_>, attribute: &Attribute, allowed: &str) -> syn::Result<Axis> {
    // A bare version may begin with an identifier too: only `name =` is an axis, not `name ==`.
    let ahead = input.fork();
    let is_axis = ahead.call(Path::parse_mod_style).is_ok()
        && ahead.peek(Token![=])
        && !ahead.peek(Token![==]);
    if !is_axis {
        return Ok(Axis::First);
    }
    let axis = input.call(Path::parse_mod_style)?;
    let _: Token![=] = input.parse()?;
    if axis.is_ident("custom") {
        let guid = read_expression(input, allowed)?;
        let comma: Option<Token![,]> = input.parse()?;
        if comma.is_none() || input.is_empty() {
            let message = format!("`custom` needs a GUID and a version; {allowed}");
            return Err(Error::new_spanned(attribute, message));
        }
        return Ok(Axis::Custom(Box::new(guid)));
    }
    let name = axis.segments.last().map(|it| it.ident.unraw().to_string()).unwrap_or_default();
    if name.contains(char::is_uppercase) {
        let lower = name.to_lowercase();
        let message =
            format!("an axis is written in lower case: `{lower}` asks the constant `{name}`");
        return Err(Error::new_spanned(attribute, message));
    }
    Ok(Axis::Named(axis))
}

/// The parser's own error, with what would have been right.
fn explain(error: &Error, allowed: &str) -> Error {
    Error::new(error.span(), format!("{error}; {allowed}"))
}

/// Takes off the invisible parentheses that a `macro_rules!` fragment arrives in.
fn ungroup(mut expression: Expr) -> Expr {
    while let Expr::Group(group) = expression {
        expression = *group.expr;
    }
    expression
}
