//! Scene 3: a ball that slides, and rolls.

use super::STEP;
use super::row::{Row, Rows};
use super::stage::{GRAVITY, MOTION, Stage, THRESHOLD, ValidationError, along_x, on_slope, threshold};
use crate::body::BodyId;
use crate::builder::BodyBuilder;
use crate::world::World;
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::primitives::cuboid;
use silvia_solid::{Quat, Solid, Vec3};

pub(super) const NAME: &str = "ball";

/// Of the ball, m.
const RADIUS: f64 = 0.1;

/// At the start on level ground, m/s: fast, so that a step is short beside the time until it rolls.
const SPEED: f64 = 5.0;

/// On level ground.
const FRICTION: f64 = 0.1;

/// Of the slope, degrees.
const SLOPE: f64 = 30.0;

/// A ball whose lowest point is slower than this rolls, m/s.
const NO_SLIP: f64 = 1e-7;

/// What the ball moves on.
#[derive(Clone, Copy)]
enum Ground {
    Plane,
    /// Triangles.
    Table,
}

/// What the rows of a kind of ground are called.
struct Words {
    time: &'static str,
    speed: &'static str,
    acceleration: &'static str,
    threshold: &'static str,
}

pub(super) fn open(method: &str) -> Result<World, ValidationError> {
    Ok(ball(method, Ground::Plane, 0.0, FRICTION, SPEED)?.0.world)
}

pub(super) fn run(method: &str) -> Result<Vec<Row>, ValidationError> {
    let plane = Words {
        time: "time until it rolls",
        speed: "speed when it rolls",
        acceleration: "acceleration on a slope of 30°",
        threshold: "least friction to roll at 30°",
    };
    let table = Words {
        time: "time until it rolls, on triangles",
        speed: "speed when it rolls, on triangles",
        acceleration: "acceleration on a slope of 30°, on triangles",
        threshold: "least friction to roll at 30°, on triangles",
    };
    let mut rows = Rows::new(NAME, Stage::new(method, 0.0, 0.0)?.method);
    for (ground, words) in [(Ground::Plane, plane), (Ground::Table, table)] {
        compare(method, ground, &words, &mut rows)?;
    }
    Ok(rows.done())
}

fn compare(method: &str, ground: Ground, words: &Words, rows: &mut Rows) -> Result<(), ValidationError> {
    let (mut stage, body) = ball(method, ground, 0.0, FRICTION, SPEED)?;
    let expected = 2.0 * SPEED / (7.0 * FRICTION * GRAVITY);
    while slip(stage.velocity(body)?, 0.0) > NO_SLIP {
        if stage.world.time() > 2.0 * expected {
            return Err(ValidationError::NeverHappened { what: "rolling" });
        }
        stage.step()?;
    }
    rows.relative(words.time, "s", [expected, stage.world.time()], MOTION);
    stage.run(100.0 * STEP)?;
    let speed = stage.velocity(body)?.linear.x;
    rows.relative(words.speed, "m/s", [5.0 / 7.0 * SPEED, speed], MOTION);

    let angle = SLOPE.to_radians();
    let (mut stage, body) = ball(method, ground, angle, 0.5, 0.0)?;
    stage.run(0.5)?;
    let acceleration = stage.velocity(body)?.linear.length() / 0.5;
    rows.relative(words.acceleration, "m/s²", [5.0 / 7.0 * GRAVITY * angle.sin(), acceleration], MOTION);

    let needed = 2.0 / 7.0 * angle.tan();
    let rolling = threshold(needed, "friction at which the ball begins to roll", |friction| {
        let (mut stage, body) = ball(method, ground, angle, friction, 0.0)?;
        stage.run(0.05)?;
        Ok(slip(stage.velocity(body)?, angle) < NO_SLIP)
    })?;
    rows.relative(words.threshold, "", [needed, rolling], THRESHOLD);
    Ok(())
}

/// How fast the point of the ball moves that touches the ground, m/s.
fn slip(velocity: Twist, angle: f64) -> f64 {
    let arm = Quat::from_rotation_y(angle) * Vec3::new(0.0, 0.0, -RADIUS);
    (velocity.linear + velocity.angular.cross(arm)).length()
}

/// A ball of 1 kg on ground that falls towards +x at an angle, rad.
fn ball(
    method: &str,
    ground: Ground,
    angle: f64,
    friction: f64,
    speed: f64,
) -> Result<(Stage, BodyId), ValidationError> {
    let mut stage = Stage::new(method, friction, 0.0)?;
    match ground {
        Ground::Plane => stage.slope(angle)?,
        Ground::Table => {
            let size = Vec3::new(24.0, 2.0, 0.5);
            let table = Shape::solid(Solid::from_soup(&cuboid(size)?)?);
            stage.fixed(table, on_slope(angle, 0.0, -0.5 * size.z)?)?
        }
    };
    // Off the middle of the table, where a diagonal runs.
    let pose = on_slope(angle, 0.3, RADIUS)?;
    let ball = BodyBuilder::free(Shape::sphere(RADIUS)?).mass(1.0).at(pose);
    let ball = stage.add(ball.velocity(along_x(speed)))?;
    Ok((stage, ball))
}
