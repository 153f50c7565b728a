//! How many bytes values take, where the type and the version say it.

use super::layout::{Field, Layout, Shape};
use crate::version::Versions;

/// Types within types that are looked into; real ones nest less.
const DEEPEST: u32 = 32;

impl Layout {
    /// Bytes that every value of the type takes in these versions; `None` where not all take as many, or
    /// nobody says.
    #[inline]
    pub fn size(&self, versions: &Versions) -> Option<u64> {
        self.size_at(versions, 0)
    }

    fn size_at(&self, versions: &Versions, depth: u32) -> Option<u64> {
        let fields = |fields: &[Field]| {
            let present = fields.iter().filter(|field| field.is_in(versions));
            present.map(|field| field.size_at(versions, depth)).sum()
        };
        match self.shape {
            Shape::Struct { fields: own } => fields(own),
            Shape::Enum { repr, variants } => {
                let mut sizes =
                    variants.iter().filter(|it| it.is_in(versions)).map(|it| fields(it.fields));
                let first = sizes.next()??;
                sizes.all(|size| size == Some(first)).then_some(())?;
                Some(number(repr, versions)? + first)
            }
            Shape::Manual { size, .. } => size(versions),
        }
    }
}

impl Field {
    /// Bytes that the field takes in these versions, which have it; `None` where not all values take as
    /// many, or nobody says.
    #[inline]
    pub fn size(&self, versions: &Versions) -> Option<u64> {
        self.size_at(versions, 0)
    }

    fn size_at(&self, versions: &Versions, depth: u32) -> Option<u64> {
        if self.when.is_some() || depth >= DEEPEST {
            return None;
        }
        match self.with {
            // The other forms of types that are used everywhere: functions called `fixed` and `from_zero` store a row as
            // `Width::Fixed` and `Width::FromZero`.
            Some(path) if path.ends_with("::fixed") || path.ends_with("::from_zero") => Some(4),
            Some("boolean::byte") => Some(1),
            Some(with) => match shelf(with)? {
                ("padding", bytes) => bytes.parse().ok(),
                (form, _) => number(shelf_number(form)?, versions),
            },
            None => self.size_of(self.ty, versions, depth + 1),
        }
    }

    fn size_of(&self, ty: &str, versions: &Versions, depth: u32) -> Option<u64> {
        if let Some(size) = number(ty, versions) {
            return Some(size);
        }
        if let Some((element, count)) =
            ty.strip_prefix('[').and_then(|it| it.strip_suffix(']')?.rsplit_once("; "))
        {
            let count: u64 = count.parse().ok()?;
            return self.size_of(element, versions, depth)?.checked_mul(count);
        }
        let links = self.links.iter().filter_map(|link| link.layout());
        let name = ty.rsplit("::").next().unwrap_or(ty);
        links.into_iter().find(|it| it.name() == name)?.size_at(versions, depth)
    }
}

/// Bytes of a number's type.
fn number(ty: &str, versions: &Versions) -> Option<u64> {
    Some(match ty {
        "bool" if versions.format().has_wide_bools() => 4,
        "u8" | "i8" | "bool" => 1,
        "u16" | "i16" => 2,
        "u32" | "i32" | "f32" => 4,
        "u64" | "i64" | "f64" => 8,
        _ => return None,
    })
}

/// The function of the shelf [`with`](crate::with) that stores a field, and what stands in its brackets:
/// `with::align::<4>` is `align` and `4`.
pub(super) fn shelf(with: &str) -> Option<(&str, &str)> {
    let (before, form) = with.rsplit_once("with::")?;
    if !(before.is_empty() || before.ends_with("::")) {
        return None;
    }
    let end = form.find(|it: char| !(it.is_alphanumeric() || it == '_')).unwrap_or(form.len());
    let (name, rest) = form.split_at_checked(end)?;
    let inner = |open, close| rest.strip_prefix(open)?.strip_suffix(close);
    Some((name, inner("::<", ">").or_else(|| inner("(", ")")).unwrap_or_default()))
}

/// The number that a function of the shelf stores.
pub(super) fn shelf_number(form: &str) -> Option<&'static str> {
    Some(match form {
        "as_u8" | "bool_u8" | "version_u8" => "u8",
        "as_u16" | "bool_u16" | "version_u16" => "u16",
        "as_u32" | "bool_u32" | "version_u32" => "u32",
        "as_u64" => "u64",
        "as_i8" => "i8",
        "as_i16" => "i16",
        "as_i32" => "i32",
        "as_i64" => "i64",
        _ => return None,
    })
}
