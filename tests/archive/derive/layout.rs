//! What the derive writes down of a type.

use unreal_packages::archive::layout::{Edge, Field, Layout, Shape};
use unreal_packages::version::{FILE, LICENSEE, Measure, UE4, UE5, UnrealVersions};
use unreal_packages::{Archive, Archived, Described, Guid, Result, Versions};

const GUID: Guid = Guid::new(1, 2, 3, 4);
const ADDED: u32 = 100;

/// All of it, as [`Guid`] and
/// others know it.
///
/// | order | type |
/// |---|---|
///
/// Spec: none.
///
/// # Errors
/// None.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct All {
    /// The first field. C++: `First`.
    ///
    /// More about it.
    first: u8,
    #[since(ADDED)]
    #[until(licensee = 9)]
    #[since(ue4 = 214)]
    #[until(ue5 = 1009)]
    #[since(custom = GUID, 2)]
    bounded: Vec<Inner>,
    #[archive(when = self.first & 1 != 0 && !ar.versions().has_object_versions(), with = in_one_byte)]
    conditional: u16,
    #[archive(skip)]
    skipped: Option<std::rc::Rc<()>>,
    #[archive(with = nothing)]
    foreign: std::collections::BTreeMap<u8, Inner>,
}

/// Inside.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
#[repr(i16)]
enum Inner {
    /// Nothing.
    #[default]
    Empty = -2,
    #[since(5)]
    Full {
        id: Guid,
    },
    Last(u32) = 7,
}

#[derive(Described, Default)]
struct ByHand {
    /// A part.
    part: Inner,
}

impl Archived for ByHand {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        self.part.serialize(ar)
    }
}

struct Silent;

impl Archived for Silent {
    fn serialize<A: Archive + ?Sized>(&mut self, _: &mut A) -> Result<()> {
        Ok(())
    }
}

fn in_one_byte<A: Archive + ?Sized>(value: &mut u16, ar: &mut A) -> Result<()> {
    let mut byte = *value as u8;
    ar.serialize_u8(&mut byte)?;
    *value = byte.into();
    Ok(())
}

fn nothing<T, A: Archive + ?Sized>(_: &mut T, _: &mut A) -> Result<()> {
    Ok(())
}

fn fields(layout: &Layout) -> &'static [Field] {
    match layout.shape {
        Shape::Struct { fields } | Shape::Manual { fields, .. } => fields,
        Shape::Enum { .. } => &[],
    }
}

#[test]
fn docs_are_plain_text_without_tables() {
    assert_eq!(All::LAYOUT.doc, "All of it, as `Guid` and others know it.\nSpec: none.");
    assert_eq!(fields(All::LAYOUT)[0].doc, "The first field. C++: `First`.");
}

#[test]
fn every_stored_field_stands_in_order() {
    let names: Vec<_> = fields(All::LAYOUT).iter().map(|it| (it.name, it.ty)).collect();
    let map = "std::collections::BTreeMap<u8, Inner>";
    let expected =
        [("first", "u8"), ("bounded", "Vec<Inner>"), ("conditional", "u16"), ("foreign", map)];
    assert_eq!(names, expected);
}

#[test]
fn bounds_know_edge_axis_value_and_name() {
    let bounds = fields(All::LAYOUT)[1].bounds;
    let all: Vec<_> = bounds.iter().map(|it| (it.edge, it.measure, it.value)).collect();
    let expected = [
        (Edge::Since, Measure::Axis(FILE), 100),
        (Edge::Until, Measure::Axis(LICENSEE), 9),
        (Edge::Since, Measure::Axis(UE4), 214),
        (Edge::Until, Measure::Axis(UE5), 1009),
        (Edge::Since, Measure::Custom(GUID), 2),
    ];
    assert_eq!(all, expected);
    assert_eq!((bounds[0].name, bounds[1].name), (Some("ADDED"), None));
    let mut versions =
        Versions::unreal().with(FILE, 100).with(LICENSEE, 8).with(UE4, 214).with(UE5, 1008);
    versions.set_custom_versions(vec![(GUID, 2)]);
    assert!(fields(All::LAYOUT)[1].is_in(&versions));
    for outside in [
        versions.clone().with(FILE, 99),
        versions.clone().with(LICENSEE, 9),
        versions.clone().with(UE4, 213),
        versions.clone().with(UE5, 1009),
        versions.clone().with_custom_versions(Vec::new()),
    ] {
        assert!(!fields(All::LAYOUT)[1].is_in(&outside), "{outside:?}");
    }
}

#[test]
fn conditions_and_functions_are_text() {
    let field = &fields(All::LAYOUT)[2];
    assert_eq!(field.when, Some("self.first & 1 != 0 && !ar.versions().has_object_versions()"));
    assert_eq!(field.with, Some("in_one_byte"));
}

#[test]
fn types_lead_to_their_layouts() {
    let names = |field: &Field| -> Vec<_> {
        field.links.iter().filter_map(|it| it.layout()).map(Layout::name).collect()
    };
    assert_eq!(names(&fields(All::LAYOUT)[1]), ["Inner"]);
    // A map has a layout, and what it holds has one.
    assert_eq!(names(&fields(All::LAYOUT)[3]), ["BTreeMap<u8, Inner>", "Inner"]);
    let value = fields(All::LAYOUT)[1].links[0].value.map(|make| format!("{:?}", make()));
    assert_eq!(value.as_deref(), Some("Empty"));
}

#[test]
fn variants_have_numbers_bounds_and_fields() {
    let Shape::Enum { repr, variants } = Inner::LAYOUT.shape else { panic!("it is an enum") };
    assert_eq!(repr, "i16");
    let all: Vec<_> = variants.iter().map(|it| (it.name, it.value, it.fields.len())).collect();
    assert_eq!(all, [("Empty", -2, 0), ("Full", -1, 1), ("Last", 7, 1)]);
    assert_eq!(variants[0].doc, "Nothing.");
    assert_eq!(variants[1].bounds[0].to_string(), "from 5");
}

#[test]
fn sizes_are_known_where_they_are_fixed() {
    let sized = |file| Inner::LAYOUT.size(&Versions::unreal().with(FILE, file));
    assert_eq!(sized(5), None, "2, 18 or 6 bytes");
    assert_eq!(Guid::LAYOUT.size(&Versions::default()), Some(16));
    let name = |file| unreal_packages::Name::LAYOUT.size(&Versions::unreal().with(FILE, file));
    assert_eq!([name(69), name(342), name(343)], [None, Some(4), Some(8)]);
}

#[test]
fn a_function_by_hand_is_said_to_be_one() {
    assert_eq!(Silent::LAYOUT.name(), "Silent");
    assert!(matches!(Silent::LAYOUT.shape, Shape::Manual { fields: &[], .. }));
    assert!(matches!(ByHand::LAYOUT.shape, Shape::Manual { .. }));
    assert_eq!(fields(ByHand::LAYOUT)[0].doc, "A part.");
}
