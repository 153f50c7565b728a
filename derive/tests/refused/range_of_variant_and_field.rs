use farchive::Archived;

#[derive(Archived)]
#[repr(u8)]
enum Wrong {
    #[since(7)]
    Later {
        #[until(5)]
        field: u32,
    },
}

fn main() {}
