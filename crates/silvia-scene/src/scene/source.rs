//! The source of a scene.

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
