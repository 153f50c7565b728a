//! Structs whose layout depends on their own values.

use super::fields::Fields;
use crate::archive::{Kind, Span};
use crate::error::Result;
use crate::primitive::PackageIndex;
use crate::property::pin_type::{self, PinTypeForm};
use crate::property::structure::Special;
use crate::property::{Elements, InstancedStruct, Value};
use crate::version::UnrealVersions;
use crate::version::custom::{
    FORTNITE_MAIN, FRAMEWORK, NIAGARA, PROPERTY_BAG, fortnite_main, framework, niagara,
    property_bag,
};
use crate::{Archive, ArchiveExt};

/// First UE5 version whose material inputs refer to their expression in cooked packages.
const COOKED_EXPRESSIONS: u32 = 1007;

impl<A: Archive + ?Sized> Fields<'_, A> {
    pub(super) fn special(&mut self, special: Special, odd: bool) -> Result<()> {
        match special {
            Special::PerPlatform(letter) => {
                let cooked = self.number()? != 0;
                let value = self.blank(letter);
                self.one(value)?;
                let editor = self.ar.versions().has_editor_only_data();
                if !cooked && (editor || odd) {
                    let letters: &str = match letter {
                        'f' => "nf",
                        'F' => "nF",
                        'u' => "nu",
                        _ => "ni",
                    };
                    self.group(letters)?;
                }
                Ok(())
            }
            Special::UniqueNetId => match self.number()? {
                0 => Ok(()),
                _ if odd => self.letters("s"),
                _ => self.letters("ns"),
            },
            Special::Input(constant) => self.input(constant),
            Special::Named => match self.one(Value::Str(Box::default()))? {
                Value::Str(name) if !name.is_empty() => self.letters("T"),
                _ => Ok(()),
            },
            Special::FontData => match self.number()? {
                0 => self.letters("T"),
                _ => {
                    let face = self.one(Value::Object(PackageIndex::NULL))?;
                    let inline = matches!(face, Value::Object(index) if index.is_null());
                    self.letters(if inline { "sbbi" } else { "i" })
                }
            },
            Special::PinType => self.pin_type(),
            Special::Channel(letter) => self.channel(letter),
            Special::PropertyBag => self.property_bag(),
            Special::StructContainer => self.struct_container(),
            Special::KeyArrays(count) => (0..count).try_for_each(|_| self.key_array()),
            Special::Instanced => Ok(()),
            Special::AttributeCurve => self.attribute_curve(),
            Special::GpuParameters => self.gpu_parameters(),
        }
    }

    /// Packages without editor data name the expression, others refer to it (spec: ue4-5/04 §6).
    fn input(&mut self, constant: &str) -> Result<()> {
        let versions = self.ar.versions();
        let refers = versions.has_editor_only_data() || versions.ue5() >= COOKED_EXPRESSIONS;
        let named = versions.custom(&FRAMEWORK) >= framework::PINS_STORE_FNAME;
        self.letters(if refers { "oi" } else { "i" })?;
        self.letters(if named { "n" } else { "s" })?;
        self.letters(if refers { "iiiii" } else { "iiiiin" })?;
        self.letters(constant)
    }

    /// Spec: ue4-5/05 §4.
    fn pin_type(&mut self) -> Result<()> {
        let mut form = PinTypeForm::of(self.ar.versions());
        for field in pin_type::FIELDS {
            let Some(letter) = form.letter(field) else { continue };
            let blank = self.blank(letter);
            let number = match self.one(blank)? {
                Value::Byte(number) => (*number).into(),
                Value::UInt32(number) => *number,
                _ => 0,
            };
            form.note(field, number);
        }
        Ok(())
    }

    /// Spec: ue4-5/09 §12.
    fn channel(&mut self, letter: char) -> Result<()> {
        let show_curve = self.ar.versions().custom(&FORTNITE_MAIN)
            >= fortnite_main::SERIALIZE_FLOAT_CHANNEL_SHOW_CURVE;
        self.letters("bbi[i]")?;
        self.key_array()?;
        self.letters(if letter == 'd' { "duii" } else { "fuii" })?;
        self.letters(if show_curve { "u" } else { "" })
    }

    /// The size of an element, their count, and their bytes.
    fn key_array(&mut self) -> Result<()> {
        let each = self.number()?;
        let count = self.number()?;
        let mut keys = Box::<Span>::default();
        let length = u64::from(each) * u64::from(count);
        self.step(|fields| fields.ar.serialize_span(&mut keys, length, Kind::Payload))?;
        self.values.push(Value::Keys(keys));
        Ok(())
    }

    /// Properties that the value itself declares, then a list of them (C++: `FInstancedPropertyBag`).
    fn property_bag(&mut self) -> Result<()> {
        if self.number()? == 0 {
            return Ok(());
        }
        self.group_of(|fields| fields.bag_property())?;
        self.untyped(PackageIndex::NULL)
    }

    /// Times, the struct of the values, then a value for each time (C++: `FAttributeCurve`).
    fn attribute_curve(&mut self) -> Result<()> {
        self.letters("[f]")?;
        let times = match self.values.last() {
            Some(Value::Array(times)) => times.len(),
            _ => 0,
        };
        self.letters("p")?;
        (0..times).try_for_each(|_| self.letters("T"))
    }

    /// Symbol and class, then functions (C++: `FNiagaraDataInterfaceGPUParamInfo`).
    fn gpu_parameters(&mut self) -> Result<()> {
        self.letters("ss")?;
        match self.ar.versions().custom(&NIAGARA) {
            niagara::ADD_GENERATED_FUNCTIONS_TO_GPU_PARAM_INFO.. => {
                self.group_of(|fields| fields.gpu_function())
            }
            _ => Ok(()),
        }
    }

    /// C++: `FNiagaraDataInterfaceGeneratedFunction`.
    fn gpu_function(&mut self) -> Result<()> {
        let version = self.ar.versions().custom(&NIAGARA);
        self.letters("ns[nn]")?;
        if version >= niagara::ADD_VARIADIC_PARAMETERS_TO_GPU_FUNCTION_INFO {
            self.letters("[no][no]")?;
        }
        match version {
            niagara::SERIALIZE_USAGE_BIT_MASK_TO_GPU_FUNCTION_INFO.. => self.letters("h"),
            _ => Ok(()),
        }
    }

    /// A version, references to structs, then a value of each (C++: `FInstancedStructContainer`).
    fn struct_container(&mut self) -> Result<()> {
        self.byte()?;
        self.letters("[o]")?;
        let structures: Vec<PackageIndex> = match self.values.last() {
            Some(Value::Array(Elements::Object(structures))) => structures.clone(),
            Some(Value::Array(Elements::Values(values))) => {
                let object = |value: &Value| match value {
                    Value::Object(index) => *index,
                    _ => PackageIndex::NULL,
                };
                values.iter().map(object).collect()
            }
            _ => Vec::new(),
        };
        structures.into_iter().try_for_each(|structure| self.untyped(structure))
    }

    /// A value behind its size, of a struct that stands before it.
    fn untyped(&mut self, structure: PackageIndex) -> Result<()> {
        self.ar.claim(1, size_of::<Value>())?;
        let value = self.step(|fields| InstancedStruct::load_untyped(structure, fields.ar))?;
        self.values.push(value);
        Ok(())
    }

    /// Type object, GUID, name, type, containers, and what only the editor knows.
    fn bag_property(&mut self) -> Result<()> {
        let version = self.ar.versions().custom(&PROPERTY_BAG);
        self.letters("ognb")?;
        match version {
            property_bag::NESTED_CONTAINER_TYPES.. => self.short_group()?,
            property_bag::CONTAINER_TYPES => self.letters("b")?,
            _ => {}
        }
        if self.number()? != 0 {
            self.letters("[ns]")?;
            self.letters(if version >= property_bag::META_CLASS { "o" } else { "" })?;
        }
        Ok(())
    }

    /// A byte, and as many bytes as it says.
    fn short_group(&mut self) -> Result<()> {
        let count = self.byte()?;
        (0..count).try_for_each(|_| self.letters("b"))
    }

    fn number(&mut self) -> Result<u32> {
        match self.one(Value::UInt32(0))? {
            Value::UInt32(number) => Ok(*number),
            _ => Ok(0),
        }
    }

    fn byte(&mut self) -> Result<u8> {
        match self.one(Value::Byte(0))? {
            Value::Byte(number) => Ok(*number),
            _ => Ok(0),
        }
    }
}
