//! Graphs of nodes as the editor copies them, read by a program that shows such text and is not ours.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use unreal_packages::content::PackageContents;
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;

use crate::folders::corpus;
use crate::node_modules;

/// The folder with `ueblueprint` for node: what `FARCHIVE_NODES` names, or `target/nodes`.
fn modules() -> Option<PathBuf> {
    node_modules::folder("FARCHIVE_NODES", "nodes", "ueblueprint")
}

/// node and the other reader.
pub fn other_reader() -> Result<(), String> {
    node_modules::are_there(modules(), "ueblueprint is")
}

/// Prints what the other reader finds in every file of a folder, by file, as JSON: nodes, pins, wires, and of these those
/// whose far end is not there or does not lead back.
const SCRIPT: &str = "
import fs from 'fs'; import path from 'path';
globalThis.window ??= globalThis;
const [modules, folder] = process.argv.slice(1);
const base = 'file://' + modules + '/node_modules/ueblueprint/js/';
(await import(base + 'serialization/initializeSerializerFactory.js')).default();
const { default: ObjectEntity } = await import(base + 'entity/ObjectEntity.js');
const all = {};
for (const file of fs.readdirSync(folder)) {
  try {
    const text = fs.readFileSync(path.join(folder, file), 'utf8').trim();
    const nodes = ObjectEntity.grammarMultipleObjects.parse(text);
    const pins = nodes.flatMap(node => node.getPinEntities().map(pin => [node.getObjectName() + ' ' + pin.PinId, pin]));
    const known = new Map(pins);
    let [wires, loose] = [0, 0];
    for (const [, pin] of pins) for (const link of pin.LinkedTo?.valueOf() ?? []) {
      wires++;
      const far = known.get(link.objectName + ' ' + link.pinGuid)?.LinkedTo?.valueOf() ?? [];
      if (!far.some(back => String(back.pinGuid) === String(pin.PinId))) loose++;
    }
    all[file] = { nodes: nodes.length, pins: pins.length, wires, loose };
  } catch (error) {
    all[file] = { error: String(error.message ?? error).slice(0, 400) };
  }
}
process.stdout.write(JSON.stringify(all));";

fn read(folder: &Path) -> BTreeMap<String, Value> {
    let modules = modules().expect("the test needs it").canonicalize().unwrap();
    let said = Command::new("node")
        .args(["--input-type=module", "-e", SCRIPT])
        .args([&modules, folder])
        .output()
        .unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    serde_json::from_slice(&said.stdout).unwrap()
}

/// Nodes that the other reader can't take: of animation blueprints, whose `Node` it takes for a reference.
fn is_known_to_it(text: &str) -> bool {
    !text.lines().any(|line| line.trim_start().starts_with("Node=("))
}

fn packages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        match path.extension() {
            _ if path.is_dir() => packages(&path, found),
            Some(extension) if extension == "uasset" || extension == "umap" => found.push(path),
            _ => {}
        }
    }
}

/// Every graph of every corpus whose pins are stored.
pub fn another_reader_takes_graphs_as_text() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("graphs");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let mut paths = Vec::new();
    for name in ["modern", "wild", "modern-ue6"] {
        packages(&corpus().join(name), &mut paths);
    }
    paths.sort();
    let mut wanted = BTreeMap::new();
    let (mut animations, mut left_out, mut refused) = (0, 0, 0);
    for path in paths {
        let Ok(package) = Package::open(&path) else { continue };
        if package.versions().ue4() == 0 {
            continue;
        }
        let contents = package.contents();
        let Ok(texts) = contents.graph_texts() else { continue };
        for graph in package.values().stored_graphs(None) {
            let Ok(made) = texts.text(&graph) else {
                refused += 1;
                continue;
            };
            left_out += usize::from(!made.left_out.is_empty());
            if !is_known_to_it(&made.text) {
                animations += 1;
                continue;
            }
            let count = |start: &str| made.text.lines().filter(|it| it.starts_with(start)).count();
            let nodes = count("Begin Object Class=");
            // Before UE4.14 pins are objects within their node.
            let pins = count("   CustomProperties Pin (")
                + count("   Begin Object Class=/Script/Engine.EdGraphPin ");
            let file = format!("{:05}.t3d", wanted.len());
            std::fs::write(folder.join(&file), &made.text).unwrap();
            let place = format!("{} {}", path.display(), package.exports().path(graph.row));
            wanted.insert(file, (place, nodes, pins));
        }
    }
    let said = read(&folder);
    assert_eq!(said.len(), wanted.len());
    let (mut nodes, mut pins, mut wires, mut loose) = (0, 0, 0, 0);
    for (file, (place, wanted_nodes, wanted_pins)) in &wanted {
        let found = &said[file];
        let number = |key: &str| found[key].as_u64().map(|it| it as usize);
        assert_eq!(number("nodes"), Some(*wanted_nodes), "{place}: {found}");
        assert_eq!(number("pins"), Some(*wanted_pins), "{place}: {found}");
        nodes += wanted_nodes;
        pins += wanted_pins;
        wires += number("wires").unwrap();
        loose += number("loose").unwrap();
    }
    println!(
        "{} graphs, {nodes} nodes, {pins} pins, {wires} ends of wires of which {loose} are loose; {animations} of \
         animations not read, {left_out} without all values, {refused} refused",
        wanted.len()
    );
    assert!(wanted.len() > 100 && wires > 1000, "hardly any graph was read");
    // One leads to a node of another graph.
    assert!(loose <= 1, "{loose} of {wires}");
}
