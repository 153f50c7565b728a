use farchive::Archived;

#[derive(Archived)]
enum Wrong {}

fn main() {}
