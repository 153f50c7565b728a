//! Reads `since`, `until` and `archive` into [`Attributes`], without judging what they mean together.

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, ExprCall, ExprLit, ExprPath, Ident, Lit, Meta, Path, Token};

use crate::item::{Item, Value};

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

/// A field whose type was another one below a version.
pub struct Was {
    /// The first version with the type that is declared.
    pub until: Bound,
    /// Makes a value of what these versions stored.
    pub from: Expr,
    /// Makes what these versions stored of a value, where they can say it.
    pub to: Expr,
}

/// What stands before one field or variant.
#[derive(Default)]
pub struct Attributes {
    pub bounds: Vec<Bound>,
    pub when: Option<(Expr, Attribute)>,
    pub with: Option<(ExprPath, Attribute)>,
    /// What the function of `with` takes beside the value.
    pub arguments: Vec<Expr>,
    pub skip: Option<Attribute>,
    /// How many elements this field has: an expression of fields above it.
    pub count: Option<(Expr, Attribute)>,
    /// The tag of the enum in this field: an expression of fields above it.
    pub tag: Option<(Expr, Attribute)>,
    /// What saving stores in place of the field.
    pub computed: Option<(Expr, Attribute)>,
    /// What a version without the field makes of it.
    pub default: Option<(Expr, Attribute)>,
    /// Earlier types of the field, ascending.
    pub was: Vec<Was>,
    /// The field's own fields stand among those around it.
    pub flatten: Option<Attribute>,
    /// The variant keeps tags that no other has.
    pub other: Option<Attribute>,
    /// What errors, documents and layouts call it.
    pub rename: Option<(String, Attribute)>,
    /// How many bits of a number the field takes.
    pub bits: Option<(Expr, Attribute)>,
    /// What the field is for: the variant of `Role`.
    pub role: Option<(Ident, Attribute)>,
}

/// What may stand in `#[archive(...)]` before a field.
const ALLOWED: &str = "allowed are `when`, `with`, `count`, `tag`, `computed`, `default`, `was`, `bits`, `role`, `rename`, \
                       `flatten` and `skip`, before a variant `other` and `rename`";

/// Keys that take a value, and what they need.
const NEEDS: [(&str, &str); 10] = [
    ("when", "`when` needs a condition: `when = CONDITION`"),
    ("with", "`with` needs the path of a function: `with = PATH` or `with = PATH(ARGUMENTS)`"),
    (
        "count",
        "`count` needs the field that counts: `count = FIELD`, `count = EXPRESSION` or `count = ..`",
    ),
    ("tag", "`tag` needs the field that holds it: `tag = FIELD`"),
    ("computed", "`computed` needs what saving stores: `computed = EXPRESSION`"),
    ("default", "`default` needs the value of versions without the field: `default = EXPRESSION`"),
    ("rename", "`rename` needs a name: `rename = \"NAME\"`"),
    ("bits", "`bits` needs a number of bits: `bits = NUMBER`"),
    ("role", "`role` needs what the field is for: `role = derived` or `role = identity`"),
    ("was", "`was` needs three: `was(until = VERSION, from = PATH, to = PATH)`"),
];

/// Keys that stand alone.
const FLAGS: [&str; 3] = ["skip", "flatten", "other"];

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

    /// The keys of `archive` that stand there, with their attributes.
    pub fn keys(&self) -> Vec<(&'static str, &Attribute)> {
        let keys = [
            ("when", self.when.as_ref().map(|it| &it.1)),
            ("with", self.with.as_ref().map(|it| &it.1)),
            ("count", self.count.as_ref().map(|it| &it.1)),
            ("tag", self.tag.as_ref().map(|it| &it.1)),
            ("computed", self.computed.as_ref().map(|it| &it.1)),
            ("default", self.default.as_ref().map(|it| &it.1)),
            ("was", self.was.first().map(|it| &it.until.attribute)),
            ("flatten", self.flatten.as_ref()),
            ("bits", self.bits.as_ref().map(|it| &it.1)),
            ("role", self.role.as_ref().map(|it| &it.1)),
            ("skip", self.skip.as_ref()),
            ("other", self.other.as_ref()),
            ("rename", self.rename.as_ref().map(|it| &it.1)),
        ];
        keys.into_iter().filter_map(|(key, attribute)| Some((key, attribute?))).collect()
    }

    /// Whether the field is left out of some versions or values.
    pub fn is_gated(&self) -> bool {
        !self.bounds.is_empty() || self.when.is_some()
    }

    /// Whether an expression of the field may look at others.
    pub fn asks_others(&self) -> bool {
        let asks = self.when.is_some() || self.computed.is_some();
        asks || !self.arguments.is_empty()
    }

    fn read_archive(&mut self, attribute: &Attribute, errors: &mut Errors) {
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
            match self.read_item(&key, value, attribute) {
                Some(true) => errors
                    .at(attribute, format!("duplicate `{key}`; it may stand once before a field")),
                Some(false) => {}
                None => errors.at(attribute, needs(&key)),
            }
        }
    }

    /// Takes one key: whether it stood there before, or `None` where it is unknown or its value is no such one.
    fn read_item(&mut self, key: &str, value: Value, attribute: &Attribute) -> Option<bool> {
        let attribute = attribute.clone();
        Some(match (key, value) {
            ("skip", Value::None) => self.skip.replace(attribute).is_some(),
            ("flatten", Value::None) => self.flatten.replace(attribute).is_some(),
            ("other", Value::None) => self.other.replace(attribute).is_some(),
            ("was", Value::List(items)) => {
                self.was.push(read_was(items, attribute)?);
                false
            }
            (_, Value::Is(value)) => match (key, ungroup(*value)) {
                ("when", value) => self.when.replace((value, attribute)).is_some(),
                ("with", Expr::Path(path)) => self.with.replace((path, attribute)).is_some(),
                ("with", Expr::Call(ExprCall { func, args, .. })) => {
                    let Expr::Path(path) = ungroup(*func) else { return None };
                    self.arguments = args.into_iter().collect();
                    self.with.replace((path, attribute)).is_some()
                }
                ("count", value) if !is_text(&value) => {
                    self.count.replace((value, attribute)).is_some()
                }
                ("tag", value) if !is_text(&value) => {
                    self.tag.replace((value, attribute)).is_some()
                }
                ("computed", value) => self.computed.replace((value, attribute)).is_some(),
                ("default", value) => self.default.replace((value, attribute)).is_some(),
                ("bits", value) if !is_text(&value) => {
                    self.bits.replace((value, attribute)).is_some()
                }
                ("role", Expr::Path(path)) => {
                    self.role.replace((role(&path)?, attribute)).is_some()
                }
                ("rename", Expr::Lit(ExprLit { lit: Lit::Str(name), .. })) => {
                    self.rename.replace((name.value(), attribute)).is_some()
                }
                _ => return None,
            },
            _ => return None,
        })
    }
}

/// Whether an expression is a text, which no count or tag is.
pub fn is_text(expression: &Expr) -> bool {
    matches!(expression, Expr::Lit(ExprLit { lit: Lit::Str(_), .. }))
}

/// The variant of `Role` for what a field is for.
fn role(path: &ExprPath) -> Option<Ident> {
    const ROLES: [(&str, &str); 2] = [("derived", "Derived"), ("identity", "Identity")];
    let (_, variant) = ROLES.iter().find(|(name, _)| path.path.is_ident(name))?;
    Some(Ident::new(variant, path.path.get_ident()?.span()))
}

/// What is wrong with a key that can't be taken.
fn needs(key: &str) -> String {
    if FLAGS.contains(&key) {
        return format!("`{key}` takes no value: `#[archive({key})]`");
    }
    if matches!(key, "since" | "until") {
        return format!("`{key}` is an attribute of its own: `#[{key}(VERSION)]`");
    }
    match NEEDS.iter().find(|(known, _)| *known == key) {
        Some((_, message)) => (*message).to_owned(),
        None => format!("unknown key `{key}`; {ALLOWED}"),
    }
}

/// `until`, `from` and `to`, each once.
fn read_was(items: Vec<Item>, attribute: Attribute) -> Option<Was> {
    let (mut until, mut from, mut to) = (None, None, None);
    for Item { key, value } in items {
        let Value::Is(value) = value else { return None };
        let place = match key.to_string().as_str() {
            "until" => &mut until,
            "from" => &mut from,
            "to" => &mut to,
            _ => return None,
        };
        if place.replace(ungroup(*value)).is_some() {
            return None;
        }
    }
    let until = Bound { edge: Edge::Until, axis: Axis::First, value: until?, attribute };
    Some(Was { until, from: from?, to: to? })
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
pub fn ungroup(mut expression: Expr) -> Expr {
    while let Expr::Group(group) = expression {
        expression = *group.expr;
    }
    expression
}
