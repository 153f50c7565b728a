//! `upk make --lsp`: what an editor asks, in its own protocol.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::{Folder, command, upk};

/// An editor, and the server that it has started.
struct Editor {
    server: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    next: u64,
    folder: Folder,
}

/// Reads one message: a header of lines, an empty one, and as many bytes as it says.
fn message(from: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => {
                if let Some(count) = line.strip_prefix("Content-Length: ") {
                    length = count.parse().unwrap();
                }
            }
        }
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).unwrap();
    Some(serde_json::from_slice(&bytes).unwrap())
}

impl Editor {
    fn start(folder: Folder, args: &[&str], capabilities: Value) -> Self {
        let source = folder.arg("Mine");
        let all: Vec<&str> =
            ["make", &source, "--lsp"].into_iter().chain(args.iter().copied()).collect();
        let mut started = command(&all);
        let mut server = started.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (sender, from) = channel();
        let mut out = BufReader::new(server.stdout.take().unwrap());
        std::thread::spawn(move || {
            while let Some(message) = message(&mut out) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let to = server.stdin.take().unwrap();
        let mut editor = Self { server, to, from, next: 0, folder };
        let params = json!({ "processId": null, "rootUri": null, "capabilities": capabilities });
        let answer = editor.ask("initialize", params);
        assert_eq!(answer["serverInfo"]["name"], "upk");
        assert_eq!(answer["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.to.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn receive(&self) -> Value {
        self.from.recv_timeout(Duration::from_secs(60)).unwrap()
    }

    /// The answer to a request; what else comes meanwhile is passed over.
    fn response(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message;
            }
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let response = self.response(method, params);
        assert_eq!(response["error"], Value::Null, "{response}");
        response["result"].clone()
    }

    fn uri(&self, file: &str) -> String {
        // `file:///C:/Mine/Leaf.uc` where paths begin with a drive.
        let path = self.folder.arg(file).replace('\\', "/");
        let slash = if path.starts_with('/') { "" } else { "/" };
        format!("file://{slash}{path}")
    }

    fn opens(&mut self, file: &str, text: &str) {
        let document = json!({ "uri": self.uri(file), "languageId": "unrealscript", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn writes(&mut self, file: &str, text: &str) {
        let document = json!({ "uri": self.uri(file), "version": 2 });
        let changes = json!([{ "text": text }]);
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": changes }),
        );
    }

    /// What the server says of a file next.
    fn diagnostics(&self, file: &str) -> Vec<Value> {
        loop {
            let message = self.receive();
            let is_it = message["method"] == "textDocument/publishDiagnostics";
            if is_it && message["params"]["uri"] == self.uri(file) {
                return message["params"]["diagnostics"].as_array().unwrap().clone();
            }
        }
    }

    fn place(&self, file: &str, line: u32, character: u32) -> Value {
        json!({ "textDocument": { "uri": self.uri(file) }, "position": { "line": line, "character": character } })
    }

    fn ends(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.tell("exit", Value::Null);
        assert!(self.server.wait().unwrap().success());
    }
}

const ROOT: &str = "class Root extends Object;\n\nvar int Health;\n\n// What it costs.\nfunction int Cost(int Count)\n{\n\treturn Count * 2;\n}\n";
const LEAF: &str = "class Leaf extends Root;\n\nvar Root Other;\n\nfunction int Sum()\n{\n\treturn Other.Cost(Health);\n}\n";

/// Two classes; `Base.u` beside them has a third one, with its text.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write(
        "Base/Classes/Thing.uc",
        "class Thing extends Object;\n\n\n\nfunction Lift(float Height);\n",
    );
    let made = folder.arg("Around/Base.u");
    std::fs::create_dir_all(folder.path("Around")).unwrap();
    upk(&["make", &folder.arg("Base"), "-o", &made]).exits(0);
    folder.write("Mine/Classes/Root.uc", ROOT);
    folder.write("Mine/Classes/Leaf.uc", LEAF);
    folder
}

#[test]
fn an_editor_is_told_what_is_wrong_while_it_is_written() {
    let mut editor = Editor::start(folder(), &[], json!({}));
    editor.opens("Mine/Classes/Leaf.uc", LEAF);
    assert_eq!(editor.diagnostics("Mine/Classes/Leaf.uc"), Vec::<Value>::new());
    // Not on disk: what the editor has counts, for the class that it changes and those that build on it.
    editor.opens("Mine/Classes/Root.uc", &ROOT.replace("Cost", "Price"));
    let found = editor.diagnostics("Mine/Classes/Leaf.uc");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0]["severity"], &found[0]["source"]), (&json!(1), &json!("upk")));
    assert_eq!(found[0]["range"]["start"], json!({ "line": 6, "character": 14 }));
    assert_eq!(found[0]["range"]["end"], json!({ "line": 6, "character": 18 }));
    editor.writes("Mine/Classes/Root.uc", ROOT);
    assert_eq!(editor.diagnostics("Mine/Classes/Leaf.uc"), Vec::<Value>::new());
    // Columns are UTF-16 code units where nothing else was agreed.
    let wide = LEAF.replace("return", "/* \u{1f600} */ return").replace("Cost", "Toll");
    editor.writes("Mine/Classes/Leaf.uc", &wide);
    let found = editor.diagnostics("Mine/Classes/Leaf.uc");
    assert_eq!(found[0]["range"]["start"], json!({ "line": 6, "character": 23 }));
    // A file that is closed unsaved is that on disk again.
    let document = json!({ "textDocument": { "uri": editor.uri("Mine/Classes/Leaf.uc") } });
    editor.tell("textDocument/didClose", document);
    assert_eq!(editor.diagnostics("Mine/Classes/Leaf.uc"), Vec::<Value>::new());
    editor.ends();
}

#[test]
fn an_editor_asks_what_a_word_means_where_it_is_declared_and_what_may_follow() {
    let around = folder();
    let env = around.arg("Around");
    let offered = json!({ "general": { "positionEncodings": ["utf-32", "utf-16"] } });
    let mut editor = Editor::start(around, &["--env", &env], offered);
    let leaf = LEAF.replace("var Root Other;", "var Root Other; var Thing Stone;");
    editor.opens("Mine/Classes/Leaf.uc", &leaf.replace("return", "Stone.Lift(1);\n\treturn"));
    assert_eq!(editor.diagnostics("Mine/Classes/Leaf.uc"), Vec::<Value>::new());
    let place = editor.place("Mine/Classes/Leaf.uc", 7, 15);
    let hover = editor.ask("textDocument/hover", place.clone());
    let text = hover["contents"]["value"].as_str().unwrap();
    assert_eq!(text, "```unrealscript\nfunction int Cost(int Count)\n```\nMine.Root.Cost");
    let found = editor.ask("textDocument/definition", place);
    assert_eq!(found["uri"], editor.uri("Mine/Classes/Root.uc"));
    assert_eq!(found["range"]["start"], json!({ "line": 5, "character": 13 }));
    // In a package: the text that its class carries, in a file that is there while the server is.
    let place = editor.place("Mine/Classes/Leaf.uc", 6, 9);
    let found = editor.ask("textDocument/definition", place);
    assert_eq!(found["range"]["start"], json!({ "line": 4, "character": 9 }));
    let uri = found["uri"].as_str().unwrap();
    let before = if cfg!(windows) { "file:///" } else { "file://" };
    let file = uri.strip_prefix(before).unwrap().to_owned();
    assert!(file.ends_with("/Base/Thing.uc"), "{file}");
    assert!(std::fs::read_to_string(&file).unwrap().contains("function Lift(float Height);"));
    // Behind a dot the members of what stands before it, also while the line is not finished.
    editor.writes("Mine/Classes/Leaf.uc", &LEAF.replace("Other.Cost(Health)", "Other.\n"));
    let place = editor.place("Mine/Classes/Leaf.uc", 6, 14);
    let items = editor.ask("textDocument/completion", place);
    let labels: Vec<_> = items.as_array().unwrap().iter().map(|it| &it["label"]).collect();
    assert_eq!(labels, ["Health", "Cost"]);
    assert_eq!(
        (&items[1]["kind"], &items[1]["detail"]),
        (&json!(3), &json!("function int Cost(int Count)"))
    );
    // Nothing is known of the place behind the end, and what is not answered is said.
    let place = editor.place("Mine/Classes/Leaf.uc", 4000, 0);
    assert_eq!(editor.ask("textDocument/hover", place), Value::Null);
    let refused = editor.response("textDocument/rename", json!({}));
    assert_eq!(refused["error"]["code"], -32601);
    editor.ends();
    assert!(!std::path::Path::new(&file).exists());
}

#[test]
fn what_is_no_editor_is_told_so() {
    let folder = folder();
    let run = upk(&["make", &folder.arg("Mine"), "--lsp"]);
    assert_ne!(run.code, 0);
    assert!(run.out.is_empty(), "{run:?}");
    upk(&["make", &folder.arg("Mine"), "--lsp", "--check"]).exits(2);
}
