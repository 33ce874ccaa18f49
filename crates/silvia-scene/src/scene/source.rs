//! The source of a scene.

use super::written::{PlainUnit, dimension};
use silvia_world::LengthUnit;
use std::collections::BTreeMap;

/// The text of a scene and of all files it names: enough to rebuild its world on any machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SceneSource {
    /// The file name, for messages.
    pub name: String,
    /// The text, in TOML.
    pub text: String,
    /// The part files by the names that the scene uses.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl SceneSource {
    /// The symbol of the unit in which the scene has its lengths; metres if the text names none, or is no
    /// scene.
    pub fn unit_of_length(&self) -> String {
        let table = self.text.parse::<toml::Table>().ok();
        let symbol = table.as_ref().and_then(|table| table.get("units")?.get("length")?.as_str());
        let known = symbol.filter(|symbol| PlainUnit::named::<dimension::OfLength>(symbol).is_ok());
        known.unwrap_or(LengthUnit::METRE.symbol).to_owned()
    }
}

/// A unit of length by its symbol, for messages; metres if there is none of that name.
pub fn length_unit(symbol: &str) -> LengthUnit<'_> {
    PlainUnit::named::<dimension::OfLength>(symbol)
        .map_or(LengthUnit::METRE, |unit| LengthUnit { symbol, in_a_metre: unit.of_si(1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_is_that_of_the_text_or_metres() {
        for (text, symbol, in_a_metre) in [
            ("[units]\nlength = \"mm\"\n", "mm", 1e3),
            ("[units]\nlength = \"km\"\n", "km", 1e-3),
            ("[units]\nlength = \"miles\"\n", "m", 1.0),
            ("title = \"x\"\n", "m", 1.0),
            ("not a scene", "m", 1.0),
        ] {
            let source = SceneSource { text: text.to_owned(), ..SceneSource::default() };
            let found = source.unit_of_length();
            assert_eq!(length_unit(&found), LengthUnit { symbol, in_a_metre }, "{text}");
        }
    }
}
