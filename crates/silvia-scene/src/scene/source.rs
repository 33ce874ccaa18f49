//! What a scene was read from.

use std::collections::BTreeMap;

/// The text of a scene and of all files that it names: enough to make its world again, on any machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SceneSource {
    /// The name of its file, as messages show it.
    pub name: String,
    /// TOML.
    pub text: String,
    /// The files of its parts by name, as the scene names them.
    pub files: BTreeMap<String, Vec<u8>>,
}
