//! The codecs: one block in, one block out.

use super::Method;
use crate::error::{Error, Result, UnrealErrors, Unsupported};
#[cfg(feature = "compression")]
use crate::guard;

/// State of the codecs from block to block; one for each thread.
#[derive(Default)]
pub(crate) struct Codec(#[cfg(feature = "compression")] inner::State);

impl Codec {
    /// Decompresses one block into exactly `to`.
    ///
    /// # Errors
    /// `Compression` when the block is damaged or has another size; `Unsupported` without the feature, and
    /// for Oodle in a build in which a panic ends the program, without the feature `oodle-may-abort`.
    pub fn decompress(&mut self, method: Method, from: &[u8], to: &mut [u8]) -> Result<()> {
        #[cfg(feature = "compression")]
        {
            guarded(method, || self.0.decompress(method, from, to))
        }
        #[cfg(not(feature = "compression"))]
        {
            let _ = (from, to);
            Err(missing(method))
        }
    }

    /// Compresses one block, and makes sure that it can be read again.
    ///
    /// # Errors
    /// `Unsupported` for Oodle, and without the feature.
    pub fn compress(&mut self, method: Method, bytes: &[u8]) -> Result<Vec<u8>> {
        if !method.can_compress() {
            let reason = format!(
                "{method} can't be written: there is no open compressor for it; \
                 choose another method, or store the package uncompressed"
            );
            return Err(Error::unsupported_by(Unsupported::NoCompressor, reason));
        }
        #[cfg(feature = "compression")]
        {
            guarded(method, || self.0.compress(method, bytes))
        }
        #[cfg(not(feature = "compression"))]
        {
            let _ = bytes;
            Err(missing(method))
        }
    }
}

/// Damaged bytes must not end the program, whatever a codec thinks of them.
#[cfg(feature = "compression")]
fn guarded<T>(method: Method, work: impl FnOnce() -> Result<T, String>) -> Result<T> {
    if method == Method::Oodle
        && let Some(refusal) = guard::oodle_refusal(guard::PANICS_ABORT)
    {
        return Err(refusal.into());
    }
    let done = guard::guarded(work).unwrap_or_else(|| Err("the decoder gave up".to_owned()));
    done.map_err(|reason| {
        Error::from(crate::error::UnrealError::Compression {
            reason: format!("{method}: {reason}"),
        })
    })
}

#[cfg(not(feature = "compression"))]
fn missing(method: Method) -> Error {
    let reason = format!("compressed with {method}; this build lacks the feature 'compression'");
    Error::unsupported_by(Unsupported::Compressed, reason)
}

#[cfg(feature = "compression")]
mod inner {
    use std::io::{Read, Write};

    use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};
    use lzma_rust2::{LzmaOptions, LzmaReader, LzmaWriter};

    use crate::compression::Method;

    type Result<T> = std::result::Result<T, String>;

    /// Bytes of a frame of LZX; only the last one of a block is shorter.
    const LZX_FRAME: usize = 0x8000;
    /// Stands before a frame that says its own size.
    const LZX_ODD_FRAME: u8 = 0xff;
    /// Properties of LZMA: `lc` 3, `lp` 0, `pb` 2.
    const LZMA_PROPERTIES: u8 = 0x5d;
    /// Most literal bits of LZMA: more would cost megabytes of tables a block, and no game has them.
    const LZMA_LITERAL_BITS: u8 = 4;
    /// An empty stream of LZO, which the compressor does not get right.
    const LZO_EMPTY: [u8; 3] = [0x11, 0, 0];

    #[derive(Default)]
    pub(crate) struct State {
        zlib: Option<Decompress>,
        #[cfg(any(panic = "unwind", feature = "oodle-may-abort"))]
        oodle: Option<Box<oozextract::Extractor>>,
        lzo: Option<Box<lzokay::compress::Dict>>,
    }

    impl State {
        pub fn decompress(&mut self, method: Method, from: &[u8], to: &mut [u8]) -> Result<()> {
            let size = to.len();
            let filled = match method {
                Method::Zlib => self.inflate(from, to)?,
                Method::Lzo => {
                    lzokay::decompress::decompress(from, to).map_err(|error| error.to_string())?
                }
                Method::Lzx => lzx(from, to)?,
                Method::Lzma => lzma(from, to)?,
                // Refused above, and not needed in a build that has to be small.
                #[cfg(not(any(panic = "unwind", feature = "oodle-may-abort")))]
                Method::Oodle => return Err("Oodle can't be read by this build".to_owned()),
                #[cfg(any(panic = "unwind", feature = "oodle-may-abort"))]
                Method::Oodle => {
                    let oodle =
                        self.oodle.get_or_insert_with(|| Box::new(oozextract::Extractor::new()));
                    oodle.read_from_slice(from, to).map_err(|error| error.to_string())?
                }
            };
            match filled == size {
                true => Ok(()),
                false => Err(format!("{filled} bytes instead of {size}")),
            }
        }

        fn inflate(&mut self, from: &[u8], to: &mut [u8]) -> Result<usize> {
            let zlib = self.zlib.get_or_insert_with(|| Decompress::new(true));
            zlib.reset(true);
            match zlib.decompress(from, to, FlushDecompress::Finish) {
                Ok(Status::StreamEnd) => Ok(zlib.total_out() as usize),
                Ok(_) if zlib.total_in() < from.len() as u64 => {
                    Err(format!("more than {} bytes come out", to.len()))
                }
                Ok(_) => Err("the stream ends too early".to_owned()),
                Err(error) => Err(error.to_string()),
            }
        }

        pub fn compress(&mut self, method: Method, bytes: &[u8]) -> Result<Vec<u8>> {
            let packed = match method {
                Method::Zlib => deflate(bytes)?,
                Method::Lzo if bytes.is_empty() => LZO_EMPTY.to_vec(),
                Method::Lzo => {
                    let dict = self.lzo.get_or_insert_with(lzokay::compress::Dict::new);
                    let packed = lzokay::compress::compress_with_dict(bytes, dict);
                    packed.map_err(|error| error.to_string())?
                }
                Method::Lzx => return self.lzx_checked(bytes),
                Method::Lzma => to_lzma(bytes)?,
                Method::Oodle => return Err("no compressor".to_owned()),
            };
            match self.reads_back(method, &packed, bytes) {
                true => Ok(packed),
                false => Err("the compressed block can't be read again".to_owned()),
            }
        }

        /// A game must be able to read what was written, so this decoder must.
        fn reads_back(&mut self, method: Method, packed: &[u8], bytes: &[u8]) -> bool {
            let mut again = vec![0; bytes.len()];
            self.decompress(method, packed, &mut again).is_ok() && again == bytes
        }

        /// Falls back to frames that are only stored.
        fn lzx_checked(&mut self, bytes: &[u8]) -> Result<Vec<u8>> {
            for strategy in [lzxc::Strategy::Greedy, lzxc::Strategy::Uncompressed] {
                let packed = to_lzx(bytes, strategy)?;
                if self.reads_back(Method::Lzx, &packed, bytes) {
                    return Ok(packed);
                }
            }
            Err("the compressed block can't be read again".to_owned())
        }
    }

    fn deflate(bytes: &[u8]) -> Result<Vec<u8>> {
        let mut zlib = Compress::new(Compression::default(), true);
        let mut packed = Vec::with_capacity(bytes.len() / 2 + 64);
        loop {
            let rest = bytes.get(zlib.total_in() as usize..).unwrap_or_default();
            let status = zlib.compress_vec(rest, &mut packed, FlushCompress::Finish);
            match status.map_err(|error| error.to_string())? {
                Status::StreamEnd => return Ok(packed),
                _ => packed.reserve(bytes.len() / 4 + 64),
            }
        }
    }

    /// Frames: u16 compressed size (big-endian) for 32 KiB; 0xff, u16 uncompressed size, u16 compressed
    /// size for another size. What follows the last frame is padding.
    fn lzx(from: &[u8], to: &mut [u8]) -> Result<usize> {
        let mut decoder = lzxd::Lzxd::new(lzxd::WindowSize::KB128);
        let (mut rest, mut filled) = (from, 0);
        let early = || "the stream ends too early".to_owned();
        while filled < to.len() {
            let (&first, tail) = rest.split_first().ok_or_else(early)?;
            let (size, packed);
            if first == LZX_ODD_FRAME {
                let (sizes, tail) = tail.split_first_chunk::<4>().ok_or_else(early)?;
                size = usize::from(u16::from_be_bytes([sizes[0], sizes[1]]));
                packed = usize::from(u16::from_be_bytes([sizes[2], sizes[3]]));
                rest = tail;
            } else {
                let (second, tail) = tail.split_first().ok_or_else(early)?;
                size = LZX_FRAME;
                packed = usize::from(u16::from_be_bytes([first, *second]));
                rest = tail;
            }
            if size == 0 || size > LZX_FRAME || size > to.len() - filled {
                return Err(format!("a frame of {size} bytes where {} fit", to.len() - filled));
            }
            let (frame, tail) = rest.split_at_checked(packed).ok_or_else(early)?;
            rest = tail;
            let bytes = decoder.decompress_next(frame, size).map_err(|error| error.to_string())?;
            let target = to.get_mut(filled..filled + size).filter(|_| bytes.len() == size);
            target.ok_or_else(|| "a frame of another size".to_owned())?.copy_from_slice(bytes);
            filled += size;
        }
        Ok(filled)
    }

    fn to_lzx(bytes: &[u8], strategy: lzxc::Strategy) -> Result<Vec<u8>> {
        let mut encoder = lzxc::Encoder::new(lzxc::WindowSize::KB128).with_strategy(strategy);
        let mut packed = Vec::with_capacity(bytes.len() / 2 + 64);
        for frame in bytes.chunks(LZX_FRAME) {
            let data = encoder.encode_chunk(frame);
            let size = u16::try_from(data.len()).map_err(|_| "a frame grew too long".to_owned())?;
            if frame.len() < LZX_FRAME {
                packed.push(LZX_ODD_FRAME);
                packed.extend((frame.len() as u16).to_be_bytes());
            }
            packed.extend(size.to_be_bytes());
            packed.extend(data);
        }
        Ok(packed)
    }

    fn lzma(from: &[u8], to: &mut [u8]) -> Result<usize> {
        let Some((&[properties, dictionary @ ..], stream)) = from.split_first_chunk::<5>() else {
            return Err("the stream ends too early".to_owned());
        };
        // lc + lp of `(pb * 5 + lp) * 9 + lc`.
        if properties % 9 + properties / 9 % 5 > LZMA_LITERAL_BITS {
            return Err(format!("properties {properties:#x}"));
        }
        // No match reaches back further than the block's own start.
        let most = u32::try_from(to.len()).unwrap_or(u32::MAX).max(0x1000);
        let dictionary = u32::from_le_bytes(dictionary).min(most);
        let size = to.len() as u64;
        let mut reader = LzmaReader::new_with_props(stream, size, properties, dictionary, None)
            .map_err(|error| error.to_string())?;
        reader.read_exact(to).map_err(|error| error.to_string())?;
        Ok(to.len())
    }

    fn to_lzma(bytes: &[u8]) -> Result<Vec<u8>> {
        // The games' own blocks name a dictionary of 64 KiB, whatever their size.
        let options = LzmaOptions { dict_size: 0x1_0000, ..LzmaOptions::default() };
        let mut packed = vec![LZMA_PROPERTIES];
        packed.extend(options.dict_size.to_le_bytes());
        let mut writer = LzmaWriter::new_no_header(packed, &options, false)
            .map_err(|error| error.to_string())?;
        writer.write_all(bytes).map_err(|error| error.to_string())?;
        writer.finish().map_err(|error| error.to_string())
    }
}
