use farchive::Archived;

#[derive(Archived)]
#[repr(usize)]
enum Wrong {
    First,
    Second,
}

fn main() {}
