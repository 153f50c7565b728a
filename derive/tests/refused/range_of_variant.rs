use farchive::Archived;

#[derive(Archived)]
#[repr(u8)]
enum Wrong {
    #[since(7)]
    #[until(7)]
    Never,
    Always,
}

fn main() {}
