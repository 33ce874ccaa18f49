//! Scene 11: a stack of boxes.

use super::row::{Row, Rows};
use super::stage::{FORCE, GRAVITY, Stage, ValidationError, at};
use crate::body::BodyId;
use crate::report::StepReport;
use crate::response;
use crate::world::World;
use silvia_proximity::Shape;
use silvia_solid::Vec3;

pub(super) const NAME: &str = "stack";

const BOXES: usize = 10;

/// Of a box, m.
const SIZE: f64 = 0.2;

/// s: short, since `lcp` takes long; stacks that stand for long are proved elsewhere.
const TIME: f64 = 0.05;

/// How much narrower than the one below each box is, m: each stands on its four corners.
const NARROWER: f64 = 4e-3;

/// How far a box may sink or drift, m: 1e-9 of its size.
const STILL: f64 = 1e-9 * SIZE;

pub(super) fn open(method: &str) -> Result<World, ValidationError> {
    Ok(stacked(method)?.0.world)
}

pub(super) fn run(method: &str) -> Result<Vec<Row>, ValidationError> {
    let (mut stage, boxes) = stacked(method)?;
    let mut rows = Rows::new(NAME, stage.method);
    // The first step opens what touches exactly to the shell.
    stage.step()?;
    let start = boxes.iter().map(|&body| stage.place(body)).collect::<Result<Vec<_>, _>>()?;
    let last = stage.run(TIME)?;
    let mut worst = [GRAVITY * BOXES as f64; 2];
    let (mut sunk, mut drifted) = (0.0_f64, 0.0_f64);
    for (below, &body) in boxes.iter().enumerate() {
        let weight = (BOXES - below) as f64 * GRAVITY;
        let carried = lift_from_below(&last, body);
        if f64::abs(carried / weight - 1.0) >= f64::abs(worst[1] / worst[0] - 1.0) {
            worst = [weight, carried];
        }
        let way = stage.place(body)? - start[below];
        sunk = sunk.max(-way.z);
        drifted = drifted.max(way.x.hypot(way.y));
    }
    rows.relative("force between boxes, worst of ten", "N", worst, FORCE);
    rows.absolute("sunk in 50 ms, worst", "m", [0.0, sunk], STILL);
    rows.absolute("drifted in 50 ms, worst", "m", [0.0, drifted], STILL);
    Ok(rows.done())
}

/// What holds a body up from the bodies that came before it, N.
fn lift_from_below(report: &StepReport, body: BodyId) -> f64 {
    let on_it = report.contacts.iter().filter(|contact| contact.bodies[1] == body);
    on_it.map(|contact| contact.force.z).sum()
}

/// Boxes of 1 kg, each a little narrower than the one below; without friction for a method that knows none.
fn stacked(method: &str) -> Result<(Stage, Vec<BodyId>), ValidationError> {
    let knows_friction = response::by_name(method).is_none_or(|response| response.handles_friction());
    let mut stage = Stage::new(method, if knows_friction { 0.5 } else { 0.0 }, 0.0)?;
    stage.ground()?;
    let boxes = (0..BOXES)
        .map(|level| {
            let width = SIZE - level as f64 * NARROWER;
            let shape = Shape::cuboid(Vec3::new(width, width, SIZE))?;
            stage.free(shape, at(0.0, 0.0, SIZE * (level as f64 + 0.5))?)
        })
        .collect::<Result<Vec<_>, _>>()?;
    Ok((stage, boxes))
}
