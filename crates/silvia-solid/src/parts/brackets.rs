//! Brackets: plates at right angles, cut from one profile.

use crate::Soup;
use crate::primitives::{PrimitiveError, below, extrusion, length};

/// Two legs at right angles, an L seen along z: one of length `along` in x, one of length `up` in y. Both are
/// `thickness` thick and `width` wide in z. Volume: `(along + up - thickness) * thickness * width`.
pub fn l_bracket(along: f64, up: f64, thickness: f64, width: f64) -> Result<Soup, PrimitiveError> {
    let t = length("thickness", thickness)?;
    below("thickness", t, length("along", along)?, "the length of the leg along x")?;
    below("thickness", t, length("up", up)?, "the length of the leg along y")?;
    let (x, y) = (0.5 * along, 0.5 * up);
    extrusion(&[[-x, -y], [x, -y], [x, t - y], [t - x, t - y], [t - x, y], [-x, y]], &[], width)
}

/// A plate with a web on its middle, an inverted T seen along z. The plate has length `along` in x, the whole
/// has height `up` in y; plate and web are `thickness` thick and `width` wide in z. Volume:
/// `(along + up - thickness) * thickness * width`.
pub fn t_bracket(along: f64, up: f64, thickness: f64, width: f64) -> Result<Soup, PrimitiveError> {
    let t = length("thickness", thickness)?;
    below("thickness", t, length("along", along)?, "the length of the plate along x")?;
    below("thickness", t, length("up", up)?, "the height of the bracket along y")?;
    let (x, y, w) = (0.5 * along, 0.5 * up, 0.5 * t);
    let outline = [[-x, -y], [x, -y], [x, t - y], [w, t - y], [w, y], [-w, y], [-w, t - y], [-x, t - y]];
    extrusion(&outline, &[], width)
}
