//! An archive of one's own, written with what the trait asks for and nothing else: it draws up, in words,
//! what a value consists of.

use std::sync::{Arc, LazyLock};

use unreal_packages::archive::{Context, Direction, Extent, Patch, Step, Window};
use unreal_packages::table::{Export, Generation};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Archive, ArchiveExt, Archived, FString, Kind, Name, Result, Span, Versions};

/// One line a value: the path, and how many bytes.
struct Inventory {
    lines: Vec<String>,
    path: Vec<String>,
    bytes: u64,
    versions: Versions,
}

impl Inventory {
    fn of(value: &mut impl Archived, versions: Versions) -> Vec<String> {
        let mut inventory = Self { lines: Vec::new(), path: Vec::new(), bytes: 0, versions };
        value.serialize(&mut inventory).unwrap();
        inventory.lines
    }

    fn line(&mut self, bytes: u64) {
        self.lines.push(format!("{} {bytes}", self.path.join(".")));
        self.bytes += bytes;
    }
}

impl Archive for Inventory {
    fn direction(&self) -> Direction {
        Direction::Saving
    }

    fn versions(&self) -> &Versions {
        &self.versions
    }

    fn set_versions(&mut self, versions: Versions) {
        self.versions = versions;
    }

    fn context(&self) -> &Arc<Context> {
        static NOTHING: LazyLock<Arc<Context>> = LazyLock::new(Arc::default);
        &NOTHING
    }

    fn position(&self) -> u64 {
        self.bytes
    }

    fn serialize_bytes(&mut self, bytes: &mut [u8]) -> Result<()> {
        self.line(bytes.len() as u64);
        Ok(())
    }

    fn serialize_span(&mut self, span: &mut Span, _: u64, _: Kind) -> Result<()> {
        self.line(span.len());
        Ok(())
    }

    fn serialize_terminated(&mut self, span: &mut Span) -> Result<()> {
        self.line(span.len() + 1);
        Ok(())
    }

    fn open(&mut self, _: Extent) -> Result<Window> {
        Ok(Window::default())
    }

    fn close(&mut self, _: Window, result: Result<()>) -> Result<()> {
        result
    }

    fn reserve(&mut self, _: u64, _: u64) -> Result<()> {
        Ok(())
    }

    fn patch(&mut self, _: u64, _: Patch<'_>) -> Result<()> {
        Ok(())
    }

    fn step(&mut self, step: Step<'_>) {
        match step {
            Step::Leave => drop(self.path.pop()),
            Step::Field(name) => self.path.push(name.to_owned()),
            Step::Index(index) => self.path.push(index.to_string()),
            Step::Name(name) => self.path.push(name.to_string()),
            _ => {}
        }
    }

    fn as_dyn(&mut self) -> &mut dyn Archive {
        self
    }
}

#[test]
fn an_archive_of_ones_own_takes_any_value() {
    let versions = Versions::ue1_to_3(69, 0);
    let mut generations = vec![Generation::default(); 2];
    let lines = Inventory::of(&mut generations, versions.clone());
    assert_eq!(
        lines,
        [" 1", "0.export_count 4", "0.name_count 4", "1.export_count 4", "1.name_count 4"]
    );

    let mut text = FString::from("ab");
    let lines = Inventory::of(&mut text, versions.clone());
    assert_eq!(lines, ["length 1", "characters 2", "terminator 1"]);

    // A name goes through the hook for references, which does the usual.
    assert_eq!(Inventory::of(&mut Name::numbered(5, 1), Versions::ue1_to_3(500, 0)), [" 4", " 4"]);

    let mut counter = unreal_packages::Counter::new(versions.clone());
    let mut export = Export::default();
    export.serialize(&mut counter).unwrap();
    let mut inventory = Inventory { lines: Vec::new(), path: Vec::new(), bytes: 0, versions };
    export.serialize(&mut inventory).unwrap();
    assert_eq!(inventory.bytes, counter.length());
    assert!(!inventory.is_loading() && inventory.is_saving());
}
