//! Complete type names: the type of a property with all its inner types.

use crate::Archived;
use crate::archive::{Archive, ArchiveExt, Step};
use crate::error::{ErrorKind, Result};
use crate::primitive::Name;

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

/// Writes or visits a whole tree.
pub(super) fn serialize_tree<A: Archive + ?Sized>(
    nodes: &mut [TypeNode],
    ar: &mut A,
) -> Result<()> {
    TypeNode::serialize_slice(nodes, ar)
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
        ar.enter(Step::Index(nodes.len()));
        let result = node.serialize(ar);
        ar.leave();
        result.map_err(|error| error.at_index(nodes.len()))?;
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
