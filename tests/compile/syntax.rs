//! The syntax tree holds all that a class file says.

use unreal_packages::compile::parse;
use unreal_packages::compile::syntax::SyntaxItem;

#[test]
fn items_come_in_the_order_of_the_text() {
    let text = "#exec TEXTURE IMPORT NAME=A\nclass Thing extends Actor config(User) native;\n\
                const A = 1;\nenum E { X, Y }\nstruct S { var int A; };\nvar() config E Kind[3];\n\
                replication { reliable if (true) Kind; }\n#exec OBJ LOAD FILE=B\nfunction F();\n\
                state S { }\ncpptext { int x; }\ndefaultproperties { Kind(0)=X }";
    let parsed = parse("Thing.uc", text);
    assert_eq!(parsed.diagnostics, []);
    let syntax = parsed.syntax;
    let header = syntax.class.as_ref().unwrap();
    assert_eq!(
        (header.name.text.as_str(), header.base.as_ref().unwrap().text.as_str()),
        ("Thing", "Actor")
    );
    let words: Vec<&str> = header.modifiers.iter().map(|it| it.word.text.as_str()).collect();
    assert_eq!(words, ["config", "native"]);
    assert_eq!(header.modifiers[0].arguments.as_deref(), Some(&["User".to_owned()][..]));
    let kinds: Vec<&str> = syntax
        .items
        .iter()
        .map(|item| match item {
            SyntaxItem::Constant(_) => "const",
            SyntaxItem::Enum(_) => "enum",
            SyntaxItem::Struct(_) => "struct",
            SyntaxItem::Variables(_) => "var",
            SyntaxItem::Function(_) => "function",
            SyntaxItem::State(_) => "state",
            SyntaxItem::Replication(_) => "replication",
            SyntaxItem::Block(_) => "block",
            SyntaxItem::Directive(_) => "directive",
            SyntaxItem::Import(_) => "import",
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "directive",
            "const",
            "enum",
            "struct",
            "var",
            "replication",
            "directive",
            "function",
            "state",
            "block",
            "block"
        ]
    );
    let Some(SyntaxItem::Block(block)) = syntax.items.last() else { panic!("no block") };
    assert_eq!(syntax.source.slice(block.start, block.end), " Kind(0)=X ");
    let SyntaxItem::Variables(variables) = &syntax.items[4] else { panic!("no variables") };
    assert_eq!(variables.category.as_deref(), Some(""));
    let place = syntax.place(variables.first);
    assert_eq!((place.line, place.column), (6, 1));
}
