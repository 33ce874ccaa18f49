//! Hash maps whose keys are few and plain numbers, and no one's attack.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map that costs little to look into. Its order is of no use.
pub(super) type MixMap<K, V> = HashMap<K, V, BuildHasherDefault<Mix>>;

/// Multiplies and folds, word by word: cells and slots need no more.
#[derive(Clone, Default)]
pub(super) struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for word in bytes.chunks(8) {
            self.write_u64(word.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte)));
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_i64(&mut self, word: i64) {
        self.write_u64(word as u64);
    }

    fn write_u64(&mut self, word: u64) {
        // Digits of pi and the golden ratio: any odd numbers with no pattern would do.
        let product = u128::from(self.0 ^ word ^ 0x243F_6A88_85A3_08D3) * 0x9E37_79B9_7F4A_7C15;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
