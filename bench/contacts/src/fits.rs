//! The parts, and poses at which they are near each other all around and do not touch.

use silvia::proximity::bounds::Obb;
use silvia::proximity::mesh::{collide, distance};
use silvia::proximity::{DistanceOptions, Extent, Hierarchy};
use silvia::solid::parts::{CountersunkBolt, Gear, PegAndHole};
use silvia::solid::primitives::TorusKnot;
use silvia::solid::{Pose, Quat, Solid, Soup, Vec3};
use std::error::Error;
use std::f64::consts::{FRAC_PI_2, TAU};

pub(crate) type Body = Hierarchy<Obb>;

/// A pair of parts in close fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    Peg,
    Bolt,
    Gears,
    Knots,
}

/// The parts of a fit with a number of triangles; the first is at the origin.
pub(crate) struct Parts {
    pub(crate) soups: [Soup; 2],
    pub(crate) bodies: [Body; 2],
    /// Where the second fits.
    place: Pose,
    /// About how far the second can move, m.
    pub(crate) clearance: f64,
}

impl Fit {
    pub(crate) const EVERY: [Fit; 4] = [Fit::Peg, Fit::Bolt, Fit::Gears, Fit::Knots];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Fit::Peg => "peg in hole",
            Fit::Bolt => "bolt in countersink",
            Fit::Gears => "gear in gear",
            Fit::Knots => "knot along knot",
        }
    }

    /// About so many triangles each.
    pub(crate) fn parts(self, triangles: usize) -> Result<Parts, Box<dyn Error>> {
        let (soups, place, clearance) = match self {
            Fit::Peg => {
                let fit = PegAndHole { facets: triangles / 4, ..PegAndHole::default() };
                ([fit.block()?, fit.peg()?], Pose::IDENTITY, fit.clearance)
            }
            Fit::Bolt => {
                let fit = CountersunkBolt { segments: triangles / 6, ..CountersunkBolt::default() };
                ([fit.block()?, fit.bolt()?], Pose::IDENTITY, fit.clearance)
            }
            Fit::Gears => {
                // A tooth has two flanks, and each point of the outline about four triangles.
                let wheel = |teeth: usize| Gear {
                    teeth,
                    bore_radius: 0.0,
                    flank_segments: (triangles / (8 * teeth)).max(1),
                    ..Gear::default()
                };
                let (large, small) = (wheel(20), wheel(17));
                let place = Pose::from_translation(Vec3::new(large.centre_distance(&small), 0.0, 0.0))?;
                ([large.soup()?, small.soup()?], place, 0.5 * large.backlash)
            }
            Fit::Knots => knots(triangles)?,
        };
        let bodies = [body(&soups[0])?, body(&soups[1])?];
        Ok(Parts { soups, bodies, place, clearance })
    }
}

impl Parts {
    /// Free poses in the fit, each unlike the last. The same on every run.
    pub(crate) fn scattered(&self, count: usize) -> Result<Vec<Pose>, Box<dyn Error>> {
        (0..count).map(|i| self.free(TAU * (0.618_034 * i as f64).fract(), i as f64)).collect()
    }

    /// Free poses in small steps: a slow stir within the clearance.
    pub(crate) fn path(&self, count: usize) -> Result<Vec<Pose>, Box<dyn Error>> {
        (0..count).map(|i| self.free(TAU * i as f64 / 200.0, 0.02 * i as f64)).collect()
    }

    /// Off the place by about a third of the clearance, less if that touches.
    fn free(&self, around: f64, phase: f64) -> Result<Pose, Box<dyn Error>> {
        let size = self.bodies[1].bounds().size().length();
        let mut much = 0.35 * self.clearance;
        for _ in 0..20 {
            let shift = much * Vec3::new(around.cos(), around.sin(), 0.5 * phase.sin());
            let turn = Quat::from_scaled_axis(Vec3::new(phase.cos(), phase.sin(), 0.3) * (much / size));
            let at = self.place.translation() + shift;
            let pose = Pose::new(at, (turn * self.place.rotation()).normalize())?;
            if !collide(&self.bodies[0], &Pose::IDENTITY, &self.bodies[1], &pose, Extent::Any).is_some() {
                return Ok(pose);
            }
            much *= 0.7;
        }
        Err("no free pose was found in the fit".into())
    }
}

/// Two equal knots, one turned about the axis so that they run along each other, as thick as leaves them a
/// thousandth of their tube apart.
fn knots(triangles: usize) -> Result<([Soup; 2], Pose, f64), Box<dyn Error>> {
    let turned = Pose::new(Vec3::ZERO, Quat::from_rotation_z(FRAC_PI_2))?;
    let of_tube = |tube_radius: f64| -> Result<(Soup, f64), Box<dyn Error>> {
        let soup = TorusKnot { tube_radius, ..TorusKnot::TREFOIL }.soup_with_triangles(triangles)?;
        let one = body(&soup)?;
        let apart = distance(&one, &Pose::IDENTITY, &one, &turned, &DistanceOptions::default())?.upper;
        Ok((soup, apart))
    };
    // Thin tubes are apart, thick ones are not.
    let (mut thin, mut thick) = (0.1, 0.6);
    loop {
        let middle = 0.5 * (thin + thick);
        let (soup, apart) = of_tube(middle)?;
        if apart > 2e-3 * middle {
            thin = middle;
        } else if apart < 5e-4 * middle {
            thick = middle;
        } else {
            return Ok(([soup.clone(), soup], turned, apart));
        }
    }
}

fn body(soup: &Soup) -> Result<Body, Box<dyn Error>> {
    Ok(Hierarchy::new(Solid::from_soup(soup)?))
}
