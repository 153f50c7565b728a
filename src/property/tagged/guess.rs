//! What old tags do not say: how structs in sets and maps, and in early arrays, are stored.

use super::kind::Kind;
use super::structure::Structure;
use super::type_of::TypeOf;
use super::value::{Form, Forms};
use crate::archive::Context;
use crate::primitive::Name;

/// Properties of the engine's own classes, and the structs that are their elements or keys, and values;
/// nothing for types that the tag tells (spec: ue4-5/04 §5).
const KNOWN: &[(&str, &str, &str)] =
    &[("TrackSignatureToTrackIdentifier", "Guid", "MovieSceneTrackIdentifier")];

/// Other ways to read a value that was not what its type says.
pub(super) fn forms(told: TypeOf<'_>, kind: Kind, name: &Name, context: &Context) -> Vec<Forms> {
    let inner = |wanted| told.inner(wanted, context).map(|inner| inner.kind(context));
    // A schema says all.
    if told.schema().is_some() {
        return Vec::new();
    }
    match kind {
        Kind::Struct if told.native().is_none() => vec![(Form::Tagged, Form::Told)],
        Kind::Array | Kind::Set | Kind::Map => {
            let (key, value) = (inner(0), inner(1));
            let text = context.name_text(name).unwrap_or_default();
            let known = KNOWN.iter().find(|(known, ..)| known.eq_ignore_ascii_case(&text));
            let named = known.map_or(("", ""), |(_, key, value)| (*key, *value));
            let keys = of_side(key, named.0);
            let values = of_side(value, named.1);
            let pairs = keys.iter().flat_map(|key| values.iter().map(move |value| (*key, *value)));
            pairs.filter(|forms| *forms != (Form::Told, Form::Told)).collect()
        }
        _ => Vec::new(),
    }
}

fn of_side(kind: Option<Kind>, named: &str) -> Vec<Form> {
    match kind {
        Some(Kind::Struct) => {
            let mut forms = vec![Form::Told];
            if !named.is_empty() {
                forms.insert(0, Form::As(Structure::of_name(named)));
            }
            forms.push(Form::As(Structure::of_name("Guid")));
            forms.push(Form::Tagged);
            forms
        }
        Some(Kind::Byte) => vec![Form::Told, Form::Names],
        _ => vec![Form::Told],
    }
}
