use farchive::Archived;

#[derive(Archived)]
#[repr(u8)]
enum Wrong {
    #[archive(skip)]
    First,
}

fn main() {}
