//! The archive that writes JSON.

use std::fmt;
use std::sync::Arc;

use data_encoding::BASE64;
use serde_json::{Value, json};

use super::JsonTexts;
use super::fold::{FoldFrame, Item, ReadAs};
use super::keys::{BITS, COMPACT, HEX, NUMBER, ROW, characters, key_of};
use crate::archive::ext::number_of;
use crate::archive::{
    Archive, CompactIndex, Context, Counter, Direction, Extent, Keyed, Kind, Patch, Reference,
    Span, Step, Target, Window, hex,
};
use crate::error::{PathStep, Result};
use crate::version::Versions;

/// Writes values as JSON instead of bytes; [`super::JsonLoader`] reads them back.
pub struct JsonSaver<'a> {
    /// Where the bytes would stand.
    counter: Counter,
    texts: &'a dyn JsonTexts,
    leaves: Vec<Value>,
    /// Where each leaf would stand.
    places: Vec<u64>,
    /// Steps, and what is inside; those without a name belong to what is around.
    open: Vec<(Option<PathStep>, FoldFrame)>,
    root: FoldFrame,
    rows: Option<RowSink<'a>>,
    /// Whether values are written as people read them, where they say how.
    readable: bool,
    /// The meaning of the next number.
    meaning: NumberMeaning,
}

/// The meaning of the next number for people.
#[derive(Debug, Default)]
enum NumberMeaning {
    /// Itself.
    #[default]
    Number,
    /// A truth value.
    Truth,
    /// A variant, by its name.
    Name(Vec<(&'static str, i64)>),
}

/// Takes the rows of a list one by one.
type RowSink<'a> = &'a mut dyn FnMut(Value);

impl<'a> JsonSaver<'a> {
    /// Writes values that stand at `position` bytes from the start of the file.
    pub fn new(
        versions: Versions,
        context: Arc<Context>,
        texts: &'a dyn JsonTexts,
        position: u64,
    ) -> Self {
        let counter = Counter::new(versions).with_context(context).at(position);
        let (leaves, places) = Default::default();
        let root = FoldFrame::default();
        let (readable, meaning) = (false, NumberMeaning::Number);
        Self {
            counter,
            texts,
            leaves,
            places,
            open: Vec::new(),
            root,
            rows: None,
            readable,
            meaning,
        }
    }

    /// The same in the form that people read, for formats of one's own: texts as texts, variants by their names,
    /// options as null, truth values as such. [`JsonLoader::readable`](super::JsonLoader::readable) reads it.
    #[must_use]
    pub fn readable(self) -> Self {
        Self { readable: true, ..self }
    }

    /// Hands the rows of a list on as they are serialised, where it is nothing but its rows: only what is left
    /// stands in the value at the end.
    #[must_use]
    pub fn with_rows(self, rows: &'a mut dyn FnMut(Value)) -> Self {
        Self { rows: Some(rows), ..self }
    }

    /// The JSON form of what was serialised.
    pub fn into_value(mut self) -> Value {
        let versions = self.counter.versions().clone();
        self.root.fold(&mut self.leaves, self.texts, &versions)
    }

    fn items(&mut self) -> &mut Vec<Item> {
        &mut self.open.last_mut().map_or(&mut self.root, |(_, frame)| frame).items
    }

    fn leaf(&mut self, at: u64, value: Value) {
        let place = self.leaves.len();
        self.items().push(Item::Leaf(place));
        self.leaves.push(value);
        self.places.push(at);
    }

    /// A number as what it means.
    fn number(&mut self, number: Value) -> Value {
        let stored = number.as_i64();
        match std::mem::take(&mut self.meaning) {
            NumberMeaning::Truth if stored == Some(0) || stored == Some(1) => {
                json!(stored == Some(1))
            }
            NumberMeaning::Name(names) => {
                let name = names.iter().find(|(_, value)| Some(*value) == stored);
                name.map_or(number, |(name, _)| json!(name))
            }
            _ => number,
        }
    }

    /// The parts that come next are those of such a value, if they are all of it.
    fn shape(&mut self, shape: ReadAs) {
        let frame = self.open.last_mut().map_or(&mut self.root, |(_, frame)| frame);
        if frame.items.is_empty() {
            frame.shape = shape;
        }
    }

    /// Where keys say what bytes say otherwise.
    fn keyed(&mut self, said: Keyed<'_>) {
        let at = self.position();
        match said {
            Keyed::Text(text, answer) if self.readable => {
                self.leaf(at, json!(text.to_string()));
                answer.set(Some(String::new()));
            }
            Keyed::Number(number, answered) if self.readable => {
                let number = number.get();
                let small = i64::try_from(number).map(|number| json!(number));
                let json = small.or_else(|_| u64::try_from(number).map(|number| json!(number)));
                if let Ok(json) = json {
                    self.leaf(at, json);
                    answered.set(true);
                }
            }
            Keyed::Truth if self.readable => self.meaning = NumberMeaning::Truth,
            Keyed::Optional if self.readable => self.shape(ReadAs::Optional),
            Keyed::Variant(names) if self.readable => {
                self.shape(ReadAs::Variant);
                self.meaning = NumberMeaning::Name(names.to_vec());
            }
            Keyed::Derived(answer) => answer.set(self.readable),
            Keyed::Keys(keys) => keys.set(Some(Vec::new())),
            Keyed::Follows(length) => self.counter.pass(length),
            Keyed::Zero => self.leaf(at, Value::Null),
            Keyed::Empty => self.leaf(at, json!({})),
            Keyed::NoElements => {
                if let Some(count) = self.leaves.last_mut().filter(|leaf| **leaf == json!(0)) {
                    *count = json!([]);
                }
            }
            _ => {}
        }
    }

    /// The leaf that would stand at `at`.
    fn leaf_at(&mut self, at: u64) -> Option<&mut Value> {
        let place = self.places.iter().rposition(|&place| place == at)?;
        self.leaves.get_mut(place)
    }
}

impl fmt::Debug for JsonSaver<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonSaver").field("leaves", &self.leaves.len()).finish_non_exhaustive()
    }
}

macro_rules! integers {
    ($($type:ty),*) => { paste::paste! { $(
        fn [<serialize_ $type>](&mut self, value: &mut $type) -> Result<()> {
            let at = self.position();
            self.counter.[<serialize_ $type>](value)?;
            let number = self.number(json!(*value));
            self.leaf(at, number);
            Ok(())
        }
    )* } };
}

fn compact(index: CompactIndex) -> Value {
    match index.is_canonical() {
        true => json!(index.value()),
        false => {
            let (bytes, length) = index.encode();
            json!({ COMPACT: hex(&bytes[..length]) })
        }
    }
}

impl Archive for JsonSaver<'_> {
    fn direction(&self) -> Direction {
        Direction::Saving
    }

    fn versions(&self) -> &Versions {
        self.counter.versions()
    }

    fn set_versions(&mut self, versions: Versions) {
        self.counter.set_versions(versions);
    }

    fn context(&self) -> &Arc<Context> {
        self.counter.context()
    }

    fn position(&self) -> u64 {
        self.counter.position()
    }

    fn serialize_bytes(&mut self, bytes: &mut [u8]) -> Result<()> {
        let at = self.position();
        self.counter.serialize_bytes(bytes)?;
        if !bytes.is_empty() {
            self.leaf(at, json!({ HEX: hex(bytes) }));
        }
        Ok(())
    }

    fn serialize_span(&mut self, span: &mut Span, length: u64, kind: Kind) -> Result<()> {
        let at = self.position();
        let context = self.context().clone();
        let bytes = span.bytes(context.source())?;
        let value = match kind {
            Kind::Text => characters(bytes),
            kind => json!({ key_of(kind): BASE64.encode(bytes) }),
        };
        self.counter.serialize_span(span, length, kind)?;
        if !span.is_empty() {
            self.leaf(at, value);
        }
        Ok(())
    }

    fn reference(&mut self, reference: Reference<'_>) -> Result<()> {
        let Reference { space, target } = reference;
        let Target::Row { row, width, mut number } = target else { return Ok(()) };
        let at = self.position();
        let inner = Target::Row { row: &mut *row, width, number: number.as_deref_mut() };
        self.counter.reference(Reference { space, target: inner })?;
        let text = self.texts.text(space, row.value()).filter(|_| row.is_canonical());
        let is_parted =
            number.is_some() && text.is_some_and(|text| self.texts.is_parted(space, text));
        let value = text.map_or_else(|| compact(*row), |text| json!(text));
        let value = match number {
            Some(number) if *number != 0 => {
                let plain = row.is_canonical();
                match self.texts.numbered_text(space, row.value(), *number).filter(|_| plain) {
                    Some(text) => json!(text),
                    None => json!({ ROW: value, NUMBER: *number }),
                }
            }
            Some(number) if is_parted => json!({ ROW: value, NUMBER: *number }),
            _ => value,
        };
        self.leaf(at, value);
        Ok(())
    }

    fn open(&mut self, extent: Extent) -> Result<Window> {
        // A level alone in place of a size: leaves that were written stay when their value fails.
        self.counter.open(match extent {
            Extent::Size(_) => Extent::Level,
            extent => extent,
        })
    }

    fn close(&mut self, window: Window, result: Result<()>) -> Result<()> {
        self.counter.close(window, result)
    }

    fn reserve(&mut self, _: u64, _: u64) -> Result<()> {
        Ok(())
    }

    fn patch(&mut self, at: u64, patch: Patch<'_>) -> Result<()> {
        match patch {
            Patch::Bytes(bytes) => {
                let number = number_of(bytes, self.versions().byte_order);
                // Eight bytes are a position, which may lie before the start of the file.
                let number =
                    if bytes.len() == 8 { json!(number.cast_signed()) } else { json!(number) };
                if let Some(leaf) = self.leaf_at(at) {
                    *leaf = number;
                }
            }
            Patch::MoveFrom(from) => {
                let first = self.places.partition_point(|&place| place < at);
                let moved = self.places.partition_point(|&place| place < from);
                let items = self.items();
                let from = items.partition_point(|item| item.first_leaf() < moved);
                let to = items.partition_point(|item| item.first_leaf() < first);
                // Prefix and value change places.
                if let Some(both) = items.get_mut(to..) {
                    both.rotate_left(from - to);
                }
            }
        }
        Ok(())
    }

    fn as_dyn(&mut self) -> &mut dyn Archive {
        self
    }

    fn step(&mut self, step: Step<'_>) {
        let name = match step {
            Step::Leave | Step::Part(None) => {
                match self.open.pop() {
                    Some((Some(PathStep::Index(_)), frame))
                        if self.rows.is_some()
                            && self.open.is_empty()
                            && self.root.items.is_empty() =>
                    {
                        let versions = self.counter.versions().clone();
                        let row = frame.fold(&mut self.leaves, self.texts, &versions);
                        self.leaves.clear();
                        self.places.clear();
                        if let Some(rows) = &mut self.rows {
                            rows(row);
                        }
                    }
                    Some((Some(step), frame)) => self.items().push(Item::Step(step, frame)),
                    Some((None, frame)) => self.items().extend(frame.items),
                    None => {}
                }
                return;
            }
            Step::Form { name, words, number } => {
                let form = number.get().filter(|&number| number != 0).map(|number| {
                    let word = usize::try_from(number).ok().and_then(|at| words.get(at));
                    word.map_or_else(|| json!(number), |word| json!(word))
                });
                let at = self.leaves.len();
                self.items().push(Item::Form(at, name, form));
                return;
            }
            Step::Keyed(said) => return self.keyed(said),
            // The reference that it is known by stands there already.
            Step::Row { .. } => None,
            Step::Part(Some(name)) => Some(PathStep::Field(name)),
            step => match step.entered(self.context()) {
                None => return,
                step => step,
            },
        };
        self.open.push((name, FoldFrame { start: self.leaves.len(), ..FoldFrame::default() }));
    }

    integers!(u8, i8, u16, i16, u32, i32, u64, i64);

    fn serialize_f32(&mut self, value: &mut f32) -> Result<()> {
        let at = self.position();
        self.counter.serialize_f32(value)?;
        // The shortest form that means the same number, where there is one.
        let short = value.to_string().parse().ok().filter(|short: &f64| {
            value.is_finite() && (*short as f32).to_bits() == value.to_bits()
        });
        let json = match short {
            Some(short) => json!(short),
            None => json!({ BITS: value.to_bits() }),
        };
        self.leaf(at, json);
        Ok(())
    }

    fn serialize_f64(&mut self, value: &mut f64) -> Result<()> {
        let at = self.position();
        self.counter.serialize_f64(value)?;
        let json = match value.is_finite() {
            true => json!(*value),
            false => json!({ BITS: value.to_bits() }),
        };
        self.leaf(at, json);
        Ok(())
    }

    fn serialize_compact(&mut self, index: &mut CompactIndex) -> Result<()> {
        let at = self.position();
        self.counter.serialize_compact(index)?;
        self.leaf(at, compact(*index));
        Ok(())
    }

    fn serialize_terminated(&mut self, span: &mut Span) -> Result<()> {
        let at = self.position();
        let context = self.context().clone();
        let value = characters(span.bytes(context.source())?);
        self.counter.serialize_terminated(span)?;
        self.leaf(at, value);
        Ok(())
    }
}
