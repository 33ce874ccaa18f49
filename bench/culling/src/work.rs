//! The boxes, and how they move: the same for all sides.

use bench_common::Random;
use silvia::solid::{Aabb, Vec3};

/// The boxes that move in a step, with their new places, by rising index.
pub(crate) type Moves = Vec<(u32, Aabb)>;

/// How boxes lie and move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scene {
    /// In a cube; those that move fly straight and turn at its walls.
    Flying,
    /// In a cube; those that move are somewhere else in every step.
    Jumping,
    /// The same above a box of [`FLOOR`], which rests.
    JumpingAboveFloor,
    /// In a square, without any thickness.
    JumpingFlat,
}

impl Scene {
    /// As a table says it.
    pub(crate) fn motion(self) -> &'static str {
        match self {
            Scene::Flying => "moving",
            Scene::Jumping => "jumping",
            Scene::JumpingAboveFloor => "jumping above a floor",
            Scene::JumpingFlat => "jumping in a plane",
        }
    }
}

/// Boxes, some of which move.
pub(crate) struct Crowd {
    pub(crate) boxes: Vec<Aabb>,
    movers: Vec<(u32, Vec3)>,
    half: f64,
    scene: Scene,
    random: Random,
}

/// Half a side of the floor, m.
const FLOOR: f64 = 1e4;
/// The square has this area for each flat box, m².
const AREA_EACH: f64 = 1.5;

/// Sides of the boxes, m.
const SIDES: (f64, f64) = (0.5, 1.5);
/// The cube has this volume for each box, m³: each box then overlaps three others, roughly.
const VOLUME_EACH: f64 = 2.83;
/// How far a mover goes in a step, m: a twentieth of its side, on average.
const SPEED: f64 = 0.05;

impl Crowd {
    /// `share` of the boxes move.
    pub(crate) fn new(count: usize, share: f64, scene: Scene) -> Crowd {
        let mut random = Random::new(0x5EED_0000 + count as u64);
        let half = match scene {
            Scene::JumpingFlat => 0.5 * (AREA_EACH * count as f64).sqrt(),
            _ => 0.5 * (VOLUME_EACH * count as f64).cbrt(),
        };
        let mut boxes: Vec<Aabb> = (0..count).map(|_| fresh(&mut random, half, scene)).collect();
        if scene == Scene::JumpingAboveFloor {
            // The last, which does not move unless all do.
            let top = -half - SIDES.1;
            boxes[count - 1] = Aabb { min: Vec3::splat(-FLOOR), max: Vec3::new(FLOOR, FLOOR, top) };
        }
        // Ids say nothing about places, so the first ones may as well be those that move; but spread them.
        let number = ((share * count as f64).round() as usize).max(1);
        let movers = (0..number)
            .map(|i| ((i * count / number) as u32, SPEED * random.vector(1.0).normalize_or(Vec3::X)))
            .collect();
        Crowd { boxes, movers, half, scene, random }
    }

    pub(crate) fn step(&mut self) -> Moves {
        let mut moves = Vec::with_capacity(self.movers.len());
        for (id, velocity) in &mut self.movers {
            let b = &mut self.boxes[*id as usize];
            if self.scene != Scene::Flying {
                *b = fresh(&mut self.random, self.half, self.scene);
                moves.push((*id, *b));
                continue;
            }
            let center = b.center();
            for axis in 0..3 {
                if center[axis] * velocity[axis] > 0.0 && center[axis].abs() > self.half {
                    velocity[axis] = -velocity[axis];
                }
            }
            *b = Aabb { min: b.min + *velocity, max: b.max + *velocity };
            moves.push((*id, *b));
        }
        moves
    }
}

/// A box anywhere.
fn fresh(random: &mut Random, half: f64, scene: Scene) -> Aabb {
    let mut center = half * random.vector(1.0);
    let mut size = Vec3::from([(); 3].map(|()| SIDES.0 + (SIDES.1 - SIDES.0) * random.unit()));
    if scene == Scene::JumpingFlat {
        (center.z, size.z) = (0.0, 0.0);
    }
    Aabb { min: center - 0.5 * size, max: center + 0.5 * size }
}

/// A sheet of triangles through which waves run; its boxes are those of the triangles, swept over the step.
pub(crate) struct Sheet {
    /// Quads along a side.
    side: usize,
    time: f64,
}

/// Of a triangle's legs, m.
const LEG: f64 = 1.0;
/// Of a wave, s a step.
const TIME_STEP: f64 = 0.1;

impl Sheet {
    pub(crate) fn new(triangles: usize) -> Sheet {
        Sheet { side: ((triangles / 2) as f64).sqrt().round() as usize, time: 0.0 }
    }

    /// The boxes of all triangles in the next step.
    pub(crate) fn step(&mut self) -> Vec<Aabb> {
        let before = self.points();
        self.time += TIME_STEP;
        let after = self.points();
        let row = self.side + 1;
        let mut boxes = Vec::with_capacity(2 * self.side * self.side);
        for y in 0..self.side {
            for x in 0..self.side {
                let [a, b, c, d] = [y * row + x, y * row + x + 1, (y + 1) * row + x + 1, (y + 1) * row + x];
                for triangle in [[a, b, c], [a, c, d]] {
                    let corners = triangle.iter().flat_map(|&i| [before[i], after[i]]);
                    boxes.push(Aabb::of(corners));
                }
            }
        }
        boxes
    }

    /// Folded twice, so that it meets itself, with two waves running through it.
    fn points(&self) -> Vec<Vec3> {
        let width = LEG * self.side as f64;
        let mut points = Vec::with_capacity((self.side + 1).pow(2));
        for y in 0..=self.side {
            for x in 0..=self.side {
                let (u, v) = (LEG * x as f64, LEG * y as f64);
                let fold = 3.0 * u / width;
                let layer = fold.min(2.999).floor();
                let along = if layer % 2.0 == 1.0 { 1.0 - fold.fract() } else { fold - layer };
                let wave = 1.5 * (0.05 * u + self.time).sin() + 0.9 * (0.07 * v - 1.3 * self.time).sin();
                let drift = 0.3 * (0.11 * v + 0.7 * self.time).sin();
                points.push(Vec3::new(along * width / 3.0 + drift, v, 1.2 * layer + wave));
            }
        }
        points
    }
}
