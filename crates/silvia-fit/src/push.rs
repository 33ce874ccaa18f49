//! What a hand may try: pushes, twists, and both at once.

use silvia_contact::Twist;
use silvia_solid::Vec3;

/// Directions nearer to each other than this, rad, are tried once: contacts guide the part over the rest.
const SAME: f64 = 0.05;

/// What a hand does to a part: it pushes along a direction, twists about one, or both. Unit vectors in world
/// axes, or zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Push {
    /// Along.
    pub along: Vec3,
    /// About an axis through the centre of mass.
    pub about: Vec3,
}

impl Push {
    pub(crate) fn scaled(&self, linear: f64, angular: f64) -> Twist {
        Twist { linear: linear * self.along, angular: angular * self.about }
    }
}

/// Axes without those that point the same way as an earlier one, or the opposite way.
pub(crate) fn distinct(axes: impl IntoIterator<Item = Vec3>) -> Vec<Vec3> {
    let mut known: Vec<Vec3> = Vec::new();
    for axis in axes.into_iter().filter_map(Vec3::try_normalize) {
        if known.iter().all(|other| other.cross(axis).length() > SAME) {
            known.push(axis);
        }
    }
    known
}

/// All that is tried: pushes along axes both ways, twists about axes both ways, and screws: both at once,
/// right- and left-handed.
pub(crate) fn pushes(along: &[Vec3], about: &[Vec3]) -> Vec<Push> {
    let both = |axis: &Vec3| [*axis, -*axis];
    let slides = along.iter().flat_map(both).map(|along| Push { along, about: Vec3::ZERO });
    let turns = about.iter().flat_map(both).map(|about| Push { along: Vec3::ZERO, about });
    let screws =
        about.iter().flat_map(both).flat_map(|about| both(&about).map(|along| Push { along, about }));
    slides.chain(turns).chain(screws).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_is_tried_once_whichever_way_it_points() {
        let axes = distinct([Vec3::X, Vec3::NEG_X, Vec3::new(1.0, 0.01, 0.0), Vec3::ZERO, Vec3::Y]);
        assert_eq!(axes, [Vec3::X, Vec3::Y]);
    }

    #[test]
    fn both_hands_of_a_screw_are_tried_both_ways() {
        let all = pushes(&[Vec3::X, Vec3::Z], &[Vec3::Z]);
        assert_eq!(all.len(), 4 + 2 + 4);
        for (along, about) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let screw = Push { along: along * Vec3::Z, about: about * Vec3::Z };
            assert_eq!(all.iter().filter(|push| **push == screw).count(), 1);
        }
    }
}
