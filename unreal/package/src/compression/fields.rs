//! The fields of a file around a package: its own summary, its chunks with their tables, its blocks.

use super::Framing;
use super::chunks::{ChunkData, Chunks};
use super::container::{Container, Inner};
use super::lineage::{Footer, HEADER, Lineage};
use super::stream::Stream;
use crate::archive::{
    Annotate, ArchiveExt, Archived, Kind, Loader, Record, RecordValue, Span, Step,
};
use crate::error::Result;
use crate::version::{UnrealVersions, Versions};

impl Container {
    /// Every byte of the file with its field, ascending: the summary as it is stored, of each chunk the framing
    /// with the sizes of its blocks, the blocks themselves. What no field says is a gap.
    ///
    /// Fields inside of the blocks, encrypted or not, are in the explanation of the package
    /// (`inspect::Explanation`).
    ///
    /// # Errors
    /// None that opening did not report.
    pub fn fields(&self) -> Result<Vec<Record>> {
        let mut fields = FileFields { file: self.file(), all: Vec::new() };
        match self.inner() {
            Inner::Chunks(chunks) => fields.of_chunks(chunks)?,
            Inner::Stream(stream) => fields.of_stream(stream)?,
            Inner::Lineage(lineage) => fields.of_lineage(lineage)?,
            Inner::Around(around) => return around.fields(self.file()),
        }
        Ok(fields.all)
    }
}

/// FileFields on their way into a list.
struct FileFields<'a> {
    file: &'a [u8],
    all: Vec<Record>,
}

impl FileFields<'_> {
    /// The records of reading a value between these places.
    fn read<T: Archived + Default>(
        &mut self,
        steps: &[Step],
        (start, end): (u64, u64),
        versions: &Versions,
    ) -> Result<()> {
        let mut loader = Loader::new(self.file, versions.clone());
        loader.seek(self.file, start, end)?;
        let mut annotate = Annotate::new(&mut loader);
        steps.iter().for_each(|step| annotate.enter(*step));
        let read = T::default().serialize(&mut annotate);
        self.all.extend(annotate.into_records());
        read
    }

    /// Bytes that are kept as they are.
    fn span(&mut self, path: &str, span: &Span, kind: Kind) {
        if let Some(range) = span.range().filter(|range| !range.is_empty()) {
            self.whole(path, (range.start, range.end), RecordValue::Span(kind));
        }
    }

    fn whole(&mut self, path: &str, (start, end): (u64, u64), value: RecordValue) {
        let (path, meaning) = (path.to_owned(), String::new());
        self.all.push(Record { start, end, path, type_name: "bytes", value, meaning, role: None });
    }

    fn of_chunks(&mut self, chunks: &Chunks) -> Result<()> {
        let versions = &chunks.versions;
        let summary = [Step::Field("summary")];
        self.read::<crate::table::Summary>(&summary, (0, chunks.summary_size), versions)?;
        for (row, chunk) in chunks.list.iter().enumerate() {
            self.span("gap", &chunk.lead, Kind::Gap);
            match &chunk.data {
                ChunkData::Raw(span) => {
                    self.span(&format!("chunks[{row}].data"), span, Kind::Payload);
                }
                ChunkData::Framed(_) => {
                    let end = chunk.compressed_offset.saturating_add(chunk.compressed_size);
                    let place = (chunk.compressed_offset, end);
                    let steps = [Step::Field("chunks"), Step::Index(row)];
                    self.read::<Framing>(&steps, place, versions)?;
                }
            }
            self.span("gap", &chunk.slack, Kind::Gap);
        }
        self.span("gap", &chunks.tail, Kind::Gap);
        Ok(())
    }

    fn of_stream(&mut self, stream: &Stream) -> Result<()> {
        let place = (0, self.file.len() as u64);
        self.read::<Framing>(&[Step::Field("stream")], place, &Versions::unreal())?;
        self.span("gap", &stream.tail, Kind::Gap);
        Ok(())
    }

    fn of_lineage(&mut self, lineage: &Lineage) -> Result<()> {
        let (header, length) = (HEADER as u64, self.file.len() as u64);
        let footer = length - (lineage.around() - header);
        let text = self.file.get(..HEADER).unwrap_or_default();
        self.whole("header", (0, header), RecordValue::Bytes(text.to_vec()));
        if let Some(header) = self.all.last_mut() {
            let letters = text.iter().step_by(2).map(|&letter| char::from(letter));
            header.meaning = letters.collect();
        }
        self.whole("package", (header, footer), RecordValue::Span(Kind::Payload));
        if let Some(package) = self.all.last_mut() {
            package.meaning = format!("encrypted by XOR with {:#04x}", lineage.key);
        }
        if footer < length {
            let place = (footer, length);
            self.read::<Footer>(&[Step::Field("footer")], place, &Versions::unreal())?;
        }
        Ok(())
    }
}
