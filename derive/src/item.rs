//! Reads the entries of `#[archive(...)]`, and those that stand before a whole type.

use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Ident, Path, Token, parenthesized, token};

use crate::attr::ungroup;

/// One entry of `#[archive(...)]`.
pub struct Item {
    pub key: Ident,
    pub value: Value,
}

/// What stands behind the key of an entry.
pub enum Value {
    /// Nothing: `skip`.
    None,
    /// An expression: `when = CONDITION`.
    Is(Box<Expr>),
    /// Entries: `was(until = 2, ...)`.
    List(Vec<Item>),
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key = input.call(Ident::parse_any)?;
        if input.peek(token::Paren) {
            let inner;
            parenthesized!(inner in input);
            let items = Punctuated::<Self, Token![,]>::parse_terminated(&inner)?;
            return Ok(Self { key, value: Value::List(items.into_iter().collect()) });
        }
        let equals: Option<Token![=]> = input.parse()?;
        let value = match equals {
            Some(_) => Value::Is(Box::new(input.parse()?)),
            None => Value::None,
        };
        Ok(Self { key, value })
    }
}

/// What `#[archive(...)]` says before a type.
#[derive(Default)]
pub struct OfType {
    /// The bytes that come first in every file.
    pub magic: Option<Expr>,
    /// Where the framework is.
    pub framework: Option<Path>,
    /// What is called when a value was loaded.
    pub after_load: Option<Path>,
    /// What is called with a copy that is about to be saved.
    pub before_save: Option<Path>,
    /// The integer in which all fields are bits.
    pub bits: Option<Ident>,
    /// Whether the tag of the enum stands elsewhere.
    pub tagged: bool,
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
            let before = match (key.to_string().as_str(), value) {
                ("tagged", Value::None) => std::mem::replace(&mut read.tagged, true),
                ("magic", Value::Is(value)) => read.magic.replace(*value).is_some(),
                (key, Value::Is(value)) => {
                    let Expr::Path(path) = ungroup(*value) else { return None };
                    let path = path.path;
                    match key {
                        "crate" => read.framework.replace(path).is_some(),
                        "after_load" => read.after_load.replace(path).is_some(),
                        "before_save" => read.before_save.replace(path).is_some(),
                        "bits" => read.bits.replace(path.get_ident()?.clone()).is_some(),
                        _ => return None,
                    }
                }
                _ => return None,
            };
            if before {
                return None;
            }
        }
        Some(read)
    }
}
