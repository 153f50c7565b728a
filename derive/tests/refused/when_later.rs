use farchive::Archived;

#[derive(Archived)]
struct Header {
    #[archive(when = self.flags & 1 != 0)]
    size: u32,
    flags: u32,
}

#[derive(Archived)]
struct Own {
    #[archive(when = matches!(self.size, 1 | 2))]
    size: u32,
}

#[derive(Archived)]
struct Tuple(#[archive(when = self.1.0 > 0)] u32, (u32, u32));

#[derive(Archived)]
#[repr(u8)]
enum Light {
    Off,
    Flicker {
        #[archive(when = *phase > 0)]
        rate: u32,
        phase: u32,
    },
    Steady(#[archive(when = (*_1 > 0) && true)] u32, u32),
}

fn main() {}
