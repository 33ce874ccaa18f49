//! What a page embeds, read as its script reads it.

use serde_json::Value;
use silvia_solid::Vec3;

/// All of it.
pub(crate) fn embedded(page: &str) -> Value {
    let (_, rest) = page.split_once(r#"<script type="application/json" id="data">"#).unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// Base64, decoded by its definition and not by the crate's own tables.
pub(crate) fn bytes(text: &Value) -> Vec<u8> {
    let six = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        other => panic!("{other} is no base64"),
    };
    let letters: Vec<u8> = text.as_str().unwrap().bytes().filter(|&c| c != b'=').map(six).collect();
    let bits: Vec<u8> = letters.iter().flat_map(|six| (0..6).rev().map(move |bit| six >> bit & 1)).collect();
    bits.chunks_exact(8).map(|byte| byte.iter().fold(0, |sum, bit| 2 * sum + bit)).collect()
}

pub(crate) fn doubles(text: &Value) -> Vec<f64> {
    bytes(text).chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect()
}

pub(crate) fn floats(text: &Value) -> Vec<f64> {
    bytes(text).chunks_exact(4).map(|b| f64::from(f32::from_le_bytes(b.try_into().unwrap()))).collect()
}

pub(crate) fn integers(text: &Value) -> Vec<u32> {
    bytes(text).chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect()
}

pub(crate) fn vector(three: &[f64]) -> Vec3 {
    Vec3::new(three[0], three[1], three[2])
}
