use farchive::Archived;

#[derive(Archived)]
struct Config {
    #[archive(default = 60)]
    rate: u16,
    #[since(2)]
    #[archive(default)]
    other: u16,
}

fn main() {}
