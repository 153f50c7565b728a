//! What a scan costs, beside reading the same bytes and hashing them, and what the next one costs when one package
//! of a hundred has changed; the most memory of both; and whether a scan that is killed goes on.
//!
//! ```text
//! cargo bench -p upk --bench depot                      # 1,000 and 10,000 packages
//! cargo bench -p upk --bench depot -- 1000 10000 100000 # 20 kB each: the last ones take 2 GB
//! cargo bench -p upk --bench depot -- 1000 --kill 10    # and kills ten scans at random moments
//! cargo bench -p upk --bench depot -- 10000 --cold      # and with nothing in the system's cache: needs root on Linux
//! ```
//! Half of the packages are of UE1, half of UE5: objects with properties, and a sound that is most of the bytes.
//! Times are of the machine as it is; processor time counts all threads.

#[path = "support/depot.rs"]
mod depot;
#[path = "../tests/commands/common/tables.rs"]
mod tables;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use depot::{Numbers, Packages};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let kills = arguments.iter().position(|argument| argument == "--kill");
    let kills = kills.and_then(|at| arguments.get(at + 1)?.parse::<u64>().ok()).unwrap_or(0);
    let cold = arguments.iter().any(|argument| argument == "--cold");
    let mut counts: Vec<usize> = Vec::new();
    let mut is_value = false;
    for argument in &arguments {
        if !is_value && let Ok(count) = argument.parse() {
            counts.push(count);
        }
        is_value = argument == "--kill";
    }
    if counts.is_empty() {
        counts = vec![1_000, 10_000];
    }
    println!(
        "| packages | MB | read and hash | scan | times | again, 1 % changed | of the first | memory |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|---:|");
    for count in counts {
        measure(count, kills, cold);
    }
}

/// Seconds on the clock and of the processor, and the most memory, bytes.
#[derive(Clone, Copy)]
struct Cost {
    clock: f64,
    processor: f64,
    memory: u64,
}

fn measure(count: usize, kills: u64, cold: bool) {
    let folder = tempfile::tempdir().expect("a folder");
    let packages = Packages::new(&folder.path().join("packages"));
    let bytes: u64 = (0..count).map(|number| packages.write(number, 0)).sum();
    let files: Vec<PathBuf> = (0..count).map(|number| packages.path(number)).collect();
    // Once for the cache of the system, so that both find the files in memory.
    read_and_hash(&files);
    let read = read_and_hash(&files);
    let out = folder.path().join("depot");
    let (first, _) = scan(&folder.path().join("packages"), &out);
    let mut random = Numbers::new(7);
    for _ in 0..count.div_ceil(100) {
        packages.write((random.next() % count as u64) as usize, 1);
    }
    let (second, report) = scan(&folder.path().join("packages"), &out);
    println!(
        "| {count} | {} | {:.2} s ({:.2} s) | {:.2} s ({:.2} s) | {:.2} ({:.2}) | {:.2} s ({:.2} s) | {:.1} % ({:.1} %) | {} MB |",
        bytes / 1_000_000,
        read.clock,
        read.processor,
        first.clock,
        first.processor,
        first.clock / read.clock,
        first.processor / read.processor,
        second.clock,
        second.processor,
        second.clock / first.clock * 100.0,
        second.processor / first.processor * 100.0,
        first.memory.max(second.memory) >> 20,
    );
    println!("<!-- {} -->", report.trim());
    if cold {
        forget_files();
        let read = read_and_hash(&files);
        forget_files();
        let (first, _) = scan(&folder.path().join("packages"), &folder.path().join("cold"));
        println!(
            "| {count}, from disk | {} | {:.2} s | {:.2} s | {:.2} | | | |",
            bytes / 1_000_000,
            read.clock,
            first.clock,
            first.clock / read.clock
        );
    }
    if kills > 0 {
        kill(&folder.path().join("packages"), folder.path(), first.clock, kills);
    }
}

/// Empties the system's cache of files.
fn forget_files() {
    let status = Command::new("sync").status().expect("the command sync");
    assert!(status.success());
    std::fs::write("/proc/sys/vm/drop_caches", "3").expect("root may empty the cache");
}

/// Reads all files on one thread a core, and hashes them.
fn read_and_hash(files: &[PathBuf]) -> Cost {
    let (start, before) = (Instant::now(), own_processor());
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut bytes = Vec::new();
                while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    bytes.clear();
                    File::open(path)
                        .and_then(|mut file| file.read_to_end(&mut bytes))
                        .expect("read");
                    std::hint::black_box(unreal_packages::scan::content_hash(&bytes));
                }
            });
        }
    });
    let clock = start.elapsed().as_secs_f64();
    Cost { clock, processor: own_processor() - before, memory: 0 }
}

fn start(packages: &Path, out: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_upk"));
    command.arg("scan").arg(packages).arg("-o").arg(out).arg("--json");
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the command runs")
}

/// Runs the command to its end.
fn scan(packages: &Path, out: &Path) -> (Cost, String) {
    let begin = Instant::now();
    let mut child = start(packages, out);
    let (mut memory, mut processor) = (0, 0.0);
    let status = loop {
        let id = child.id();
        memory = memory.max(own_memory(id));
        processor = processor_of(&format!("/proc/{id}/stat")).max(processor);
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let clock = begin.elapsed().as_secs_f64();
    assert!(status.success(), "{status}");
    let mut report = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut report).expect("text");
    (Cost { clock, processor, memory }, report)
}

/// Memory of a process without mapped files, bytes.
fn own_memory(id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let kilobytes = line.and_then(|text| text.trim().strip_suffix("kB")?.trim().parse().ok());
    kilobytes.unwrap_or(0_u64) * 1024
}

fn own_processor() -> f64 {
    processor_of("/proc/self/stat")
}

/// Seconds of the processor that a process has had; the system counts hundredths.
fn processor_of(stat: &str) -> f64 {
    let text = std::fs::read_to_string(stat).unwrap_or_default();
    let rest = text.rsplit(')').next().unwrap_or_default();
    let ticks = rest.split_whitespace().skip(11).take(2);
    ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Kills scans, lets the last one end, and compares its tables with those of one that was never killed.
fn kill(packages: &Path, folder: &Path, seconds: f64, kills: u64) {
    let (killed, whole) = (folder.join("killed"), folder.join("whole"));
    let mut random = Numbers::new(99);
    let mut ended = 0;
    for _ in 0..kills {
        let mut child = start(packages, &killed);
        let part = (random.next() % 1000) as f64 / 1000.0;
        std::thread::sleep(Duration::from_secs_f64(seconds * part / 3.0));
        ended += u32::from(child.try_wait().expect("a child").is_some());
        let _ = child.kill();
        child.wait().expect("a child");
    }
    let (_, report) = scan(packages, &killed);
    scan(packages, &whole);
    let same = tables::all_rows(&killed) == tables::all_rows(&whole);
    println!("{kills} scans killed ({ended} had ended before), the next one: {}", report.trim());
    println!("its tables are those of a scan that nobody killed: {same}");
    assert!(same);
}
