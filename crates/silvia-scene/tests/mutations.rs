//! No text breaks the reader of scenes.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use seeded::Random;
use silvia_scene::scene::SceneSource;
use silvia_scene::{Overrides, Scene, SceneError};

#[test]
fn no_change_of_a_good_scene_breaks_the_reader_and_each_refusal_has_a_remedy() {
    let good = include_str!("scenes/everything.toml");
    let words: Vec<&str> = good.split_inclusive([' ', '\n', ',', '=']).collect();
    let odd = [
        "nan",
        "-inf",
        "1e400",
        "99999999999",
        "-1",
        "0",
        "\"",
        "[[",
        "]",
        "{ ",
        "}",
        "\u{0}",
        "'é'",
        "\"5 kg\"",
        "true",
    ];
    let mut random = Random::new(11);
    let (mut made, mut refused) = (0, 0);
    for _ in 0..3000 {
        let text = match random.below(3) {
            // Bytes; what is no longer text is refused before.
            0 => {
                let mut bytes = good.as_bytes().to_vec();
                for _ in 0..=random.below(3) {
                    let at = random.below(bytes.len());
                    bytes[at] = random.below(128) as u8;
                }
                String::from_utf8_lossy(&bytes).into_owned()
            }
            // Words put elsewhere, or odd ones in their place.
            1 => {
                let mut text = words.clone();
                for _ in 0..=random.below(3) {
                    let at = random.below(text.len());
                    text[at] = if random.below(2) == 0 {
                        odd[random.below(odd.len())]
                    } else {
                        words[random.below(words.len())]
                    };
                }
                text.concat()
            }
            // A line away, or the end.
            _ => {
                let mut lines: Vec<&str> = good.split_inclusive('\n').collect();
                let at = random.below(lines.len());
                if random.below(4) == 0 {
                    lines.truncate(at);
                } else {
                    lines.remove(at);
                }
                lines.concat()
            }
        };
        let source = SceneSource { name: "changed.toml".to_owned(), text, ..SceneSource::default() };
        match Scene::from_source(source).and_then(|scene| scene.setup(&Overrides::default())) {
            Ok(_) => made += 1,
            Err(SceneError::Refused { findings, .. }) => {
                refused += 1;
                for finding in findings {
                    assert!(!finding.what.is_empty() && !finding.remedy.is_empty(), "{finding:?}");
                }
            }
            Err(error) => panic!("nothing else can go wrong in memory: {error}"),
        }
    }
    assert!(made > 300 && refused > 300, "{made} made, {refused} refused");
}
