use farchive::Archived;

#[derive(Archived)]
#[archive(after_load = 3)]
struct First {}

#[derive(Archived)]
#[archive(before_save)]
struct Second {}

#[derive(Archived, Default)]
struct Third {
    #[archive(flatten = 3)]
    first: u8,
    #[archive(flatten, with = path)]
    second: u8,
}

fn main() {}
