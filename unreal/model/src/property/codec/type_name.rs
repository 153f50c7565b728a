//! Complete type names: the type of a property with all its inner types.

use crate::Archived;
use crate::archive::{Archive, ArchiveExt, at_index};
use crate::error::{ErrorKind, Result};
use crate::primitive::Name;
use crate::property::stored_type::tag_class;
use crate::property::structure::Structure;
use crate::property::{Named, Naming, PropertyKind, Type};

/// One name of a complete type name: the tree of types stands in pre-order, each node followed by the
/// trees of its inner types (`ArrayProperty 1`, `StructProperty 1`, `Guid 1`, `/Script/CoreUObject 0`).
///
/// Spec: ue4-5/04 §4. C++: `FPropertyTypeName`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Archived)]
pub struct TypeNode {
    /// A property class, a struct, an enum, or the package that it is from.
    pub name: Name,
    /// How many trees follow that belong to it.
    pub inner_count: i32,
}

/// The whole tree of a first node that has been read.
pub(super) fn load_children<A: Archive + ?Sized>(
    root: TypeNode,
    ar: &mut A,
) -> Result<Vec<TypeNode>> {
    let inner_count = |node: &TypeNode, ar: &mut A| {
        u64::try_from(node.inner_count)
            .map_err(|_| ar.error(ErrorKind::NegativeCount { count: node.inner_count.into() }))
    };
    let mut missing = inner_count(&root, ar)?;
    let mut nodes = Vec::with_capacity(4);
    nodes.push(root);
    while missing > 0 {
        ar.claim(missing, size_of::<TypeNode>())?;
        let mut node = TypeNode::default();
        at_index(nodes.len(), ar, |ar| node.serialize(ar))?;
        missing = missing - 1 + inner_count(&node, ar)?;
        nodes.push(node);
    }
    Ok(nodes)
}

/// The tree of the `wanted`th inner type of the first node.
pub(in crate::property) fn inner(nodes: &[TypeNode], wanted: usize) -> Option<&[TypeNode]> {
    let (root, mut rest) = nodes.split_first()?;
    if wanted >= usize::try_from(root.inner_count).ok()? {
        return None;
    }
    for _ in 0..wanted {
        rest = rest.get(tree_length(rest)..)?;
    }
    rest.get(..tree_length(rest)).filter(|tree| !tree.is_empty())
}

fn tree_length(nodes: &[TypeNode]) -> usize {
    let mut missing = 1_u64;
    for (index, node) in nodes.iter().enumerate() {
        missing = missing - 1 + u64::try_from(node.inner_count).unwrap_or(0);
        if missing == 0 {
            return index + 1;
        }
    }
    nodes.len()
}

/// The complete type name: each name, then its inner types.
pub(super) fn add(known: &Type, naming: &mut dyn Naming, nodes: &mut Vec<TypeNode>) -> Result<()> {
    let at = nodes.len();
    let name = naming.name(tag_class(known))?;
    nodes.push(TypeNode { name, inner_count: 0 });
    let mut count = 0;
    if let Some(named) = known.name() {
        count += 1;
        let package = package_of(named, known.kind());
        let inner_count = i32::from(!package.is_empty());
        nodes.push(TypeNode { name: naming.name(&named.name)?, inner_count });
        if inner_count > 0 {
            nodes.push(TypeNode { name: naming.name(package)?, inner_count: 0 });
        }
        if !named.guid.is_zero() {
            count += 1;
            let guid = named.guid.to_string().replace('-', "");
            nodes.push(TypeNode { name: naming.name(&guid)?, inner_count: 0 });
        }
    } else if matches!(
        known.kind(),
        PropertyKind::Struct | PropertyKind::Enum | PropertyKind::Unknown
    ) {
        return Err(known.incomplete());
    }
    let wanted = match known.kind() {
        PropertyKind::Array | PropertyKind::Set | PropertyKind::Optional | PropertyKind::Enum => 1,
        PropertyKind::Map => 2,
        _ => 0,
    };
    if known.inner().len() != wanted {
        return Err(known.incomplete());
    }
    for inner in known.inner() {
        count += 1;
        add(inner, naming, nodes)?;
    }
    if let Some(node) = nodes.get_mut(at) {
        node.inner_count = count;
    }
    Ok(())
}

/// The package of a struct: the core's where its layout is the engine's own and nothing else is known.
fn package_of(named: &Named, kind: PropertyKind) -> &str {
    const CORE: &str = "Box Color DateTime FrameNumber Guid Int LinearColor Matrix Plane Quat \
                        Rotator Soft Sphere Timespan Transform TwoVectors Uint Vector";
    let starts = |known: &str| {
        named.name.get(..known.len()).is_some_and(|start| start.eq_ignore_ascii_case(known))
    };
    let own = Structure::of_name(&named.name) != Structure::OTHER
        || named.name.eq_ignore_ascii_case("Transform");
    match named.package.as_str() {
        "" if kind == PropertyKind::Struct && own && CORE.split_whitespace().any(starts) => {
            "/Script/CoreUObject"
        }
        package => package,
    }
}
