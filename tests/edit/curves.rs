//! Curves of objects and tables: keys with time, value, interpolation and slopes.

use unreal_packages::edit::{Edit, PackageEdit};
use unreal_packages::generate::Builder;
use unreal_packages::inspect::{Curve, CurveInterpolation, PackageValues};
use unreal_packages::package::Package;
use unreal_packages::property::{PropertyList, Type};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{EngineRelease, Result};

use super::common::{GUID, ue4};

fn set(edit: &mut Edit, object: &str, property: &str, kind: &str, value: &str) -> Result<()> {
    let kind: Type = kind.parse()?;
    edit.add_property_or(object, property, &kind, value).map(drop)
}

fn curves_of(package: &Package, path: &str) -> Vec<Curve> {
    package.values().curves(package.find_export(path).unwrap()).unwrap()
}

/// Time, value, interpolation, slopes.
type Row = (f64, f64, CurveInterpolation, f64, f64);

fn rows(curve: &Curve) -> Vec<Row> {
    let keys = curve.keys.iter();
    keys.map(|key| (key.time, key.value, key.interpolation, key.arrive, key.leave)).collect()
}

#[test]
fn keys_of_rich_curves_have_slopes() {
    use CurveInterpolation::{Constant, Cubic};
    for release in [EngineRelease::new(4, 27), EngineRelease::new(5, 3)] {
        let versions = release.versions();
        let mut package = Package::from_bytes(ue4::builder(&versions).build().unwrap()).unwrap();
        let made = package.edit(|edit| -> Result<()> {
            edit.add_plain_object("Curve", "/Script/Engine.CurveFloat", PropertyList::default())?;
            let key = |mode: u8, time: f32, value: f32, arrive: f32, leave: f32| {
                format!(
                    "(InterpMode={mode},TangentMode=0,TangentWeightMode=0,Time={time},Value={value},\
                     ArriveTangent={arrive},ArriveTangentWeight=0,LeaveTangent={leave},\
                     LeaveTangentWeight=0)"
                )
            };
            let keys = [key(2, 0.5, 2.0, -1.0, 3.0), key(1, 1.5, -4.0, 0.0, 0.0)].join(",");
            set(edit, "Curve", "FloatCurve", "struct:RichCurve", &format!("(Keys:array:struct:RichCurveKey=({keys}))"))?;
            edit.add_plain_object("Bare", "/Script/Engine.CurveFloat", PropertyList::default())?;
            set(edit, "Bare", "Other", "int", "1")
        });
        made.unwrap();
        let curves = curves_of(&package, "Curve");
        assert_eq!(curves.len(), 1, "{release}");
        assert_eq!(curves[0].path, "FloatCurve");
        let expected = [(0.5, 2.0, Cubic, -1.0, 3.0), (1.5, -4.0, Constant, 0.0, 0.0)];
        assert_eq!(rows(&curves[0]), expected, "{release}");
        assert!(curves_of(&package, "Bare").is_empty());
        assert!(package.values().curves(999).is_err());
    }
}

#[test]
fn points_of_vectors_are_a_curve_for_each_part() {
    use CurveInterpolation::{Cubic, Linear};
    let versions = EngineRelease::new(4, 27).versions();
    let mut package = Package::from_bytes(ue4::builder(&versions).build().unwrap()).unwrap();
    let made = package.edit(|edit| -> Result<()> {
        let class = "/Script/Engine.DistributionVectorConstantCurve";
        edit.add_plain_object("Spread", class, PropertyList::default())?;
        let points = "(InVal=0,OutVal=(X=1,Y=2,Z=3),LeaveTangent=(X=0,Y=0,Z=5),InterpMode=CIM_CurveUser),\
                      (InVal=2,OutVal=(X=4,Y=5,Z=6))";
        let value = format!("(Points=({points}))");
        set(edit, "Spread", "ConstantCurve", "struct:InterpCurveVector", &value)
    });
    made.unwrap();
    let curves = curves_of(&package, "Spread");
    let paths: Vec<_> = curves.iter().map(|curve| curve.path.as_str()).collect();
    assert_eq!(paths, ["ConstantCurve.X", "ConstantCurve.Y", "ConstantCurve.Z"]);
    assert_eq!(rows(&curves[0]), [(0.0, 1.0, Cubic, 0.0, 0.0), (2.0, 4.0, Linear, 0.0, 0.0)]);
    assert_eq!(rows(&curves[2]), [(0.0, 3.0, Cubic, 0.0, 5.0), (2.0, 6.0, Linear, 0.0, 0.0)]);
}

#[test]
fn lookup_tables_of_ue3_are_curves_by_their_scale() {
    let mut package = Package::from_bytes(Builder::new(868).guid(GUID).build().unwrap()).unwrap();
    assert!(!package.versions().has_soft_references());
    let made = package.edit(|edit| -> Result<()> {
        let class = "Engine.ParticleModuleLifetime";
        edit.add_plain_object("Life", class, PropertyList::default())?;
        // The least, the greatest, then the values.
        let table = "(Type:byte=0,Op:byte=1,LookupTableNumElements:byte=1,LookupTableChunkSize:byte=1,\
                     LookupTable:array:float=(0.25,1,0.25,0.5,1),LookupTableTimeScale:float=4,\
                     LookupTableStartTime:float=10)";
        set(edit, "Life", "Lifetime", "struct:RawDistributionFloat", table)
    });
    made.unwrap();
    let curves = curves_of(&package, "Life");
    assert_eq!(curves.len(), 1);
    assert_eq!(curves[0].path, "Lifetime");
    let times: Vec<_> = curves[0].keys.iter().map(|key| (key.time, key.value)).collect();
    assert_eq!(times, [(10.0, 0.25), (10.25, 0.5), (10.5, 1.0)]);
}
