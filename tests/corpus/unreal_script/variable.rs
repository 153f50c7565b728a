//! Variables, enums and structs of a class text, and types.

use super::declaration::Text;
use super::expression::LOOSEST;
use super::lexer::Kind;
use super::parser::{Parser, symbol_is, word_is};
use super::statement::Locals;

const VARIABLE_MODIFIERS: &[&str] = &[
    "const",
    "input",
    "export",
    "editconst",
    "editconstarray",
    "editfixedsize",
    "native",
    "intrinsic",
    "transient",
    "config",
    "localized",
    "travel",
    "globalconfig",
    "ondemand",
    "init",
    "new",
    "duplicatetransient",
    "noexport",
    "cache",
    "noimport",
    "noclear",
    "editinline",
    "edfindable",
    "editinlineuse",
    "deprecated",
    "editinlinenotify",
    "databinding",
    "automated",
    "serializetext",
    "repnotify",
    "interp",
    "nontransactional",
    "editoronly",
    "notforconsole",
    "repretry",
    "privatewrite",
    "protectedwrite",
    "archetype",
    "edithide",
    "edittextbox",
    "crosslevelpassive",
    "crosslevelactive",
    "crosslevel",
    "private",
    "protected",
    "public",
    "instanced",
    "actionnoresolve",
    "allowabstract",
    "editnotify",
    "nonlocalized",
    "hideparent",
    "coerce",
    "skip",
    "deepcopy",
    "editcombotype",
];

impl Parser {
    /// An enum from its name on; without braces only its name is given.
    pub fn enumeration(&mut self, found: &mut Text) -> Result<String, String> {
        let name = self.identifier("the name of an enum")?;
        if !self.accept("{") {
            return Ok(name);
        }
        let mut values = Vec::new();
        while !self.accept("}") {
            values.push(self.identifier("a value of an enum")?);
            if self.token().kind == Kind::Metadata {
                self.advance();
            }
            if !self.accept(",") && !self.is_symbol("}") {
                return self.expected(", or } behind a value of an enum");
            }
        }
        found.enums.push((name.clone(), values));
        Ok(name)
    }

    /// A struct from its modifiers on.
    pub fn structure(&mut self, found: &mut Text) -> Result<String, String> {
        while self.token().kind == Kind::Identifier
            && (self.ahead(1).kind == Kind::Identifier && !self.followed_by_parent()
                || symbol_is(self.ahead(1), "(")
                || symbol_is(self.ahead(3), "}") && symbol_is(self.ahead(1), "{"))
        {
            self.advance();
            self.modifier_list()?;
        }
        // `{QWORD}`: the name in C++.
        self.cpp_type()?;
        let name = self.identifier("the name of a struct")?;
        if self.accept_word("extends") || self.accept_word("expands") {
            self.path("the super struct")?;
        }
        if self.token().kind == Kind::Metadata {
            self.advance();
        }
        self.expect("{")?;
        while !self.accept("}") {
            match self.token().text.to_ascii_lowercase().as_str() {
                "var" => drop(self.variables(found)?),
                "const" => self.constant()?,
                "enum" => {
                    self.advance();
                    self.enumeration(found)?;
                }
                "struct" => {
                    self.advance();
                    self.structure(found)?;
                }
                "structdefaultproperties"
                | "structcpptext"
                | "cpptext"
                | "cppstruct"
                | "defaultproperties" => {
                    self.skipped()?;
                }
                _ if self.accept(";") => {}
                _ => return self.expected("var or } in a struct"),
            }
        }
        found.structs.push(name.clone());
        Ok(name)
    }

    fn followed_by_parent(&self) -> bool {
        ["extends", "expands"].iter().any(|word| word_is(self.ahead(1), word))
    }

    /// `(Category)` of a variable: any text, as `***Deleted***` of Mass Effect.
    fn category(&mut self) -> Result<(), String> {
        if !self.accept("(") {
            return Ok(());
        }
        while !self.accept(")") {
            let ends = ["(", ";", "{", "}"].iter().any(|symbol| self.is_symbol(symbol));
            if ends || self.token().kind == Kind::End {
                return self.expected(") behind the category of a variable");
            }
            self.advance();
        }
        Ok(())
    }

    /// A `var` declaration.
    pub fn variables(&mut self, found: &mut Text) -> Result<Locals, String> {
        self.advance();
        self.category()?;
        self.variable_modifiers()?;
        let kind = if self.accept_word("enum") {
            self.enumeration(found)?.to_ascii_lowercase()
        } else if self.accept_word("struct") {
            self.structure(found)?.to_ascii_lowercase()
        } else {
            self.value_type()?
        };
        let mut list = Vec::new();
        loop {
            list.push(self.declarator(&kind)?);
            self.cpp_type()?;
            if self.token().kind == Kind::Metadata {
                self.advance();
            }
            // UE2 allows comments as strings here.
            while self.token().kind == Kind::Text {
                self.advance();
            }
            if self.accept(";") {
                return Ok(list);
            }
            if !self.accept(",") {
                return self.expected(", or ; behind a variable");
            }
        }
    }

    fn variable_modifiers(&mut self) -> Result<(), String> {
        // `{private}` says what C++ may do with the variable.
        self.access_of_cpp()?;
        while VARIABLE_MODIFIERS.iter().any(|word| self.is_word(word)) && !self.is_last_word() {
            self.advance();
            self.modifier_list()?;
            self.access_of_cpp()?;
        }
        Ok(())
    }

    /// Whether the word behind the current one ends a declaration: then the current one is the type.
    pub fn is_last_word(&self) -> bool {
        let after = self.ahead(2);
        let ends = after.kind == Kind::Metadata
            || [";", ",", "[", ")", "="].iter().any(|end| symbol_is(after, end));
        ends && self.ahead(1).kind == Kind::Identifier
    }

    /// `{private}` behind a modifier of access.
    fn access_of_cpp(&mut self) -> Result<(), String> {
        if self.accept("{") {
            self.identifier("an access")?;
            self.expect("}")?;
        }
        Ok(())
    }

    /// `{TMap<FName, INT>}`: the C++ type of a variable, which only its braces bound.
    fn cpp_type(&mut self) -> Result<String, String> {
        let start = self.place();
        if self.accept("{") {
            while !self.accept("}") {
                if self.token().kind == Kind::End || self.is_symbol("{") || self.is_symbol(";") {
                    return self.expected("} behind a C++ type");
                }
                self.advance();
            }
        }
        Ok(self.between(start, self.place()).iter().map(|token| token.text.as_str()).collect())
    }

    /// A type, folded: `int`, `class<actor>`, `array<string>`, `map{int,name}`.
    pub fn value_type(&mut self) -> Result<String, String> {
        for word in ["enum", "struct"] {
            if self.is_word(word) && self.ahead(1).kind == Kind::Identifier {
                self.advance();
            }
        }
        let mut kind = self.path("a type")?.to_ascii_lowercase();
        if kind == "map" && self.is_symbol("{") {
            return Ok(kind + &self.cpp_type()?.to_ascii_lowercase());
        }
        // `string[32] Name` of UE1; behind a variable's name the brackets are an array's.
        if self.is_symbol("[")
            && self.ahead(3).kind == Kind::Identifier
            && self.ahead(1).kind == Kind::Integer
        {
            self.advance();
            kind = format!("{kind}[{}]", self.advance().text);
            self.expect("]")?;
        }
        // An operator `<` can stand behind its return type.
        if self.is_symbol("<") && self.ahead(1).kind == Kind::Identifier {
            self.advance();
            let mut inner = Vec::new();
            loop {
                self.variable_modifiers()?;
                inner.push(self.value_type()?);
                if !self.accept(",") {
                    break;
                }
            }
            self.close_bracket()?;
            kind = format!("{kind}<{}>", inner.join(","));
        }
        Ok(kind)
    }

    /// The name of a variable, with the size of an array behind it.
    pub fn declarator(&mut self, kind: &str) -> Result<(String, String), String> {
        let name = self.identifier("the name of a variable")?.to_ascii_lowercase();
        if !self.accept("[") {
            return Ok((name, kind.to_owned()));
        }
        let start = self.place();
        self.expression(LOOSEST)?;
        let size: String = self
            .between(start, self.place())
            .iter()
            .map(|token| token.text.to_ascii_lowercase())
            .collect();
        self.expect("]")?;
        Ok((name, format!("{kind}[{size}]")))
    }

    pub fn local(&mut self, locals: &mut Locals) -> Result<(), String> {
        self.variable_modifiers()?;
        let kind = self.value_type()?;
        loop {
            locals.push(self.declarator(&kind)?);
            if self.accept(";") {
                return Ok(());
            }
            if !self.accept(",") {
                return self.expected(", or ; behind a local variable");
            }
        }
    }
}
