//! Bodies and pairs to be watched.

use super::{Added, Build};
use crate::recording::Watch;
use crate::scene::tree::Path;
use silvia_world::{BodyId, World};

impl Build<'_> {
    /// The watches of the scene, in its order, and after them those of its hands, which hold bodies.
    pub(super) fn watches(&mut self, world: &World, added: &Added, taken: &[BodyId]) -> Vec<Watch> {
        let ids: Vec<BodyId> = world.ids().collect();
        let place = |id: &BodyId| ids.binary_search(id).ok().map(|place| place as u32);
        let mut watches = Vec::new();
        for (index, written) in self.scene.written().watch.iter().enumerate() {
            let path = Path::root().key("watch").index(index);
            let mut one = |path: &Path, name: &str| {
                let id = self.one_body(path, name, added)?;
                place(&id)
            };
            let watch = match (&written.body, &written.pair) {
                (Some(body), None) => one(&path.key("body"), body).map(Watch::Body),
                (None, Some([a, b])) => {
                    let path = path.key("pair");
                    let found = [one(&path.index(0), a), one(&path.index(1), b)];
                    match found {
                        [Some(first), Some(second)] if first == second => {
                            self.error(
                                &path,
                                format!("\"{a}\" cannot be paired with itself"),
                                "name two bodies",
                            );
                            None
                        }
                        [Some(first), Some(second)] => Some(Watch::Pair([first, second])),
                        _ => None,
                    }
                }
                (Some(_), Some(_)) => {
                    let what = "it has both `body` and `pair`";
                    self.error(&path, what, "make two [[watch]] of it, one with each");
                    None
                }
                (None, None) => {
                    let what = "it does not say what to watch";
                    self.error(&path, what, "give `body = \"...\"` or `pair = [\"...\", \"...\"]`");
                    None
                }
            };
            watches.extend(watch);
        }
        // The hands of a new world have their numbers in order.
        let hands =
            taken.iter().zip(0..).filter_map(|(id, hand)| Some(Watch::Hand { hand, body: place(id)? }));
        watches.extend(hands);
        watches
    }

    /// The body with a name, which must be one body.
    pub(super) fn one_body(&mut self, path: &Path, name: &str, added: &Added) -> Option<BodyId> {
        match added.by_name.get(name).map(Vec::as_slice) {
            Some([id]) => Some(*id),
            Some(copies) => {
                let what = format!("\"{name}\" is {} bodies", copies.len());
                self.error(path, what, format!("name one of them, as in \"{name} 1\""));
                None
            }
            None => {
                self.no_such_body(path, name, added);
                None
            }
        }
    }
}
