//! What edits cost in an open session, and what ending it costs.
//!
//! ```text
//! cargo bench -p farchive-benches --bench edits                # packages of 1,000 and 10,000 objects, UE1 and UE4
//! ```
//! Medians of one call each, in milliseconds; then the end of an edit (one layout, one proof) beside opening,
//! decoding and saving the same package, and what ten times as many `set` cost. A batch that grows faster than
//! its length fails the run.

#[path = "support/clock.rs"]
mod clock;

use std::time::{Duration, Instant};

use bytes::Bytes;
use clock::timed;
use unreal_packages::edit::{Edit, PackageEdit, RemoveOptions};
use unreal_packages::generate::{Profile, create};
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::{Package, SaveOptions};
use unreal_packages::property::Type;
use unreal_packages::version::{EngineRelease, UnrealVersions};
use unreal_packages::{Error, Result};

fn main() -> Result<()> {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let sizes: &[usize] = if quick { &[1_000] } else { &[1_000, 10_000] };
    println!(
        "| package | get | set | rename | duplicate | add | remove | end, times open, decode, save | \
         end after removing | ten times as many set |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for &objects in sizes {
        measure(&format!("UE1, {objects} objects"), &ue1(objects)?, objects)?;
        measure(&format!("4.27, {objects} objects"), &ue4(objects)?, objects)?;
    }
    Ok(())
}

fn int() -> Type {
    Type::new(unreal_packages::property::PropertyKind::Int)
}

/// Objects with two properties each, as a file.
fn ue1(objects: usize) -> Result<Bytes> {
    let mut package = create(&Profile::UT99)?;
    fill(&mut package, objects, "Engine.Light")?;
    Ok(package.to_bytes()?.into())
}

fn ue4(objects: usize) -> Result<Bytes> {
    let release = EngineRelease::new(4, 27);
    let bytes = unreal_packages::generate::Builder::for_release(release).name("None").build()?;
    let mut package = Package::from_bytes(bytes)?;
    fill(&mut package, objects, "/Script/Engine.PointLight")?;
    Ok(package.to_bytes()?.into())
}

fn fill(package: &mut Package, objects: usize, class: &str) -> Result<()> {
    package.edit(|edit| {
        for at in 0..objects {
            let object = format!("Thing{at}");
            edit.add_blank_object(&object, class)?;
            edit.add_property(&object, "Count", &int(), "5")?;
            edit.add_property(&object, "Other", &int(), "6")?;
        }
        Ok(())
    })
}

/// Calls of each kind.
const CALLS: usize = 51;

/// What ending an edit takes.
fn session(
    package: &mut Package,
    change: impl FnOnce(&mut Edit) -> Result<()>,
) -> Result<Duration> {
    let began = Instant::now();
    let mut inside = Duration::ZERO;
    package.edit(|edit| {
        change(edit)?;
        inside = began.elapsed();
        Ok::<_, Error>(())
    })?;
    Ok(began.elapsed().saturating_sub(inside))
}

/// What one call takes.
fn calls(
    edit: &mut Edit,
    step: usize,
    call: &mut dyn FnMut(&mut Edit, usize) -> Result<()>,
) -> Result<Duration> {
    let mut times = Vec::new();
    for at in 0..CALLS {
        let started = Instant::now();
        call(edit, at * step)?;
        times.push(started.elapsed());
    }
    Ok(median(times.into_iter()))
}

fn measure(what: &str, source: &Bytes, objects: usize) -> Result<()> {
    let whole = median((0..5).map(|_| {
        timed(|| {
            let mut package = Package::from_bytes(source.clone()).expect("a package");
            package.decode_all();
            SaveOptions::new().save(&mut package).expect("it saves")
        })
    }));
    let mut package = Package::from_bytes(source.clone())?;
    let mut columns = Vec::new();
    let kept = session(&mut package, |edit| {
        let step = objects / (2 * CALLS);
        let mut each = |call: &mut dyn FnMut(&mut Edit, usize) -> Result<()>| -> Result<()> {
            columns.push(calls(edit, step, call)?);
            Ok(())
        };
        each(&mut |edit, at| edit.values().property(&format!("Thing{at}"), "Count").map(drop))?;
        each(&mut |edit, at| {
            edit.set_property(&format!("Thing{at}"), "Count", &format!("{at}")).map(drop)
        })?;
        each(&mut |edit, at| {
            edit.rename_object(&format!("Thing{at}"), &format!("Renamed{at}")).map(drop)
        })?;
        each(&mut |edit, at| {
            edit.duplicate_object(&format!("Renamed{at}"), &format!("Copy{at}")).map(drop)
        })?;
        each(&mut |edit, at| {
            let class = match edit.versions().has_object_versions() {
                true => "/Script/Engine.PointLight",
                false => "Engine.Light",
            };
            edit.add_blank_object(&format!("New{at}"), class).map(drop)
        })
    })?;
    let removed = session(&mut package, |edit| {
        let remove = &mut |edit: &mut Edit, at: usize| {
            edit.remove_object(&format!("Copy{at}"), RemoveOptions::Refuse).map(drop)
        };
        columns.push(calls(edit, objects / (2 * CALLS), remove)?);
        Ok(())
    })?;
    let shown: Vec<String> =
        columns.iter().map(|time| format!("{:.3}", time.as_secs_f64() * 1e3)).collect();
    let [kept, removed] = [kept, removed].map(|end| end.as_secs_f64() / whole.as_secs_f64());
    let growth = growth(source, objects)?;
    println!("| {what} | {} | {kept:.2} | {removed:.2} | {growth:.2} |", shown.join(" | "));
    assert!(growth < STEEPEST, "a batch of edits grows faster than its length");
    Ok(())
}

/// What ten times as many changes may cost: the bar is 11, the rest is noise.
const STEEPEST: f64 = 14.0;

/// What changing every object's property costs, beside changing that of a tenth of them; the ends apart.
fn growth(source: &Bytes, objects: usize) -> Result<f64> {
    let sets = |count: usize| -> Result<Duration> {
        let mut best = Duration::MAX;
        for _ in 0..3 {
            let mut package = Package::from_bytes(source.clone())?;
            let mut taken = Duration::ZERO;
            package.edit(|edit| {
                edit.decode_all();
                let started = Instant::now();
                for at in 0..count {
                    edit.set_property(&format!("Thing{at}"), "Count", &at.to_string())?;
                }
                taken = started.elapsed();
                Ok(())
            })?;
            best = best.min(taken);
        }
        Ok(best)
    };
    Ok(sets(objects)?.as_secs_f64() / sets(objects / 10)?.as_secs_f64())
}

fn median(times: impl Iterator<Item = Duration>) -> Duration {
    let mut times: Vec<_> = times.collect();
    times.sort();
    times[times.len() / 2]
}
