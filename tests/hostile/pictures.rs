//! Pictures and sounds: any bytes are read or refused, and a small file takes little memory.

use unreal_packages::content::{Image, MusicFormat, Pixels, WaveFacts};

use crate::memory;

/// A BMP file: header, palette, rows from the bottom or runs.
struct Bmp {
    /// Without it the header of OS/2 is written.
    info: bool,
    size: (i32, i32),
    bits: u16,
    compression: u32,
    /// Colours that the header counts; 0 for all that the bits allow.
    used: u32,
    /// Blue, green, red.
    palette: Vec<[u8; 3]>,
    data: Vec<u8>,
}

impl Bmp {
    fn new(bits: u16, palette: &[[u8; 3]], data: &[u8]) -> Self {
        let (size, palette, data) = ((4, 2), palette.to_vec(), data.to_vec());
        Self { info: true, size, bits, compression: 0, used: palette.len() as u32, palette, data }
    }

    fn bytes(&self) -> Vec<u8> {
        let (width, height) = self.size;
        let mut header = Vec::new();
        if self.info {
            header.extend(40u32.to_le_bytes());
            header.extend(width.to_le_bytes());
            header.extend(height.to_le_bytes());
            header.extend(1u16.to_le_bytes());
            header.extend(self.bits.to_le_bytes());
            header.extend(self.compression.to_le_bytes());
            header.extend([0; 12]);
            header.extend(self.used.to_le_bytes());
            header.extend([0; 4]);
        } else {
            header.extend(12u32.to_le_bytes());
            header.extend((width as u16).to_le_bytes());
            header.extend((height as u16).to_le_bytes());
            header.extend(1u16.to_le_bytes());
            header.extend(self.bits.to_le_bytes());
        }
        for color in &self.palette {
            header.extend(color);
            header.extend(&[0][..usize::from(self.info)]);
        }
        let start = 14 + header.len() as u32;
        let mut file = b"BM".to_vec();
        file.extend((start + self.data.len() as u32).to_le_bytes());
        file.extend([0; 4]);
        file.extend(start.to_le_bytes());
        file.extend(header);
        file.extend(&self.data);
        file
    }
}

const COLORS: [[u8; 3]; 4] = [[0, 0, 0], [1, 2, 3], [0, 0, 0], [255, 128, 64]];

#[track_caller]
fn read_as(bmp: &Bmp, expected: &[u8]) {
    let image = Image::read(&bmp.bytes()).unwrap();
    assert_eq!((image.width(), image.height()), (4, 2));
    let Pixels::Indexed { indices, palette } = image.pixels() else { panic!("{image:?}") };
    assert_eq!(indices, expected, "indices, from the top");
    let colors = bmp.palette.iter().map(|&[blue, green, red]| [red, green, blue, 255]);
    assert_eq!(*palette, colors.collect::<Vec<_>>(), "two colours that are alike stay two");
}

#[test]
fn palettes_of_bmp_files_are_kept() {
    let one = Bmp::new(1, &COLORS[..2], &[0b1010_0000, 0, 0, 0, 0b0110_0000, 0, 0, 0]);
    read_as(&one, &[0, 1, 1, 0, 1, 0, 1, 0]);
    let two = Bmp::new(2, &COLORS, &[0b0001_1011, 0, 0, 0, 0b1110_0100, 0, 0, 0]);
    read_as(&two, &[3, 2, 1, 0, 0, 1, 2, 3]);
    let four = Bmp::new(4, &COLORS, &[0x01, 0x23, 0, 0, 0x32, 0x10, 0, 0]);
    read_as(&four, &[3, 2, 1, 0, 0, 1, 2, 3]);
    let eight = Bmp::new(8, &COLORS, &[0, 1, 2, 3, 3, 2, 1, 0]);
    read_as(&eight, &[3, 2, 1, 0, 0, 1, 2, 3]);
    let all = [COLORS; 4].as_flattened().to_vec();
    let old = Bmp { info: false, palette: all, used: 0, ..Bmp::new(4, &[], &four.data) };
    read_as(&old, &[3, 2, 1, 0, 0, 1, 2, 3]);
    let top_down = Bmp { size: (4, -2), ..eight };
    read_as(&top_down, &[0, 1, 2, 3, 3, 2, 1, 0]);
}

#[test]
fn runs_of_bmp_files_are_understood() {
    // A run, single pixels, the end of a row; a step to the right, a run, the end.
    let runs = [2, 3, 0, 0, 0, 2, 1, 0, 3, 1, 0, 1];
    let eight = Bmp { compression: 1, ..Bmp::new(8, &COLORS, &runs) };
    read_as(&eight, &[0, 1, 1, 1, 3, 3, 0, 0]);
    let literal = [0, 4, 0, 1, 2, 3, 0, 0, 4, 2, 0, 1];
    let eight = Bmp { compression: 1, ..Bmp::new(8, &COLORS, &literal) };
    read_as(&eight, &[2, 2, 2, 2, 0, 1, 2, 3]);
    let runs = [4, 0x13, 0, 0, 0, 4, 0x01, 0x23, 0, 1];
    let four = Bmp { compression: 2, ..Bmp::new(4, &COLORS, &runs) };
    read_as(&four, &[0, 1, 2, 3, 1, 3, 1, 3]);
}

#[test]
fn damaged_bmp_files_are_refused() {
    let eight = || Bmp::new(8, &COLORS, &[0, 1, 2, 3, 3, 2, 1, 0]);
    let mut outside = eight();
    outside.data[5] = 4;
    let short = Bmp { data: vec![0; 7], ..eight() };
    let many = Bmp { used: 257, ..eight() };
    let runs = Bmp { compression: 2, ..Bmp::new(4, &COLORS, &[9, 0x13, 0, 1]) };
    let no_end = Bmp { compression: 1, ..Bmp::new(8, &COLORS, &[2, 3, 0]) };
    let empty = Bmp { size: (0, 2), ..eight() };
    let flat = Bmp { size: (4, 0), ..eight() };
    let left = Bmp { size: (-4, 2), ..eight() };
    for bmp in [outside, short, many, runs, no_end, empty, flat, left] {
        let error = Image::read(&bmp.bytes()).unwrap_err().to_string();
        assert!(!error.is_empty() && error.lines().count() == 1, "{error}");
    }
}

/// A PNG file of one transparent row, and one with text.
fn png() -> Vec<u8> {
    let palette = vec![[9, 8, 7, 255], [1, 2, 3, 4]];
    let pixels = Pixels::Indexed { indices: vec![0, 1, 1, 0, 1, 1], palette };
    Image::new(3, 2, pixels).unwrap().to_png().unwrap()
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| {
            (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg())
        })
    })
}

/// The same file with other sides in its header.
fn resized(png: &[u8], width: u32, height: u32) -> Vec<u8> {
    let mut png = png.to_vec();
    png[16..20].copy_from_slice(&width.to_be_bytes());
    png[20..24].copy_from_slice(&height.to_be_bytes());
    let sum = crc(&png[12..29]);
    png[29..33].copy_from_slice(&sum.to_be_bytes());
    png
}

#[test]
fn sides_that_the_bytes_cannot_hold_take_no_memory() {
    let runs = [0, 1];
    let mut files = Vec::new();
    for (width, height) in [(60_000, 60_000), (8_192, 8_192), (16_384, 1_000), (2_000_000_000, 1)] {
        files.push(resized(&png(), width, height));
        for (bits, compression) in [(1, 0), (4, 2), (8, 0), (8, 1), (24, 0), (32, 0)] {
            let palette = if bits > 8 { &[][..] } else { &COLORS[..2] };
            let size = (width as i32, height as i32);
            files.push(Bmp { size, compression, ..Bmp::new(bits, palette, &runs) }.bytes());
        }
    }
    for file in files {
        let (read, peak) = memory::peak(|| Image::read(&file));
        let error = read.unwrap_err().to_string();
        assert!(peak < 1 << 16, "{peak} bytes of memory: {error}");
    }
}

fn wave() -> Vec<u8> {
    let mut file = b"RIFF\x28\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0".to_vec();
    file.extend(22_050u32.to_le_bytes());
    file.extend(22_050u32.to_le_bytes());
    file.extend(b"\x01\0\x08\0data\x04\0\0\0\x80\x81\x82\x83");
    file
}

/// Every byte of some small files with other values, and every length of them.
#[test]
fn any_bytes_are_a_picture_or_an_error() {
    let runs = [2, 3, 0, 0, 0, 2, 1, 0, 3, 1, 0, 1];
    let masks = [0xff0000u32, 0xff00, 0xff].map(u32::to_le_bytes).concat();
    let gray = Image::new(2, 2, Pixels::Gray16(vec![1, 2, 3, 4])).unwrap().to_png().unwrap();
    let seeds = [
        Bmp::new(1, &COLORS[..2], &[0b1010_0000, 0, 0, 0, 0b0110_0000, 0, 0, 0]).bytes(),
        Bmp::new(4, &COLORS, &[0x01, 0x23, 0, 0, 0x32, 0x10, 0, 0]).bytes(),
        Bmp { compression: 1, ..Bmp::new(8, &COLORS, &runs) }.bytes(),
        Bmp { compression: 2, ..Bmp::new(4, &COLORS, &runs) }.bytes(),
        Bmp::new(24, &[], &[7; 24]).bytes(),
        Bmp { compression: 3, ..Bmp::new(32, &[], &[&masks[..], &[7; 32]].concat()) }.bytes(),
        png(),
        gray,
        wave(),
    ];
    let mut understood = 0;
    for seed in seeds {
        let look = |file: &[u8]| {
            let (read, peak) = memory::peak(|| (Image::read(file), WaveFacts::read(file)));
            assert!(peak < 4 << 20, "{peak} bytes of memory for {file:02x?}");
            let _ = MusicFormat::detect(file);
            read.0.is_ok() || read.1.is_ok()
        };
        assert!(look(&seed), "{seed:02x?}");
        for at in 0..seed.len() {
            look(&seed[..at]);
            for value in [0, 1, 2, 4, 7, 12, 40, 0x7f, 0x80, 0xff] {
                let mut file = seed.clone();
                file[at] = value;
                if seed.starts_with(b"\x89PNG") && at < 29 {
                    let sum = crc(&file[12..29]);
                    file[29..33].copy_from_slice(&sum.to_be_bytes());
                }
                understood += u32::from(look(&file));
            }
        }
    }
    assert!(understood > 100, "{understood}");
}
