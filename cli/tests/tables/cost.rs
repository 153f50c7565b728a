//! Conditions on 10,000 actors beside listing them: instructions of the command, as valgrind counts them.

use std::process::{Command, Stdio};

use tempfile::TempDir;
use unreal_packages::generate::Builder;

const ACTORS: usize = 10_000;
/// How many times as much as a list a query may cost.
const MOST: f64 = 2.0;

/// Whether instructions can be counted here.
pub fn valgrind() -> Result<(), String> {
    let run = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    match run {
        Ok(status) if status.success() => Ok(()),
        _ => Err("needs valgrind".to_owned()),
    }
}

/// Lights that store three bytes and a name each.
fn lights() -> Vec<u8> {
    let names = ["None", "LightBrightness", "LightHue", "LightRadius", "Tag", "Light"];
    let mut builder = names.iter().fold(Builder::new(69), |builder, name| builder.name(*name));
    for at in 0..ACTORS {
        let byte = |name: u8, value: usize| [name, 0x01, value as u8];
        let bytes = [byte(1, at % 200), byte(2, at % 50), byte(3, at % 7)].concat();
        // A name of one byte, and the end.
        let body = [bytes, vec![4, 0x06, 5, 0]].concat();
        builder = builder.export(format!("Light{at}"), "Engine.Light", body);
    }
    builder.build().unwrap()
}

fn instructions(args: &[&str]) -> u64 {
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(env!("CARGO_BIN_EXE_upk"))
        .args(args)
        .env("RAYON_NUM_THREADS", "1")
        .stdout(Stdio::null())
        .output()
        .unwrap();
    let report = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {report}");
    // `I refs:`, in older versions `I   refs:`.
    let count = report.lines().find_map(|line| {
        let (before, count) = line.split_once("refs:")?;
        before.trim_end().ends_with(" I").then_some(count)
    });
    count
        .unwrap_or_else(|| panic!("no count in:\n{report}"))
        .replace(',', "")
        .trim()
        .parse()
        .unwrap()
}

pub fn a_query_over_ten_thousand_actors_costs_at_most_twice_a_list() {
    let folder = TempDir::new().unwrap();
    let map = folder.path().join("Map.unr");
    std::fs::write(&map, lights()).unwrap();
    let map = map.to_str().unwrap();
    let list = instructions(&["list", map]);
    println!("list: {list} instructions");
    let mut wrong = Vec::new();
    for condition in ["class==Light", "LightBrightness<100", "class==Light && LightHue<30"] {
        let query = instructions(&["list", map, "--where", condition]);
        let times = query as f64 / list as f64;
        let text = format!("{condition}: {query} instructions, {times:.2} times");
        println!("{text}");
        if times > MOST {
            wrong.push(text);
        }
    }
    assert!(wrong.is_empty(), "more than {MOST} times {list}:\n{}", wrong.join("\n"));
}
