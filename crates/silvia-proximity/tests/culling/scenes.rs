//! Boxes that move, from a seed.

use seeded::Random;
use silvia_solid::{Aabb, Vec3};

/// How boxes come about and move.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Random,
    /// In a few heaps far from each other.
    Clustered,
    /// One box in fifty holds everything, the others are tiny.
    HugeAmongTiny,
    AllEqual,
    /// Unit boxes of a grid, which move by whole units: all contacts are exact.
    Touching,
    /// Rectangles, segments and points on a grid.
    Degenerate,
    /// Some 1e9 m away, among ones nearby.
    FarAway,
    /// Sizes from a millimetre to a kilometre.
    AllSizes,
}

pub(crate) const KINDS: [Kind; 8] = [
    Kind::Random,
    Kind::Clustered,
    Kind::HugeAmongTiny,
    Kind::AllEqual,
    Kind::Touching,
    Kind::Degenerate,
    Kind::FarAway,
    Kind::AllSizes,
];

impl Kind {
    /// A box anywhere.
    pub(crate) fn fresh(self, r: &mut Random) -> Aabb {
        match self {
            Kind::Random => around(r.vector(4.0), r.vector(1.0)),
            Kind::Clustered => {
                let heap = 100.0 * (r.below(4) as f64);
                around(Vec3::splat(heap) + r.vector(1.0), r.vector(0.4))
            }
            Kind::HugeAmongTiny if r.chance(0.02) => around(r.vector(1.0), Vec3::splat(20.0)),
            Kind::HugeAmongTiny => around(r.vector(10.0), r.vector(0.6)),
            Kind::AllEqual => around(Vec3::ONE, Vec3::ONE),
            Kind::Touching => around(r.vector(3.0).round(), Vec3::splat(0.5)),
            Kind::Degenerate => {
                let flat = Vec3::new(r.below(3) as f64, r.below(3) as f64, r.below(3) as f64);
                let corner = r.vector(3.0).round();
                Aabb { min: corner, max: corner + flat.map(|x| (x - 1.0).max(0.0)) }
            }
            Kind::FarAway => {
                let place = [Vec3::ZERO, Vec3::X, -Vec3::ONE, Vec3::new(0.0, 1.0, -1.0)][r.below(4)];
                around(1e9 * place + r.vector(2.0), r.vector(0.8))
            }
            Kind::AllSizes => {
                let half = 10f64.powf(r.between(-3.0, 3.0));
                around(r.vector(50.0), r.vector(half))
            }
        }
    }

    /// A box a little further on.
    pub(crate) fn moved(self, b: &Aabb, r: &mut Random) -> Aabb {
        let step = match self {
            Kind::AllEqual if r.chance(0.5) => return self.fresh(r),
            Kind::Touching | Kind::Degenerate => r.vector(0.8).round(),
            _ => r.vector(0.1) * b.size().max_element().max(0.1),
        };
        Aabb { min: b.min + step, max: b.max + step }
    }
}

fn around(center: Vec3, half: Vec3) -> Aabb {
    Aabb { min: center - half.abs(), max: center + half.abs() }
}
