//! Guesses at what old tags do not say: elements of early arrays and maps, and the form of structs in sets and maps.

use super::TypeOf;
use crate::archive::Context;
use crate::primitive::{Name, NameContext, ObjectRef};
use crate::property::structure::Structure;
use crate::property::{Elements, PackageContext, PropertyKind, Type, Value};

/// How elements are to be read of which nothing says how they are stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::property) enum ElementForm {
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
    Class(PropertyKind),
}

/// The forms of elements or keys, and of values.
pub(in crate::property) type Forms = (ElementForm, ElementForm);

/// Containers of the engine's own classes: what their elements or keys are, and their values. A property
/// class, a struct, or nothing where the tag says it (spec: ue4-5/04 §5).
const KNOWN: &[(&str, &str, &str)] = &[
    ("AllNodes", "ObjectProperty", ""),
    ("AnimationTrackNames", "NameProperty", ""),
    ("AppliedModifiers", "SoftObjectPath", ""),
    ("AttributeCurves", "AnimationAttributeIdentifier", "AttributeCurve"),
    ("BoneRotationOffsets", "", "Quat"),
    ("Characters", "FontCharacter", ""),
    ("ChildNodes", "ObjectProperty", ""),
    ("CompressedTrackOffsets", "IntProperty", ""),
    ("EditorComments", "ObjectProperty", ""),
    ("Emitters", "ObjectProperty", ""),
    ("ExpansionStates", "StrProperty", "StructProperty"),
    ("Expressions", "ObjectProperty", ""),
    ("FunctionExpressions", "ObjectProperty", ""),
    ("InputDescriptions", "NiagaraVariableBase", ""),
    ("InputVolume", "FloatProperty", ""),
    ("InstanceParameterOverrides", "NiagaraVariableBase", ""),
    ("Keys", "RichCurveKey", ""),
    ("LODDistances", "FloatProperty", ""),
    ("LODLevels", "ObjectProperty", ""),
    ("LinkedTo", "ObjectProperty", ""),
    ("Modules", "ObjectProperty", ""),
    ("Nodes", "ObjectProperty", ""),
    ("OutputDescriptions", "NiagaraVariableBase", ""),
    ("ParameterGuidMapping", "NiagaraVariable", "Guid"),
    ("Pins", "ObjectProperty", ""),
    ("PropertyGuids", "NameProperty", "Guid"),
    ("ReferencedTextureGuids", "Guid", ""),
    ("StaticNavigableGeometry", "Vector", ""),
    ("TemplateParameterOverrides", "NiagaraVariableBase", ""),
    ("TrackReferenceCounts", "MovieSceneTrackIdentifier", ""),
    ("TrackSignatureToTrackIdentifier", "Guid", "MovieSceneTrackIdentifier"),
    ("UserParameterRedirects", "NiagaraVariable", "NiagaraVariable"),
    ("Values", "FloatProperty", ""),
    ("VariableToScriptVariable", "NiagaraVariable", ""),
    ("VertexData", "Vector", ""),
    ("Vertices", "Vector", ""),
    // Of sprites.
    ("Vertices", "Vector2D", ""),
];

/// Other forms to read a value that was not what its type says. The place in this list
/// is kept in the tag.
pub(super) fn forms(
    of: TypeOf<'_>,
    kind: PropertyKind,
    name: &Name,
    context: &Context,
) -> Vec<Forms> {
    forms_of(of, kind, &context.name_text(name).unwrap_or_default(), context)
}

/// The same for a property whose name has this text.
pub(super) fn forms_of(
    of: TypeOf<'_>,
    kind: PropertyKind,
    text: &str,
    context: &Context,
) -> Vec<Forms> {
    let inner = |wanted| of.inner(wanted, context).map(|inner| inner.kind(context));
    // A schema says all.
    if of.schema().is_some() {
        return Vec::new();
    }
    match kind {
        PropertyKind::Struct => {
            let odd = (ElementForm::Odd, ElementForm::Typed);
            let tagged = (ElementForm::Tagged, ElementForm::Typed);
            match of.native() {
                Some(false) => vec![odd],
                // Many of those that the tag calls native write a list of tags of their own accord.
                Some(true) => vec![odd, tagged],
                None => vec![tagged, odd],
            }
        }
        PropertyKind::Array | PropertyKind::Set | PropertyKind::Map => {
            let mut known = KNOWN.iter().filter(|(known, ..)| known.eq_ignore_ascii_case(text));
            let named = known.next().map_or(("", ""), |(_, key, value)| (*key, *value));
            // What classes of other packages declare, or else what mappings say of the object's own class.
            let mapped = context.mappings().zip(context.scope()).and_then(|(mappings, class)| {
                mappings.property_type(class, text).map(|(mapped, _)| mapped)
            });
            // Mappings of another version may know a container of another kind under this name.
            let mapped = mapped.filter(|mapped| mapped.kind() == kind);
            let declared = context.layouts().property(text, kind).or(mapped.as_ref());
            let inner_types = declared.map_or(&[][..], Type::inner);
            let (declared, declared_value) = (inner_types.first(), inner_types.get(1));
            let mut keys = of_side(inner(0), named.0, declared);
            // What other classes hold under the same name.
            keys.extend(known.map(|(_, key, _)| ElementForm::As(Structure::of_name(key))));
            let values = match kind {
                PropertyKind::Map => of_side(inner(1), named.1, declared_value),
                _ => vec![ElementForm::Typed],
            };
            let pairs = keys.iter().flat_map(|key| values.iter().map(move |value| (*key, *value)));
            let odd = (inner(0) == Some(PropertyKind::Struct))
                .then_some((ElementForm::Odd, ElementForm::Typed));
            pairs
                .filter(|forms| *forms != (ElementForm::Typed, ElementForm::Typed))
                .chain(odd)
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Forms of one side of a container, the likeliest first.
fn of_side(kind: Option<PropertyKind>, named: &str, declared: Option<&Type>) -> Vec<ElementForm> {
    let mut forms = Vec::new();
    match (kind, PropertyKind::of_class(named)) {
        (None, Some(PropertyKind::Struct)) => forms.push(ElementForm::Tagged),
        (None, Some(class)) => forms.push(ElementForm::Class(class)),
        (None | Some(PropertyKind::Struct), None) if !named.is_empty() => {
            forms.push(ElementForm::As(Structure::of_name(named)));
        }
        _ => {}
    }
    match kind {
        None => {
            forms.extend(declared.and_then(of_declared));
            forms.push(ElementForm::Tagged);
        }
        Some(PropertyKind::Struct) => {
            if let Some(known) = declared.filter(|known| known.kind() == PropertyKind::Struct) {
                forms.push(match Structure::of_name(known.type_name()) {
                    Structure::OTHER => ElementForm::Tagged,
                    known => ElementForm::As(known),
                });
            }
            forms.push(ElementForm::Typed);
            forms.push(ElementForm::As(Structure::of_name("Guid")));
            forms.push(ElementForm::Tagged);
        }
        Some(PropertyKind::Byte) => forms.extend([ElementForm::Typed, ElementForm::Names]),
        Some(_) => forms.push(ElementForm::Typed),
    }
    forms
}

/// Whether an array has references to rows that are not there: then a guess that it holds references was wrong.
pub(super) fn refers_outside(value: &Value, context: &Context) -> bool {
    let (names, imports, exports) = context.row_counts();
    match value {
        // Objects are not known everywhere.
        Value::Array(Elements::Object(objects)) if imports + exports > 0 => {
            objects.iter().any(|index| match index.target() {
                ObjectRef::Null => false,
                ObjectRef::Import(row) => row >= imports,
                ObjectRef::Export(row) => row >= exports,
            })
        }
        Value::Array(Elements::Name(rows)) => {
            let is_there =
                |name: &Name| usize::try_from(name.index.value()).is_ok_and(|row| row < names);
            !rows.iter().all(is_there)
        }
        _ => false,
    }
}

/// The form by UE3's declarations, which mostly still hold in early UE4.
fn of_declared(element: &Type) -> Option<ElementForm> {
    Some(match element.kind() {
        PropertyKind::Struct => ElementForm::As(Structure::of_name(element.type_name())),
        PropertyKind::Byte
        | PropertyKind::Int
        | PropertyKind::Float
        | PropertyKind::Object
        | PropertyKind::Name
        | PropertyKind::Str => ElementForm::Class(element.kind()),
        _ => return None,
    })
}
