//! How a file stores its package: in words, and the chunk map.

use serde_json::{Value, json};
use unreal_packages::compression::{Chunk, Container, ContainerForm, Framing};

use crate::output::{count, grouped};

/// `LZO chunks`, `LZMA stream`, `Lineage II, Ver111`.
pub fn form(form: ContainerForm) -> String {
    match form {
        ContainerForm::Chunks { method } => format!("{method} chunks"),
        ContainerForm::Stream { method } => format!("{method} stream"),
        ContainerForm::Lineage { version } => format!("Lineage II, Ver{version}"),
        ContainerForm::Zen => "zen package, as in IoStore containers".to_owned(),
        _ => "stored in a form of its own".to_owned(),
    }
}

/// One line on the whole, then one for each chunk.
pub fn lines(container: &Container, image: u64) -> Vec<String> {
    let file = container.file().len() as u64;
    let percent = file as f64 * 100.0 / image.max(1) as f64;
    let blocks: usize = container.framings().iter().map(|framing| framing.blocks.len()).sum();
    let mut first = format!(
        "{}: {} bytes in a file of {} ({percent:.1}%)",
        form(container.form()),
        grouped(image),
        grouped(file)
    );
    if blocks > 0 {
        first.push_str(&format!(", {}", count(blocks as u64, "block", "blocks")));
    }
    let chunks = container.chunks().iter().map(|chunk| {
        let (from, to) = (chunk.uncompressed_offset, chunk.compressed_offset);
        let (size, stored) = (chunk.uncompressed_size, chunk.compressed_size);
        let ratio = stored as f64 * 100.0 / size.max(1) as f64;
        let blocks = match chunk.framing() {
            Some(framing) => count(framing.blocks.len() as u64, "block", "blocks"),
            None => "stored as it is".to_owned(),
        };
        format!(
            "  {from:#010x}..{:#010x} at {to:#010x}..{:#010x}  {:>11} in {:>11} ({ratio:.1}%)  {blocks}",
            from + size,
            to + stored,
            grouped(size),
            grouped(stored),
        )
    });
    std::iter::once(first).chain(chunks).collect()
}

/// The same for scripts.
pub fn as_json(container: &Container, image: u64) -> Value {
    let blocks = |framing: &Framing| -> Vec<Value> {
        let pair = |block: &unreal_packages::compression::Block| {
            json!([block.uncompressed_size, block.compressed_size])
        };
        framing.blocks.iter().map(pair).collect()
    };
    let chunk = |chunk: &Chunk| {
        json!({ "uncompressed_offset": chunk.uncompressed_offset,
                "uncompressed_size": chunk.uncompressed_size,
                "compressed_offset": chunk.compressed_offset,
                "compressed_size": chunk.compressed_size,
                "block_size": chunk.framing().map(|framing| framing.block_size),
                "blocks": chunk.framing().map(blocks) })
    };
    let file = container.file().len() as u64;
    json!({
        "form": container.form(),
        "file_bytes": file,
        "image_bytes": image,
        "ratio": file as f64 / image.max(1) as f64,
        "coverage": container.coverage(),
        "chunks": container.chunks().iter().map(chunk).collect::<Vec<_>>(),
        "stream": match container.form() {
            ContainerForm::Stream { .. } => container.framings().first().map(|framing| blocks(framing)),
            _ => None,
        },
    })
}
