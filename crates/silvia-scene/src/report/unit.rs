//! The unit of lengths in a page: that of the scene, so that its numbers are those of the author.

use crate::recording::Header;
use silvia_solid::files::Unit;

/// The unit in which the scene has its lengths; metres for a recording without a scene.
pub(super) fn length_unit(header: &Header) -> Unit {
    header.source.unit_of_length().parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::SceneSource;

    #[test]
    fn the_unit_is_that_of_the_scene_or_metres() {
        for (text, unit) in [
            ("[units]\nlength = \"mm\"\n", Unit::Millimetre),
            ("title = \"x\"\n", Unit::Metre),
            ("[units]\nlength = \"km\"\n", Unit::Metre),
            ("", Unit::Metre),
        ] {
            let source = SceneSource { text: text.to_owned(), ..SceneSource::default() };
            assert_eq!(length_unit(&Header { source, ..Header::default() }), unit, "{text}");
        }
    }
}
