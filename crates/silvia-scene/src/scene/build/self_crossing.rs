//! Parts whose surface passes through itself: they have no inside where it does.

use super::Build;
use crate::scene::tree::Path;
use silvia_solid::{SelfCrossings, Soup, Vec3, self_crossings};

/// What can be done about it.
pub(super) enum Remedies<'a> {
    /// The part comes from a file; how to get its triangles before repairs and scale.
    OfFile(&'a dyn Fn() -> Option<Soup>),
    /// It was made from sizes.
    OfSizes,
}

impl Build<'_> {
    /// Refuses triangles that cut through each other; none on error.
    pub(super) fn refuse_crossing(
        &mut self,
        soup: &Soup,
        path: &Path,
        remedies: &Remedies<'_>,
    ) -> Option<()> {
        /// More need not be counted.
        const MOST: usize = 1000;
        let Some(SelfCrossings { first: (first, _), count }) = self_crossings(soup, MOST) else {
            return Some(());
        };
        let [a, b, c] = soup.corners(first.index());
        let place = self.told_place((a + b + c) / 3.0);
        let count = match count {
            1 => "one pair of triangles cuts through each other".to_owned(),
            MOST.. => format!("{MOST} pairs of triangles or more cut through each other"),
            count => format!("{count} pairs of triangles cut through each other"),
        };
        let what = format!("its surface passes through itself near {place}: {count}");
        let remedy = match remedies {
            Remedies::OfFile(as_read) => {
                let way = as_read().and_then(|soup| self.way_to_a_solid(&soup).ok());
                way.unwrap_or_else(|| {
                    "unite or separate what overlaps where it was made (`silvia inspect \
                     --self-intersections` shows where), or give `surface = true` to take it as a surface \
                     without an inside"
                        .to_owned()
                })
            }
            Remedies::OfSizes => "give other sizes".to_owned(),
        };
        self.error(path, what, remedy);
        None
    }

    /// A place in the scene's unit of length.
    pub(super) fn told_place(&self, at: Vec3) -> String {
        let [x, y, z] = at.to_array().map(|x| digits(self.units.length.of_si(x)));
        format!("[{x}, {y}, {z}] {}", self.unit_of_length())
    }
}

/// Four digits.
fn digits(number: f64) -> f64 {
    format!("{number:.3e}").parse().unwrap_or(number)
}
