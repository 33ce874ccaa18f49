//! Parts whose surface passes through itself: they have no inside where it does.

use super::Build;
use crate::scene::tree::Path;
use silvia_solid::{SelfCrossings, Soup, self_crossings};

/// What can be done about it.
pub(super) enum Remedies {
    /// The part comes from a file.
    OfFile,
    /// It was made from sizes.
    OfSizes,
}

impl Build<'_> {
    /// Refuses triangles that cut through each other; none on error.
    pub(super) fn refuse_crossing(&mut self, soup: &Soup, path: &Path, remedies: Remedies) -> Option<()> {
        /// More need not be counted.
        const MOST: usize = 1000;
        let Some(SelfCrossings { first: (first, _), count }) = self_crossings(soup, MOST) else {
            return Some(());
        };
        let [a, b, c] = soup.corners(first.index());
        let [x, y, z] = ((a + b + c) / 3.0).to_array().map(|x| digits(self.units.length.of_si(x)));
        let unit = self.scene.written().units.length.as_deref().unwrap_or("m");
        let count = match count {
            1 => "one pair of triangles cuts through each other".to_owned(),
            MOST.. => format!("{MOST} pairs of triangles or more cut through each other"),
            count => format!("{count} pairs of triangles cut through each other"),
        };
        let what = format!("its surface passes through itself near [{x}, {y}, {z}] {unit}: {count}");
        let remedy = match remedies {
            Remedies::OfFile => {
                "unite or separate what overlaps where it was made (`silvia inspect --self-intersections` \
                 shows where), or give `surface = true` to take it as a surface without an inside"
            }
            Remedies::OfSizes => "give other sizes",
        };
        self.error(path, what, remedy);
        None
    }
}

/// Four digits.
fn digits(number: f64) -> f64 {
    format!("{number:.3e}").parse().unwrap_or(number)
}
