//! The structure of a file: a preamble, then blocks with their length and checksums. A truncated file is
//! valid up to its last complete block.

use crc32fast::hash as crc32;
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use std::io::{self, Read};

/// The first bytes of a file. The line break and the byte above 127 reveal a file that was transferred as
/// text.
pub(crate) const MAGIC: [u8; 8] = *b"\x89SILVIA\n";
/// The current format: raised whenever the meaning of bytes changes.
pub(crate) const FORMAT: u32 = 1;
/// Size of the preamble, bytes. Its layout is the same in every format, so that any version can name the one
/// needed.
pub(crate) const PREAMBLE: usize = 64;
/// The place of the program's name in it.
const NAME: std::ops::Range<usize> = 16..60;

/// Size of a block's head, bytes.
pub(crate) const BLOCK_HEAD: usize = 32;
/// Deflate shrinks nothing by more than this factor, so a block that claims more is damaged.
const MOST_DEFLATED: u64 = 1040;
/// Compression level, of 10: higher ones take much longer and gain little.
const LEVEL: u8 = 2;

/// Size of the trailer after the index, bytes.
pub(crate) const TRAILER: usize = 24;
/// The first bytes of a trailer.
const TRAILER_MAGIC: [u8; 8] = *b"SILVIAIX";

/// The type of a block's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag(pub(crate) [u8; 4]);

impl Tag {
    pub(crate) const HEADER: Tag = Tag(*b"HEAD");
    pub(crate) const FILE: Tag = Tag(*b"FILE");
    pub(crate) const MESH: Tag = Tag(*b"MESH");
    pub(crate) const FRAMES: Tag = Tag(*b"FRAM");
    pub(crate) const PROFILE: Tag = Tag(*b"PROF");
    pub(crate) const ACCOUNT: Tag = Tag(*b"ACCT");
    pub(crate) const WATCH: Tag = Tag(*b"WTCH");
    pub(crate) const KEPT: Tag = Tag(*b"KEPT");
    pub(crate) const PLAN: Tag = Tag(*b"PLAN");
    pub(crate) const ENDING: Tag = Tag(*b"ENDS");
    pub(crate) const INDEX: Tag = Tag(*b"INDX");
}

/// The head of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockHead {
    pub(crate) tag: Tag,
    checksum: u32,
    /// Size of the content in the file, bytes.
    pub(crate) stored: u64,
    /// Size of the uncompressed content, bytes.
    unpacked: u64,
    /// Number of the block in the file, from 0.
    pub(crate) number: u32,
}

/// Why bytes are not a preamble.
pub(crate) enum PreambleFault {
    Foreign,
    Damaged,
    Newer { found: u32, made_by: String },
}

/// The preamble of a file.
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

/// Refuses bytes that are not a preamble, and unknown formats.
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

/// Encodes a block.
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
    /// Decodes the head of a block, or says what is wrong with it. `left` is the number of bytes that follow
    /// it in the file.
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

    /// Reads the content of a block, whose bytes come next.
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

/// Why the content of a block cannot be read.
pub(crate) enum ContentFault {
    Io(io::Error),
    Damaged(&'static str),
}

impl From<io::Error> for ContentFault {
    fn from(error: io::Error) -> ContentFault {
        ContentFault::Io(error)
    }
}

/// The last bytes of a file, which give the place of its index.
pub(crate) fn trailer(index_at: u64) -> [u8; TRAILER] {
    let mut bytes = [0; TRAILER];
    bytes[..8].copy_from_slice(&index_at.to_le_bytes());
    bytes[8..16].copy_from_slice(&TRAILER_MAGIC);
    let checksum = crc32(&bytes[..16]);
    bytes[16..20].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// The place of the index, if these are the last bytes of a file that has one.
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
