use farchive::Archived;

#[derive(Archived)]
enum Wrong {
    First,
    Second,
}

fn main() {}
