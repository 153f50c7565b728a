//! Kills at random moments.

use std::time::{Duration, Instant};

use super::scene::Scene;

/// How many edits are killed.
fn kills() -> usize {
    std::env::var("UPK_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(120)
}

/// Numbers without pattern, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end.max(1)
    }
}

pub fn killed_edits_leave_whole_packages() {
    let kills = kills();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut met, mut left) = ([0; 3], 0);
    for (split, bytes) in [(false, 10), (false, 200_000), (true, 10), (true, 200_000)] {
        let folder = tempfile::tempdir().unwrap();
        let scene = Scene::new(folder.path(), split, bytes);
        let begun = Instant::now();
        assert!(scene.edit().status().unwrap().success());
        let whole = begun.elapsed();
        for _ in 0..kills.div_ceil(4) {
            scene.reset();
            let mut run = scene.edit().spawn().unwrap();
            // The first half of a run only reads.
            let moment = whole.as_micros() as u64;
            let moment = moment / 4 + random.below(moment);
            std::thread::sleep(Duration::from_micros(moment));
            run.kill().unwrap();
            run.wait().unwrap();
            let state = scene.state();
            met[["old", "new", "none"].iter().position(|it| *it == state).unwrap()] += 1;
            left += usize::from(!scene.leftovers().is_empty());
            // The next run.
            assert!(scene.edit().status().unwrap().success(), "the next edit after '{state}'");
            assert_eq!(scene.state(), "new");
            scene.check_backup();
            assert_eq!(scene.leftovers(), [""; 0]);
        }
    }
    let [old, new, none] = met;
    println!(
        "{kills} killed: {old} left the old package, {new} the new one, {none} none until the next run; {left} left files behind that the next run removed"
    );
}
