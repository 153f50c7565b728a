//! What an input chooses, byte by byte; where it ends, zeros follow.

use arbitrary::Unstructured;
use unreal_packages::Package;
use unreal_packages::inspect::PackageValues;

/// Texts of names, values and paths.
const TEXTS: &[&str] = &[
    "",
    "0",
    "1",
    "-1",
    "7",
    "255",
    "2147483647",
    "1.5",
    "-0.0",
    "NaN",
    "true",
    "false",
    "None",
    "A",
    "Größe",
    "世界",
    "New",
    "New_3",
    "New_03",
    "Thing",
    "(X=1,Y=2,Z=3)",
    "(1,2,3)",
    "()",
    "Deep",
    "Deep.New",
    "Deep.Deeper",
    "Engine.Texture'Botpack.Skins.Blue'",
    "Deep.Thing_3",
    "/Script/Engine.Texture2D'/Game/T/Blue.Blue'",
    "/Game/T/Blue.Blue",
    "/Game/Other",
    "Botpack",
    "Engine.Actor",
    "Core.Class",
    "Core.Package",
    "/Script/Engine.Actor",
    "Engine.Texture",
    "/Script/CoreUObject.Class",
    "/Script/CoreUObject.Package",
    "Core.TextBuffer",
    "Lamp",
    "a.b.c.d",
    "New'",
    "x y",
    ".",
    "[0]",
    "IntValue",
    "Damage",
    "Caption",
    "Number",
    "Sword",
];

/// Types of properties.
const TYPES: &[&str] = &[
    "int",
    "byte",
    "bool",
    "float",
    "name",
    "string",
    "object",
    "struct:Vector",
    "struct:Color",
    "array:int",
    "array:name",
    "array:object",
    "struct:Guid",
    "text",
    "soft-object",
    "double",
    "map:name:int",
    "set:name",
    "enum:EMode",
    "array:struct:Vector",
    "byte-enum:ELight",
    "int64",
    "class:Actor",
    "struct:Row",
];

/// The rest of an input.
#[derive(Debug)]
pub struct Input<'a>(Unstructured<'a>);

impl<'a> Input<'a> {
    pub fn new(data: &'a [u8]) -> Self {
        Self(Unstructured::new(data))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A number below this one.
    pub fn below(&mut self, end: usize) -> usize {
        match end {
            0 | 1 => 0,
            2..=256 => usize::from(self.byte()) % end,
            _ => (usize::from(self.byte()) << 8 | usize::from(self.byte())) % end,
        }
    }

    pub fn byte(&mut self) -> u8 {
        self.0.arbitrary().unwrap_or(0)
    }

    /// Up to so many bytes.
    pub fn bytes(&mut self, most: usize) -> Vec<u8> {
        let count = self.below(most + 1).min(self.0.len());
        self.0.bytes(count).map(<[u8]>::to_vec).unwrap_or_default()
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        let at = self.below(items.len());
        items.get(at).copied()
    }

    /// A text of the list, or one of the input's own.
    pub fn text(&mut self) -> String {
        match self.below(TEXTS.len() + 3) {
            at if at < TEXTS.len() => TEXTS[at].to_owned(),
            _ => String::from_utf8_lossy(&self.bytes(12)).into_owned(),
        }
    }

    pub fn property_type(&mut self) -> &'static str {
        self.pick(TYPES).unwrap_or("int")
    }

    /// The path of an object of the package; seldom one that need not be there.
    pub fn object(&mut self, package: &Package) -> String {
        match self.below(16) {
            15 => self.text(),
            _ => package.exports().path(
                self.below(package.exports().len().max(1))
                    .min(package.exports().len().saturating_sub(1)),
            ),
        }
    }

    /// The path of an import of the package.
    pub fn import(&mut self, package: &Package) -> String {
        let paths: Vec<String> = package.imports().iter().map(|import| import.path()).collect();
        let at = self.below(paths.len());
        paths.get(at).cloned().unwrap_or_else(|| self.text())
    }

    /// A name of the package.
    pub fn name(&mut self, package: &Package) -> String {
        let at = self.below(package.names().len());
        package.names().get(at).map_or_else(|| self.text(), |name| name.into_owned())
    }

    /// The path of a property of an object; seldom one that is not there.
    pub fn property(&mut self, package: &Package, object: &str) -> String {
        let properties = package.values().properties(object).unwrap_or_default();
        match self.below(8) {
            0..6 if !properties.is_empty() => properties[self.below(properties.len())].path.clone(),
            6 => self.name(package),
            _ => self.text(),
        }
    }
}
