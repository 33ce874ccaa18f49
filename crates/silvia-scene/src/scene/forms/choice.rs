//! The kinds of shape, and which of them a table gives.

use super::{Form, FormError, few};
use crate::scene::written::{Units, WrittenShape};
use silvia_proximity::Shape;

impl WrittenShape {
    /// The keys of all kinds of shape.
    pub const WORDS: [&'static str; 36] = [
        "part",
        "file",
        "box",
        "sphere",
        "cylinder",
        "cone",
        "capsule",
        "ellipsoid",
        "half_space",
        "cavity",
        "prism",
        "torus",
        "knot",
        "hull",
        "peg",
        "hole",
        "bolt",
        "countersink",
        "screw",
        "nut",
        "hex_bolt",
        "hex_nut",
        "cross_screw",
        "screwdriver",
        "key",
        "pocket",
        "tail",
        "socket",
        "snap_hook",
        "snap_slot",
        "burr",
        "l_bracket",
        "t_bracket",
        "gear",
        "stone",
        "compound",
    ];

    /// The keys that are given.
    pub fn given(&self) -> Vec<&'static str> {
        let is_given = [
            self.part.is_some(),
            self.file.is_some(),
            self.cuboid.is_some(),
            self.sphere.is_some(),
            self.cylinder.is_some(),
            self.cone.is_some(),
            self.capsule.is_some(),
            self.ellipsoid.is_some(),
            self.half_space.is_some(),
            self.cavity.is_some(),
            self.prism.is_some(),
            self.torus.is_some(),
            self.knot.is_some(),
            self.hull.is_some(),
            self.peg.is_some(),
            self.hole.is_some(),
            self.bolt.is_some(),
            self.countersink.is_some(),
            self.screw.is_some(),
            self.nut.is_some(),
            self.hex_bolt.is_some(),
            self.hex_nut.is_some(),
            self.cross_screw.is_some(),
            self.screwdriver.is_some(),
            self.key.is_some(),
            self.pocket.is_some(),
            self.tail.is_some(),
            self.socket.is_some(),
            self.snap_hook.is_some(),
            self.snap_slot.is_some(),
            self.burr.is_some(),
            self.l_bracket.is_some(),
            self.t_bracket.is_some(),
            self.gear.is_some(),
            self.stone.is_some(),
            self.compound.is_some(),
        ];
        WrittenShape::WORDS
            .into_iter()
            .zip(is_given)
            .filter(|(_, is_given)| *is_given)
            .map(|(word, _)| word)
            .collect()
    }

    /// The first given shape that needs only its own parameters.
    pub fn made(&self, units: &Units) -> Option<Result<Shape, FormError>> {
        let exact: [Option<&dyn Form>; 15] = [
            self.cuboid.as_ref().map(|form| form as &dyn Form),
            self.sphere.as_ref().map(|form| form as &dyn Form),
            self.cylinder.as_ref().map(|form| form as &dyn Form),
            self.cone.as_ref().map(|form| form as &dyn Form),
            self.capsule.as_ref().map(|form| form as &dyn Form),
            self.ellipsoid.as_ref().map(|form| form as &dyn Form),
            self.half_space.as_ref().map(|form| form as &dyn Form),
            self.cavity.as_ref().map(|form| form as &dyn Form),
            self.prism.as_ref().map(|form| form as &dyn Form),
            self.torus.as_ref().map(|form| form as &dyn Form),
            self.knot.as_ref().map(|form| form as &dyn Form),
            self.hull.as_ref().map(|form| form as &dyn Form),
            self.gear.as_ref().map(|form| form as &dyn Form),
            self.stone.as_ref().map(|form| form as &dyn Form),
            self.burr.as_ref().map(|form| form as &dyn Form),
        ];
        if let Some(form) = exact.into_iter().flatten().next() {
            return Some(few(form.triangles()).and_then(|()| form.shape(units)));
        }
        let pegs =
            self.peg.as_ref().map(|fit| fit.peg(units)).or(self.hole.as_ref().map(|fit| fit.hole(units)));
        let bolts = || {
            let bolt = self.bolt.as_ref().map(|fit| fit.bolt(units));
            bolt.or(self.countersink.as_ref().map(|fit| fit.countersink(units)))
        };
        let screws = || {
            let screw = self.screw.as_ref().map(|fit| fit.screw(units));
            screw.or(self.nut.as_ref().map(|fit| fit.nut(units)))
        };
        let hexes = || {
            let bolt = self.hex_bolt.as_ref().map(|fit| fit.bolt(units));
            bolt.or(self.hex_nut.as_ref().map(|fit| fit.nut(units)))
        };
        let drivers = || {
            let screw = self.cross_screw.as_ref().map(|fit| fit.screw(units));
            screw.or(self.screwdriver.as_ref().map(|fit| fit.driver(units)))
        };
        let keys = || {
            let key = self.key.as_ref().map(|fit| fit.key(units));
            key.or(self.pocket.as_ref().map(|fit| fit.pocket(units)))
        };
        let tails = || {
            let tail = self.tail.as_ref().map(|fit| fit.tail(units));
            tail.or(self.socket.as_ref().map(|fit| fit.socket(units)))
        };
        let hooks = || {
            let hook = self.snap_hook.as_ref().map(|fit| fit.hook(units));
            hook.or(self.snap_slot.as_ref().map(|fit| fit.slot(units)))
        };
        let brackets = || {
            let l = self.l_bracket.as_ref().map(|sizes| sizes.l(units));
            l.or(self.t_bracket.as_ref().map(|sizes| sizes.t(units)))
        };
        let fits = pegs.or_else(bolts).or_else(screws).or_else(hexes).or_else(drivers).or_else(keys);
        fits.or_else(tails).or_else(hooks).or_else(brackets)
    }
}
