//! The parts of a file: a preamble, and blocks with their length and checksums, so that a file that ends
//! anywhere is whole up to there.

use crc32fast::hash as crc32;
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use std::io::{self, Read};

/// How a file begins; a line break and a byte above 127 in it show whether it was taken for text on its way.
const MAGIC: [u8; 8] = *b"\x89SILVIA\n";
/// The format that is written: raised whenever bytes come to mean something else.
pub(crate) const FORMAT: u32 = 1;
/// Bytes of a preamble. Its layout is the same in every format, so that any silvia can say which one is
/// needed.
pub(crate) const PREAMBLE: usize = 64;
/// Where the name of the program is in it.
const NAME: std::ops::Range<usize> = 16..60;

/// Bytes before the content of a block.
pub(crate) const BLOCK_HEAD: usize = 32;
/// Deflate makes nothing smaller than by this factor, so that whoever claims more is wrong.
const MOST_DEFLATED: u64 = 1040;
/// How hard the compression tries, of 10: beyond, it takes much longer for little.
const LEVEL: u8 = 2;

/// Bytes of what comes after the index.
pub(crate) const TRAILER: usize = 24;
/// How a trailer says what it is.
const TRAILER_MAGIC: [u8; 8] = *b"SILVIAIX";

/// What a block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag(pub(crate) [u8; 4]);

impl Tag {
    pub(crate) const HEADER: Tag = Tag(*b"HEAD");
    pub(crate) const FILE: Tag = Tag(*b"FILE");
    pub(crate) const MESH: Tag = Tag(*b"MESH");
    pub(crate) const FRAMES: Tag = Tag(*b"FRAM");
    pub(crate) const PROFILE: Tag = Tag(*b"PROF");
    pub(crate) const KEPT: Tag = Tag(*b"KEPT");
    pub(crate) const PLAN: Tag = Tag(*b"PLAN");
    pub(crate) const ENDING: Tag = Tag(*b"ENDS");
    pub(crate) const INDEX: Tag = Tag(*b"INDX");
}

/// What comes before the content of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockHead {
    pub(crate) tag: Tag,
    checksum: u32,
    /// Of the content as it is in the file.
    pub(crate) stored: u64,
    /// Of the content itself.
    unpacked: u64,
    /// Which block of the file it is, from 0.
    pub(crate) number: u32,
}

/// Why bytes are no preamble.
pub(crate) enum PreambleFault {
    Foreign,
    Damaged,
    Newer { found: u32, made_by: String },
}

/// The bytes with which a file begins.
pub(crate) fn preamble(made_by: &str) -> [u8; PREAMBLE] {
    let mut bytes = [0; PREAMBLE];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..12].copy_from_slice(&FORMAT.to_le_bytes());
    let mut end = made_by.len().min(NAME.len());
    while !made_by.is_char_boundary(end) {
        end -= 1;
    }
    bytes[NAME.start..NAME.start + end].copy_from_slice(&made_by.as_bytes()[..end]);
    let checksum = crc32(&bytes[..NAME.end]);
    bytes[NAME.end..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Refuses what is no preamble, or one of a format that is not known.
pub(crate) fn check_preamble(bytes: &[u8; PREAMBLE]) -> Result<(), PreambleFault> {
    if bytes[..8] != MAGIC {
        return Err(PreambleFault::Foreign);
    }
    if crc32(&bytes[..NAME.end]) != u32_at(bytes, NAME.end) {
        return Err(PreambleFault::Damaged);
    }
    let found = u32_at(bytes, 8);
    let name = String::from_utf8_lossy(&bytes[NAME]);
    let made_by = name.trim_end_matches('\0').to_owned();
    match found {
        1..=FORMAT => Ok(()),
        0 => Err(PreambleFault::Damaged),
        _ => Err(PreambleFault::Newer { found, made_by }),
    }
}

/// A block as it is in the file.
pub(crate) fn block(tag: Tag, number: u32, content: &[u8]) -> Vec<u8> {
    let stored = compress_to_vec_zlib(content, LEVEL);
    let mut bytes = Vec::with_capacity(BLOCK_HEAD + stored.len());
    bytes.extend_from_slice(&tag.0);
    bytes.extend_from_slice(&crc32(&stored).to_le_bytes());
    bytes.extend_from_slice(&(stored.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&(content.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&number.to_le_bytes());
    let checksum = crc32(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes.extend_from_slice(&stored);
    bytes
}

impl BlockHead {
    /// What the first bytes of a block say, or what is wrong with them. `left` is how many bytes follow them
    /// in the file.
    pub(crate) fn read(bytes: &[u8; BLOCK_HEAD], left: u64) -> Result<BlockHead, &'static str> {
        if crc32(&bytes[..28]) != u32_at(bytes, 28) {
            return Err("the checksum of a block's head is wrong");
        }
        let mut tag = [0; 4];
        tag.copy_from_slice(&bytes[..4]);
        let head = BlockHead {
            tag: Tag(tag),
            checksum: u32_at(bytes, 4),
            stored: u64_at(bytes, 8),
            unpacked: u64_at(bytes, 16),
            number: u32_at(bytes, 24),
        };
        if head.stored > left {
            return Err("the file ends within a block");
        }
        if head.unpacked > head.stored.saturating_mul(MOST_DEFLATED) {
            return Err("a block claims to be larger than it can be");
        }
        Ok(head)
    }

    /// The content of a block whose stored bytes come next.
    pub(crate) fn content(&self, from: &mut impl Read) -> Result<Vec<u8>, ContentFault> {
        let mut stored = Vec::new();
        from.take(self.stored).read_to_end(&mut stored)?;
        if stored.len() as u64 != self.stored {
            return Err(ContentFault::Damaged("the file ends within a block"));
        }
        if crc32(&stored) != self.checksum {
            return Err(ContentFault::Damaged("the checksum of a block is wrong"));
        }
        let wrong = ContentFault::Damaged("a block cannot be unpacked");
        let Ok(limit) = usize::try_from(self.unpacked) else { return Err(wrong) };
        match decompress_to_vec_zlib_with_limit(&stored, limit) {
            Ok(content) if content.len() == limit => Ok(content),
            _ => Err(wrong),
        }
    }
}

/// Why the content of a block cannot be had.
pub(crate) enum ContentFault {
    Io(io::Error),
    Damaged(&'static str),
}

impl From<io::Error> for ContentFault {
    fn from(error: io::Error) -> ContentFault {
        ContentFault::Io(error)
    }
}

/// The last bytes of a file: where its index is.
pub(crate) fn trailer(index_at: u64) -> [u8; TRAILER] {
    let mut bytes = [0; TRAILER];
    bytes[..8].copy_from_slice(&index_at.to_le_bytes());
    bytes[8..16].copy_from_slice(&TRAILER_MAGIC);
    let checksum = crc32(&bytes[..16]);
    bytes[16..20].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Where the index is, if these are the last bytes of a file that has one.
pub(crate) fn index_at(bytes: &[u8; TRAILER]) -> Option<u64> {
    let is_one =
        bytes[8..16] == TRAILER_MAGIC && crc32(&bytes[..16]) == u32_at(bytes, 16) && u32_at(bytes, 20) == 0;
    is_one.then(|| u64_at(bytes, 0))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let mut number = [0; 4];
    number.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(number)
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let mut number = [0; 8];
    number.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(number)
}
