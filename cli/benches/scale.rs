//! What each command costs as its input grows: instructions, and memory of its own.
//!
//! ```text
//! cargo bench -p upk --bench scale                    # packages of 1,000, 10,000 and 100,000 objects
//! cargo bench -p upk --bench scale -- --quick         # of 200 and 800: two minutes
//! cargo bench -p upk --bench scale -- --memory 1000000  # memory alone, of one size
//! cargo bench -p upk --bench scale -- --only 'set'    # commands whose lines hold this
//! ```
//! Instructions are counted by valgrind, so that they do not depend on how busy the machine is; those of
//! starting up are taken off. The exponent says how work grows: 1 is as the input does, 2 as its square.
//! Memory is the most that a command has had of its own, without mapped files, in bytes for each byte of its
//! input. A command whose work grows faster than [`STEEPEST`] fails the run.

#[path = "support/inputs.rs"]
mod inputs;
#[path = "support/measure.rs"]
mod measure;

use std::path::Path;
use std::process::ExitCode;

use inputs::{Engine, Inputs};
use measure::{instructions, own_memory};

/// What the exponent of a command may be: small inputs are measured coarsely, and what grows as the square does
/// is above this soon.
const STEEPEST: f64 = 1.4;

/// The commands: `{}` is the package, `{changed}` a later version of it, `{out}` and `{document}` files to write.
const COMMANDS: &[&str] = &[
    "info {}",
    "list {}",
    "list {} --tree",
    "list {} --names",
    "get {} Thing5",
    "verify {}",
    "dump {}",
    "explain {}",
    "explain {} --range 0..0x40",
    "refs {} Thing5",
    "deps {}",
    "uses Engine.Light {folder}",
    "to-json {} -o {document}",
    "from-json {json} -o {out}",
    "set {} Thing5.Count=7 -o {out}",
    "set {} Thing*.Count=7 -o {out}",
    "edit {script} {} -o {out}",
    "rename {} Thing5 Other -o {out}",
    "duplicate {} Thing5 Other -o {out}",
    "add {} Other {class} -o {out}",
    "add-name {} Brandnew -o {out}",
    "add-import {} {import} -o {out}",
    "remove {} Thing5 -o {out}",
    "copy {changed} Extra --into {} -o {out}",
    "prune {} -o {out}",
    "set-guid {} --new -o {out}",
    "diff {} {changed}",
    "conform {changed} --to {} -o {out}",
    "check {changed} --against {}",
    "convert {} --to-version 68 -o {out}",
    "new textures -o {out} {pictures}",
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let value = |flag: &str| {
        let at = arguments.iter().position(|argument| argument == flag)?;
        arguments.get(at + 1).cloned()
    };
    let only = value("--only").unwrap_or_default();
    let memory: Option<usize> = value("--memory").and_then(|size| size.parse().ok());
    let sizes: Vec<usize> = match memory {
        Some(size) => vec![size],
        None if arguments.iter().any(|argument| argument == "--quick") => vec![200, 800],
        None => vec![1_000, 10_000, 100_000],
    };
    let counts = memory.is_none();
    if counts && measure::valgrind().is_err() {
        println!("skipped: valgrind counts instructions, and is not installed");
        return ExitCode::SUCCESS;
    }
    let upk = Path::new(env!("CARGO_BIN_EXE_upk"));
    let starting = if counts { instructions(upk, &["--version".to_owned()]) } else { 0 };
    let mut steep = Vec::new();
    for engine in [Engine::Ue1, Engine::Ue4] {
        let inputs: Vec<Inputs> = sizes.iter().map(|&size| Inputs::new(engine, size)).collect();
        let headings = sizes.iter().filter(|_| counts).map(|size| format!(" {size} |"));
        println!(
            "\n| {} |{} exponent | memory, bytes a byte |",
            engine.name(),
            headings.collect::<String>()
        );
        println!("|---|{}---:|---:|", "---:|".repeat(if counts { sizes.len() } else { 0 }));
        for command in COMMANDS.iter().filter(|command| command.contains(&only)) {
            if !engine.has(command) {
                continue;
            }
            let work: Vec<u64> = inputs
                .iter()
                .filter(|_| counts)
                .map(|inputs| instructions(upk, &inputs.line(command)).saturating_sub(starting))
                .collect();
            let largest = &inputs[inputs.len() - 1];
            let memory =
                own_memory(upk, &largest.line(command)) as f64 / largest.bytes(command) as f64;
            let exponent = exponent(&work, &sizes);
            if exponent > STEEPEST {
                steep.push(format!("{}: {command}", engine.name()));
            }
            let work: String =
                work.iter().map(|work| format!(" {:.0} M |", *work as f64 / 1e6)).collect();
            println!("| `{command}` |{work} {exponent:.2} | {memory:.1} |");
        }
    }
    if steep.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("\ngrow faster than their input:\n  {}", steep.join("\n  "));
    ExitCode::FAILURE
}

/// How work grows from the last size but one to the last.
fn exponent(work: &[u64], sizes: &[usize]) -> f64 {
    let [.., before, last] = work else { return 0.0 };
    let [.., smaller, larger] = sizes else { return 0.0 };
    let growth = (*last).max(1) as f64 / (*before).max(1) as f64;
    growth.ln() / (*larger as f64 / *smaller as f64).ln()
}
