//! A screw with a cross recess, and its screwdriver.
//!
//! The recess is of ISO 4757, type H (Phillips). Four wings leave its axis. Their ends lean outwards by 26.5
//! degrees from the axis, from a diameter `g` at the bottom; their sides are upright, `f` apart. Between two
//! wings the core is cut back to a diameter `b`, by two faces that meet the sides of the wings at an angle
//! `alpha` and lean by `beta`. The bottom falls by `t1` to a point on the axis. The wings' thickness at the
//! core, which the standard names `e`, and its rounded edges are left out: sides stay `f` apart.

use crate::primitives::{
    PrimitiveError, above, at_least, below, check_triangles, circle, clearance_of, length,
};
use crate::triangulate::polygon_with_holes;
use crate::{Soup, Vec3};

/// A screw with a cylindrical head and a cross recess of ISO 4757, type H, and a screwdriver that fits. At
/// the same pose the driver is seated in the recess with the clearance between all faces; the screw points
/// down, the top of its head is at z = 0.
///
/// ```
/// use silvia_solid::{Solid, parts::CrossRecess};
/// let fit = CrossRecess { clearance: 2e-5, ..CrossRecess::default() };
/// assert_eq!(Solid::from_soup(&fit.screw()?)?.genus(), 0);
/// assert_eq!(Solid::from_soup(&fit.driver()?)?.genus(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossRecess {
    /// Number of the recess, 1 to 4.
    pub size: usize,
    /// Diameter over the ends of the wings at the top of the head, `m` in the standards of screws, m.
    pub mouth: f64,
    /// Distance between the faces of the driver and those of the recess, m.
    pub clearance: f64,
    /// Radius of the head, to its corners, m.
    pub head_radius: f64,
    /// Height of the head, m.
    pub head_height: f64,
    /// Radius of the shank, to its corners, m.
    pub shank_radius: f64,
    /// Length of the shank, m. Its last quarter radius is a chamfer of 45 degrees.
    pub length: f64,
    /// Radius of the driver's shaft, to its corners, m.
    pub shaft_radius: f64,
    /// Height of the end of the driver's shaft above the head, m.
    pub shaft_length: f64,
    /// Number of sides of the polygons that replace circles.
    pub segments: usize,
}

impl Default for CrossRecess {
    /// An M4 screw with a pan head (ISO 7045), and a driver of 6 mm with 0.03 mm of clearance.
    fn default() -> Self {
        CrossRecess {
            size: 2,
            mouth: 4.4e-3,
            clearance: 0.03e-3,
            head_radius: 4.0e-3,
            head_height: 3.1e-3,
            shank_radius: 2.0e-3,
            length: 12.0e-3,
            shaft_radius: 3.0e-3,
            shaft_length: 30.0e-3,
            segments: 32,
        }
    }
}

/// Dimensions of a recess, m and degrees: `b` and `g` as they are nominally, `f` at its largest.
struct Standard {
    b: f64,
    g: f64,
    f: f64,
    t1: f64,
    alpha: f64,
    beta: f64,
}

/// By the number of the recess, from 1.
const STANDARD: [Standard; 4] = [
    Standard { b: 0.97e-3, g: 1.27e-3, f: 0.56e-3, t1: 0.34e-3, alpha: 138.0, beta: 7.0 },
    Standard { b: 1.47e-3, g: 2.29e-3, f: 0.74e-3, t1: 0.61e-3, alpha: 140.0, beta: 5.75 },
    Standard { b: 2.41e-3, g: 3.81e-3, f: 0.86e-3, t1: 1.01e-3, alpha: 146.0, beta: 5.75 },
    Standard { b: 3.48e-3, g: 5.08e-3, f: 1.27e-3, t1: 1.35e-3, alpha: 153.0, beta: 7.0 },
];

/// By how much the ends of wings lean from the axis, degrees.
const FLANK: f64 = 26.5;

/// The cross over its heights, offset inwards by a clearance: every face is a plane.
struct Cross {
    standard: &'static Standard,
    clearance: f64,
}

impl Cross {
    /// From the axis to the ends of the wings, at a height above the bottom, m.
    fn wing(&self, height: f64) -> f64 {
        let flank = FLANK.to_radians();
        0.5 * self.standard.g + height * flank.tan() - self.clearance / flank.cos()
    }

    /// Half the thickness of a wing, m.
    fn half(&self) -> f64 {
        0.5 * self.standard.f - self.clearance
    }

    /// Where a core's face meets the side of a wing, and where two of these meet on the diagonal, as
    /// distances along x, m.
    fn core(&self, height: f64) -> [f64; 2] {
        let Standard { b, alpha, beta, .. } = self.standard;
        let ((sine, cosine), beta) = ((180.0 - alpha).to_radians().sin_cos(), beta.to_radians());
        // The face: `x sine + y cosine = reach`.
        let at_bottom = 0.5 * b * std::f64::consts::FRAC_1_SQRT_2 * (sine + cosine);
        let reach = at_bottom + height * beta.tan() - self.clearance / beta.cos();
        [(reach - self.half() * cosine) / sine, reach / (sine + cosine)]
    }

    /// Its corners at a height above the bottom, anticlockwise; put at `z`.
    fn ring(&self, height: f64, z: f64) -> impl Iterator<Item = Vec3> {
        let (wing, half, [side, diagonal]) = (self.wing(height), self.half(), self.core(height));
        let corners = [[side, -half], [wing, -half], [wing, half], [side, half], [diagonal, diagonal]];
        (0..4).flat_map(move |quarter| {
            corners.map(|[x, y]| match quarter {
                0 => Vec3::new(x, y, z),
                1 => Vec3::new(-y, x, z),
                2 => Vec3::new(-x, -y, z),
                _ => Vec3::new(y, -x, z),
            })
        })
    }
}

impl CrossRecess {
    /// The screw.
    pub fn screw(&self) -> Result<Soup, PrimitiveError> {
        self.check()?;
        let (depth, cross) = (self.depth(), self.cross(0.0));
        let mut mesh = Mesh::default();
        let bottom = mesh.ring(cross.ring(0.0, -depth));
        let mouth = mesh.ring(cross.ring(depth, 0.0));
        let point = mesh.point(-(depth + cross.standard.t1) * Vec3::Z);
        let circle = |radius, z| circle(radius, z, self.segments);
        let (low, chamfer) = (-self.head_height, 0.25 * self.shank_radius);
        let end = low - self.length;
        let [top, under] = [0.0, low].map(|z| mesh.ring(circle(self.head_radius, z)));
        let rings = [
            (self.shank_radius, low),
            (self.shank_radius, end + chamfer),
            (self.shank_radius - chamfer, end),
        ];
        let [root, shank, tip] = rings.map(|(radius, z)| mesh.ring(circle(radius, z)));
        // The recess is seen from within: its walls face the axis.
        mesh.walls(&reversed(&bottom), &reversed(&mouth));
        mesh.fan(&bottom, point);
        mesh.face(&top, &[reversed(&mouth)])?;
        mesh.walls(&under, &top);
        mesh.face(&reversed(&under), std::slice::from_ref(&root))?;
        mesh.walls(&shank, &root);
        mesh.walls(&tip, &shank);
        mesh.face(&reversed(&tip), &[])?;
        mesh.soup()
    }

    /// The screwdriver, seated.
    pub fn driver(&self) -> Result<Soup, PrimitiveError> {
        self.check()?;
        let (depth, cross) = (self.depth(), self.cross(self.clearance));
        let (lifted, shoulder) = (self.lifted(), self.shoulder());
        let mut mesh = Mesh::default();
        let bottom = mesh.ring(cross.ring(lifted, lifted - depth));
        let upper = mesh.ring(cross.ring(shoulder, shoulder - depth));
        let point = mesh.point((lifted - depth - cross.standard.t1) * Vec3::Z);
        let [low, high] = [shoulder - depth, self.shaft_length]
            .map(|z| mesh.ring(circle(self.shaft_radius, z, self.segments)));
        mesh.walls(&bottom, &upper);
        mesh.fan(&reversed(&bottom), point);
        mesh.face(&reversed(&low), &[upper])?;
        mesh.walls(&low, &high);
        mesh.face(&high, &[])?;
        mesh.soup()
    }

    /// Depth of the recess at the ends of its wings, m. At the axis it is deeper by `t1`.
    pub fn depth(&self) -> f64 {
        let g = self.cross(0.0).standard.g;
        0.5 * (self.mouth - g) / FLANK.to_radians().tan()
    }

    /// By how much the tip of the driver stands above the bottom of the recess, m: the steepest parts of that
    /// rise by `t1` over half the thickness of a wing.
    fn lifted(&self) -> f64 {
        let Standard { t1, f, .. } = self.cross(0.0).standard;
        self.clearance * (t1 / (0.5 * f)).hypot(1.0)
    }

    /// Where the wings of the driver end in its shaft, above the bottom of the recess, m.
    fn shoulder(&self) -> f64 {
        let cross = self.cross(self.clearance);
        // A little within the sides of the shaft.
        let inner = self.shaft_radius * self.side_share();
        let widest = 0.95 * (inner.powi(2) - cross.half().powi(2)).sqrt();
        (widest - cross.wing(0.0)) / FLANK.to_radians().tan()
    }

    /// From the axis to the sides of a polygon of radius 1 to its corners.
    fn side_share(&self) -> f64 {
        (std::f64::consts::PI / self.segments as f64).cos()
    }

    fn cross(&self, clearance: f64) -> Cross {
        Cross { standard: &STANDARD[self.size.clamp(1, STANDARD.len()) - 1], clearance }
    }

    fn check(&self) -> Result<(), PrimitiveError> {
        at_least("size", self.size, 1)?;
        below("size", self.size as f64, STANDARD.len() as f64 + 1.0, "since the largest recess is number 4")?;
        at_least("segments", self.segments, 6)?;
        check_triangles(12.0 * self.segments as f64)?;
        for (name, value) in [
            ("mouth", self.mouth),
            ("head radius", self.head_radius),
            ("head height", self.head_height),
            ("shank radius", self.shank_radius),
            ("length", self.length),
            ("shaft radius", self.shaft_radius),
            ("shaft length", self.shaft_length),
        ] {
            length(name, value)?;
        }
        clearance_of(self.clearance)?;
        let standard = self.cross(0.0).standard;
        let to_side = self.side_share();
        above("mouth", self.mouth, standard.g, "the diameter of the recess at its bottom")?;
        below("clearance", self.clearance, 0.25 * standard.f, "a quarter of the thickness of a wing")?;
        let corner = (0.5 * self.mouth).hypot(0.5 * standard.f);
        above("head radius", self.head_radius * to_side, corner, "the extent of the recess")?;
        above("head radius", self.head_radius * to_side, self.shank_radius, "the radius of the shank")?;
        above("head height", self.head_height, self.depth() + standard.t1, "the depth of the recess")?;
        above("length", self.length, 0.25 * self.shank_radius, "the height of the chamfer at the tip")?;
        // Wings that end within the recess could not be pushed into it.
        let least = self.cross(self.clearance).wing(self.depth()).hypot(0.5 * standard.f) / 0.95 / to_side;
        above("shaft radius", self.shaft_radius, least, "so that the shaft ends above the head")?;
        above("shaft length", self.shaft_length, self.shoulder() - self.depth(), "where the shaft begins")
    }
}

/// Points and triangles, as they come.
#[derive(Default)]
struct Mesh {
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Mesh {
    fn point(&mut self, point: Vec3) -> u32 {
        self.points.push(point);
        self.points.len() as u32 - 1
    }

    fn ring(&mut self, points: impl Iterator<Item = Vec3>) -> Vec<u32> {
        let first = self.points.len() as u32;
        self.points.extend(points);
        (first..self.points.len() as u32).collect()
    }

    /// A level face within a ring, seen from where that is anticlockwise, with holes, which are clockwise.
    fn face(&mut self, ring: &[u32], holes: &[Vec<u32>]) -> Result<(), PrimitiveError> {
        self.triangles.extend(polygon_with_holes(&self.points, ring, holes)?);
        Ok(())
    }

    /// The sides between two rings, which face outwards where both are anticlockwise seen from above.
    fn walls(&mut self, low: &[u32], high: &[u32]) {
        let n = low.len();
        for i in 0..n {
            let j = (i + 1) % n;
            self.triangles.extend([[low[i], low[j], high[j]], [low[i], high[j], high[i]]]);
        }
    }

    /// Triangles from a ring to a point.
    fn fan(&mut self, ring: &[u32], point: u32) {
        let n = ring.len();
        self.triangles.extend((0..n).map(|i| [ring[i], ring[(i + 1) % n], point]));
    }

    fn soup(self) -> Result<Soup, PrimitiveError> {
        Ok(Soup::new(self.points, self.triangles)?)
    }
}

fn reversed(ring: &[u32]) -> Vec<u32> {
    ring.iter().rev().copied().collect()
}
