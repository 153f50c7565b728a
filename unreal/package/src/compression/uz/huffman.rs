//! The last stage: codes of bits, lowest bit first in each byte.
//!
//! The number of symbols, a tree, then the codes. In the tree a bit 1 is a branch with two trees behind it, a
//! bit 0 a leaf with its byte.

use crate::error::{ErrorKind, Result, UnrealError};

use super::damage::damaged;

/// Most leaves of a tree: one for each byte.
const LEAVES: usize = 256;

/// A tree as it is built: of branches the number of both children in the list of nodes.
#[derive(Debug, Clone, Copy)]
enum CodeNode {
    Leaf(u8),
    Branch([u16; 2]),
}

/// Bits of bytes, lowest first.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn take(&mut self) -> Result<usize> {
        let byte = self.bytes.get(self.at / 8).ok_or_else(|| damaged("the codes end too early"))?;
        let bit = byte >> (self.at % 8) & 1;
        self.at += 1;
        Ok(bit.into())
    }

    fn left(&self) -> u64 {
        (self.bytes.len() as u64 * 8).saturating_sub(self.at as u64)
    }
}

/// The symbols of codes; at most `limit`.
///
/// # Errors
/// `Compression` when the tree or the codes do not end; `TooLarge`.
pub(super) fn unpack(data: &[u8], limit: u64) -> Result<Vec<u8>> {
    let Some((count, bytes)) = data.split_first_chunk() else {
        return Err(damaged("the number of symbols is missing"));
    };
    let count = i32::from_le_bytes(*count);
    let count = u64::try_from(count).map_err(|_| damaged(format!("{count} symbols")))?;
    let mut bits = Bits { bytes, at: 0 };
    let mut nodes = Vec::new();
    let root = tree(&mut bits, &mut nodes, 0)?;
    let is_leaf = matches!(nodes[usize::from(root)], CodeNode::Leaf(_));
    // Each code has a bit at least, but for those of a tree that is one leaf.
    if !is_leaf && count > bits.left() {
        return Err(damaged(format!("{count} symbols in {} bits", bits.left())));
    }
    if count > limit {
        return Err(UnrealError::TooLarge { size: count, limit }.into());
    }
    let mut symbols = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let mut node = root;
        symbols.push(loop {
            match nodes[usize::from(node)] {
                CodeNode::Leaf(byte) => break byte,
                CodeNode::Branch(children) => node = children[bits.take()?],
            }
        });
    }
    Ok(symbols)
}

/// Reads a tree and gives the number of its root.
fn tree(bits: &mut Bits<'_>, nodes: &mut Vec<CodeNode>, depth: usize) -> Result<u16> {
    if depth >= LEAVES || nodes.len() >= 2 * LEAVES {
        return Err(damaged("a tree of more leaves than there are bytes"));
    }
    let node = match bits.take()? {
        0 => {
            let mut byte = 0;
            for at in 0..8 {
                byte |= (bits.take()? as u8) << at;
            }
            CodeNode::Leaf(byte)
        }
        _ => CodeNode::Branch([tree(bits, nodes, depth + 1)?, tree(bits, nodes, depth + 1)?]),
    };
    nodes.push(node);
    Ok(nodes.len() as u16 - 1)
}

/// Symbols to codes, with the tree of the engine's packer: its list starts in the order of the bytes, not of
/// their counts.
///
/// # Errors
/// `OutOfRange` for 2 GiB of symbols and more.
pub(super) fn pack(symbols: &[u8]) -> Result<Vec<u8>> {
    let size = symbols.len();
    let total = i32::try_from(size)
        .map_err(|_| ErrorKind::OutOfRange { value: size as i128, bits: i32::BITS })?;
    let mut counts = [0u64; LEAVES];
    for &symbol in symbols {
        counts[usize::from(symbol)] += 1;
    }
    let leaves = counts.iter().rposition(|&count| count > 0).unwrap_or_default() + 1;
    let mut nodes: Vec<CodeNode> = (0..leaves).map(|byte| CodeNode::Leaf(byte as u8)).collect();
    let mut list: Vec<(u64, u16)> =
        (0..leaves as u16).map(|at| (counts[usize::from(at)], at)).collect();
    // The last two become one, until one is left.
    while let [.., second, first] = list[..] {
        list.truncate(list.len() - 2);
        let count = first.0 + second.0;
        let at = list.iter().position(|other| other.0 < count).unwrap_or(list.len());
        list.insert(at, (count, nodes.len() as u16));
        nodes.push(CodeNode::Branch([first.1, second.1]));
    }
    let mut codes: Vec<Vec<bool>> = vec![Vec::new(); LEAVES];
    let mut bits = BitWriter { bytes: total.to_le_bytes().to_vec(), filled: 0 };
    write_tree(&nodes, nodes.len() - 1, &mut Vec::new(), &mut codes, &mut bits);
    for &symbol in symbols {
        codes[usize::from(symbol)].iter().for_each(|&bit| bits.put(bit));
    }
    Ok(bits.bytes)
}

/// Writes a tree, and notes the code of each leaf. No tree is deeper than it has leaves.
fn write_tree(
    nodes: &[CodeNode],
    root: usize,
    code: &mut Vec<bool>,
    codes: &mut [Vec<bool>],
    bits: &mut BitWriter,
) {
    match nodes[root] {
        CodeNode::Leaf(byte) => {
            bits.put(false);
            (0..8).for_each(|at| bits.put(byte >> at & 1 != 0));
            codes[usize::from(byte)].clone_from(code);
        }
        CodeNode::Branch(children) => {
            bits.put(true);
            for (bit, child) in [false, true].into_iter().zip(children) {
                code.push(bit);
                write_tree(nodes, usize::from(child), code, codes, bits);
                code.pop();
            }
        }
    }
}

/// Bytes that bits are written into, lowest first.
struct BitWriter {
    bytes: Vec<u8>,
    /// Bits of the last byte that are written; 0 when it is full.
    filled: u8,
}

impl BitWriter {
    fn put(&mut self, bit: bool) {
        if self.filled == 0 {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(bit) << self.filled;
        }
        self.filled = (self.filled + 1) % 8;
    }
}
