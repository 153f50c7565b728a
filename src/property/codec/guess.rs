//! What old tags do not say: what early arrays and maps hold, and how structs in sets and maps are stored.

use super::TypeOf;
use crate::archive::Context;
use crate::primitive::Name;
use crate::property::structure::Structure;
use crate::property::{Kind, Type};

/// How elements are to be read of which nothing says how they are stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::property) enum Form {
    /// As the type says, or as most do.
    Typed,
    /// Structs as lists of tags.
    Tagged,
    /// Structs as this one.
    As(Structure),
    /// Bytes as names.
    Names,
    /// Structs of two forms in the other one.
    Odd,
    /// Values of this class, where the tag says none.
    Class(Kind),
}

/// The forms of elements or keys, and of values.
pub(in crate::property) type Forms = (Form, Form);

/// Containers of the engine's own classes: what their elements or keys are, and their values. A property
/// class, a struct, or nothing where the tag says it (spec: ue4-5/04 §5).
const KNOWN: &[(&str, &str, &str)] = &[
    ("AllNodes", "ObjectProperty", ""),
    ("AnimationTrackNames", "NameProperty", ""),
    ("Characters", "FontCharacter", ""),
    ("ChildNodes", "ObjectProperty", ""),
    ("CompressedTrackOffsets", "IntProperty", ""),
    ("ExpansionStates", "StrProperty", "StructProperty"),
    ("Expressions", "ObjectProperty", ""),
    ("FunctionExpressions", "ObjectProperty", ""),
    ("InputVolume", "FloatProperty", ""),
    ("Keys", "RichCurveKey", ""),
    ("LinkedTo", "ObjectProperty", ""),
    ("Nodes", "ObjectProperty", ""),
    ("Pins", "ObjectProperty", ""),
    ("PropertyGuids", "NameProperty", "Guid"),
    ("ReferencedTextureGuids", "Guid", ""),
    ("TrackReferenceCounts", "MovieSceneTrackIdentifier", ""),
    ("TrackSignatureToTrackIdentifier", "Guid", "MovieSceneTrackIdentifier"),
    ("VertexData", "Vector", ""),
    ("Vertices", "Vector", ""),
];

/// Other forms to read a value that was not what its type says. The place in this list
/// is kept in the tag.
pub(super) fn forms(of: TypeOf<'_>, kind: Kind, name: &Name, context: &Context) -> Vec<Forms> {
    let inner = |wanted| of.inner(wanted, context).map(|inner| inner.kind(context));
    // A schema says all.
    if of.schema().is_some() {
        return Vec::new();
    }
    match kind {
        Kind::Struct => {
            let tagged = of.native().is_none().then_some((Form::Tagged, Form::Typed));
            tagged.into_iter().chain([(Form::Odd, Form::Typed)]).collect()
        }
        Kind::Array | Kind::Set | Kind::Map => {
            let text = context.name_text(name).unwrap_or_default();
            let known = KNOWN.iter().find(|(known, ..)| known.eq_ignore_ascii_case(&text));
            let named = known.map_or(("", ""), |(_, key, value)| (*key, *value));
            let inner_types = context.layouts().property(&text, kind).map_or(&[][..], Type::inner);
            let (declared, declared_value) = (inner_types.first(), inner_types.get(1));
            let keys = of_side(inner(0), named.0, declared);
            let values = match kind {
                Kind::Map => of_side(inner(1), named.1, declared_value),
                _ => vec![Form::Typed],
            };
            let pairs = keys.iter().flat_map(|key| values.iter().map(move |value| (*key, *value)));
            let odd = (inner(0) == Some(Kind::Struct)).then_some((Form::Odd, Form::Typed));
            pairs.filter(|forms| *forms != (Form::Typed, Form::Typed)).chain(odd).collect()
        }
        _ => Vec::new(),
    }
}

/// Forms of one side of a container, the likeliest first.
fn of_side(kind: Option<Kind>, named: &str, declared: Option<&Type>) -> Vec<Form> {
    let mut forms = Vec::new();
    match (kind, Kind::of_class(named)) {
        (None, Some(Kind::Struct)) => forms.push(Form::Tagged),
        (None, Some(class)) => forms.push(Form::Class(class)),
        (None | Some(Kind::Struct), None) if !named.is_empty() => {
            forms.push(Form::As(Structure::of_name(named)));
        }
        _ => {}
    }
    match kind {
        None => {
            forms.extend(declared.and_then(of_declared));
            forms.push(Form::Tagged);
        }
        Some(Kind::Struct) => {
            if let Some(known) = declared.filter(|known| known.kind() == Kind::Struct) {
                forms.push(match Structure::of_name(known.type_name()) {
                    Structure::OTHER => Form::Tagged,
                    known => Form::As(known),
                });
            }
            forms.push(Form::Typed);
            forms.push(Form::As(Structure::of_name("Guid")));
            forms.push(Form::Tagged);
        }
        Some(Kind::Byte) => forms.extend([Form::Typed, Form::Names]),
        Some(_) => forms.push(Form::Typed),
    }
    forms
}

/// What UE3 declares is mostly still so in early UE4.
fn of_declared(element: &Type) -> Option<Form> {
    Some(match element.kind() {
        Kind::Struct => Form::As(Structure::of_name(element.type_name())),
        Kind::Byte | Kind::Int | Kind::Float | Kind::Object | Kind::Name | Kind::Str => {
            Form::Class(element.kind())
        }
        _ => return None,
    })
}
