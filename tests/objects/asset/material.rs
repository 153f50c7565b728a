//! Materials and shaders.

use unreal_packages::archive::{Archived, Loader, Remap, Saver, Span};
use unreal_packages::object::ue3::asset::expression::{Expression, Operands, TextureOperand};
use unreal_packages::object::ue3::asset::material::{
    InstanceResource, Material, MaterialInstance, MaterialResource, OwnResource, Resources,
};
use unreal_packages::object::ue3::asset::shader::{Shader, ShaderMap};
use unreal_packages::object::ue3::asset::shader_cache::{ShaderCache, ShaderCachePayload};
use unreal_packages::object::ue3::asset::static_parameters::{StaticParameter, StaticParameterSet};
use unreal_packages::primitive::NameRemap;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{ErrorKind, FString, Guid, Map, Name, PackageIndex, Versions};

use super::{all_versions, collect, context, hostile, laws, load, payload, save};

fn expression(class: i32, operands: Operands) -> Expression {
    Expression { class: Name::new(class), operands }
}

fn expressions(v: &Versions) -> Vec<Expression> {
    let texture = match v.file() {
        ..660 => TextureOperand { texture: PackageIndex::new(-77), index: 0 },
        _ => TextureOperand { texture: PackageIndex::NULL, index: 3 },
    };
    let time = || expression(0, Operands::None);
    let scalar = expression(1, Operands::Scalar(Name::new(5), 0.5));
    let abs = expression(2, Operands::One(Box::new(scalar)));
    vec![
        expression(4, Operands::Folded(Box::new([abs, time()]), 2)),
        expression(3, Operands::TextureParameter(Name::new(6), texture)),
        expression(7, Operands::Three(Box::new([time(), time(), time()]))),
    ]
}

fn parameters(v: &Versions) -> StaticParameterSet {
    let name = Name::new(5);
    let guid = Guid::new(1, 2, 3, 4);
    let mut set = StaticParameterSet { base_material: guid, ..StaticParameterSet::default() };
    set.switches.push(StaticParameter { name, value: 1, overrides: 1, expression: guid });
    set.masks.push(StaticParameter { name, value: [1, 0, 1, 0], overrides: 0, expression: guid });
    if v.file() >= 631 {
        set.normals.push(StaticParameter { name, value: 2, overrides: 1, expression: guid });
    }
    set
}

fn resource(v: &Versions) -> OwnResource {
    let mut resource = MaterialResource {
        compile_errors: vec![FString::new("error")],
        texture_dependency_lengths: Map(vec![(PackageIndex::new(12), 1)]),
        ..MaterialResource::default()
    };
    if v.file() < 656 {
        resource.expressions[1] = expressions(v);
    } else {
        resource.textures = vec![PackageIndex::new(-3)];
    }
    OwnResource { resource, ..OwnResource::default() }
}

fn resources<T: Clone>(v: &Versions, one: T) -> Resources<T> {
    let me = matches!((v.file(), v.licensee()), (491, 1008) | (512..=513, 130) | (684, 150 | 194));
    match v.file() {
        858.. => Resources { quality_mask: 5, items: vec![one; 2] },
        ..392 => Resources { quality_mask: 0, items: vec![one] },
        711.. if !me => Resources { quality_mask: 0, items: vec![one] },
        _ => Resources { quality_mask: 0, items: vec![one; 2] },
    }
}

#[test]
fn materials() {
    for v in all_versions() {
        let material = Material { resources: resources(&v, resource(&v)) };
        let bytes = laws(&material, &v, &Material::default);
        hostile(&bytes, &v, &Material::default);
        let (names, objects) = collect(&mut material.clone(), &v);
        assert!(objects.contains(&12), "{v}");
        assert_eq!(names.contains(&5), v.file() < 656);

        let one = InstanceResource { resource: resource(&v), parameters: parameters(&v) };
        let instance = MaterialInstance { resources: Some(resources(&v, one)) };
        let bytes = laws(&instance, &v, &|| MaterialInstance::blank(true));
        assert!(collect(&mut instance.clone(), &v).0.contains(&5));
        assert!(!bytes.is_empty());
        assert!(laws(&MaterialInstance::default(), &v, &MaterialInstance::default).is_empty());
    }
}

#[test]
fn the_number_of_resources_is_the_versions() {
    let v = Versions::ue1_to_3(868, 0);
    let mut material = Material { resources: resources(&v, resource(&v)) };
    material.resources.items.pop();
    assert!(save(&mut material, &v, &[]).is_err());
}

#[test]
fn expressions_nest_to_a_depth_only() {
    let v = Versions::ue1_to_3(868, 0);
    let mut deep = expression(0, Operands::None);
    for _ in 0..63 {
        deep = expression(2, Operands::One(Box::new(deep)));
    }
    let bytes = laws(&deep, &v, &Expression::default);
    let mut deeper = expression(2, Operands::One(Box::new(deep)));
    let error = save(&mut deeper, &v, &[]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooDeep { .. }));
    let mut endless = [2, 0, 0, 0, 0, 0, 0, 0].repeat(100_000);
    endless.extend(&bytes);
    let error = load(Expression::default(), &v, &endless, &context(&endless)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooDeep { .. }));
    // Names that are no class of expressions.
    let unknown = [5, 0, 0, 0, 0, 0, 0, 0];
    assert!(load(Expression::default(), &v, &unknown, &context(&unknown)).is_err());
}

/// Renumbering the name of a class must not change what its operands are taken for.
#[test]
fn only_the_loader_decides_from_names() {
    let v = Versions::ue1_to_3(868, 0);
    let mut list = expressions(&v);
    let bytes = save(&mut list, &v, &[]).unwrap();
    let swap = |index: i32| Some(7 - index);
    list.serialize(
        &mut Remap::names_and_objects(v.clone(), &swap, &Some).with_context(context(&[])),
    )
    .unwrap();
    assert_eq!(save(&mut list, &v, &[]).unwrap().len(), bytes.len());
    list.serialize(
        &mut Remap::names_and_objects(v.clone(), &swap, &Some).with_context(context(&[])),
    )
    .unwrap();
    assert_eq!(save(&mut list, &v, &[]).unwrap(), bytes);
}

fn shader(v: &Versions) -> Shader {
    let mut shader = Shader::default();
    shader.head.shader_type = Name::new(5);
    shader.code.shader_type = Name::new(6);
    shader.code.code = payload(11);
    shader.parameters = Span::owned(vec![1, 2, 3]);
    if v.file() >= 796 {
        shader.code.serializations = vec![1, 2];
        shader.head.hash = [8; 20];
    }
    shader
}

fn shader_map(v: &Versions) -> ShaderMap {
    let mut map = ShaderMap::default();
    map.body.shaders = Map(vec![(Name::new(5), (Guid::new(1, 2, 3, 4), Name::new(6)))]);
    map.body.parameters = parameters(v);
    map.body.friendly_name = FString::new("M_Rock");
    if v.file() >= 656 {
        map.expressions[0] = expressions(v);
    }
    map
}

#[test]
fn shader_caches() {
    for v in all_versions() {
        let maps = Map(vec![(parameters(&v), shader_map(&v))]);
        let cache = ShaderCache {
            shader_type_crcs: Map(vec![(Name::new(4), 99)]),
            shaders: vec![shader(&v), shader(&v)],
            material_shader_maps: maps.clone(),
            ..ShaderCache::default()
        };
        let bytes = laws(&cache, &v, &ShaderCache::default);
        hostile(&bytes, &v, &ShaderCache::default);
        let (names, _) = collect(&mut cache.clone(), &v);
        assert!([4, 5, 6].iter().all(|name| names.contains(name)));
        // Somewhere else the positions are others, and as true.
        let mut elsewhere = vec![0; 100];
        let mut saver = Saver::new(v.clone()).at(100).with_context(context(&[]));
        cache.clone().serialize(&mut saver).unwrap();
        elsewhere.extend(saver.bytes());
        let known = context(&elsewhere);
        let mut loader = Loader::new(&elsewhere, v.clone()).with_context(known.clone());
        loader.seek(&elsewhere, 100, elsewhere.len() as u64).unwrap();
        let mut loaded = ShaderCache::default();
        loaded.serialize(&mut loader).unwrap();
        assert_eq!(loader.opaque(), 6);
        assert_eq!(save(&mut loaded, &v, &elsewhere).unwrap(), bytes);

        let payload = ShaderCachePayload {
            shaders: vec![shader(&v)],
            material_shader_maps: maps,
            ..ShaderCachePayload::default()
        };
        laws(&payload, &v, &ShaderCachePayload::default);
    }
}
