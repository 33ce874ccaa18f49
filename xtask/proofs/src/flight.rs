//! Free flight over many steps: what Newton and Euler keep is kept.
//!
//! Bodies have random mass, moments and axes, from rods to discs, and spin at up to 0.1 rad a step. The
//! centre of mass is held against the parabola, the angular momentum and the energy against their values at
//! the start.

use seeded::Random;
use silvia::prelude::*;

/// Steps of a trial.
const STEPS: usize = 10_000;

/// By how much the energy may waver, relative: a method of fourth order at 0.1 rad a step.
const WAVERING: f64 = 1e-4;

/// By how much the waver may be larger in the second half than in the first, relative: a drift would double
/// it.
const GROWTH: f64 = 1.2;

/// One trial: the largest relative error of the angular momentum, or what was wrong.
pub(crate) fn trial(random: &mut Random) -> Result<f64, String> {
    let gravity = random.vector(10.0);
    let settings = WorldSettings::default().with_gravity(gravity);
    let mut world = World::new(settings).map_err(|e| e.to_string())?;
    let id = world.add(body(random)?).map_err(|e| e.to_string())?;
    let step = 10f64.powf(random.between(-4.0, -1.0));
    let velocity =
        Twist { linear: random.vector(10.0), angular: direction(random) * random.between(0.0, 0.1) / step };
    world.set_velocity(id, velocity).map_err(|e| e.to_string())?;

    let inertia = world.inertia(id).map_err(|e| e.to_string())?.inertia;
    let look = |world: &World| {
        let state = world.body_state(id).map_err(|e| e.to_string())?;
        let r = Mat3::from_quat(state.rotation);
        let spin = r * (inertia * (r.transpose() * state.velocity.angular));
        Ok::<_, String>((state.centre, spin, spin.dot(state.velocity.angular)))
    };
    let (centre, spin, energy) = look(&world)?;
    let (mut worst, mut waver, mut there) = (0.0f64, [0.0f64; 2], centre);
    for number in 0..STEPS {
        world.step(step).map_err(|e| format!("step {number}: {e}"))?;
        let (now, spin_now, energy_now) = look(&world)?;
        worst = worst.max((spin_now - spin).length() / spin.length());
        let half = usize::from(number >= STEPS / 2);
        waver[half] = waver[half].max((energy_now / energy - 1.0).abs());
        there = now;
    }
    let t = STEPS as f64 * step;
    let parabola = centre + t * velocity.linear + 0.5 * t * t * gravity;
    let way = centre.length() + t * velocity.linear.length() + 0.5 * t * t * gravity.length();
    let off = (there - parabola).length() / way;
    if off > STEPS as f64 * f64::EPSILON {
        return Err(format!("{off:e} of its way off the parabola"));
    }
    if worst > STEPS as f64 * f64::EPSILON {
        return Err(format!("angular momentum off by {worst:e}"));
    }
    if waver[0] > WAVERING || waver[1] > GROWTH * waver[0] + 1e-12 {
        return Err(format!("energy off by {waver:?}"));
    }
    Ok(worst)
}

fn body(random: &mut Random) -> Result<BodyBuilder, String> {
    let mass = 10f64.powf(random.between(-3.0, 3.0));
    // Of three masses on the axes, so that no moment exceeds the sum of the others.
    let arms = [0; 3].map(|_| 10f64.powf(random.between(-3.0, 0.0)));
    let moments = mass * Vec3::new(arms[1] + arms[2], arms[2] + arms[0], arms[0] + arms[1]);
    let r = Mat3::from_quat(Quat::from_scaled_axis(random.vector(3.0)));
    let inertia = r * Mat3::from_diagonal(moments) * r.transpose();
    let ball = Shape::sphere(0.5).map_err(|e| e.to_string())?;
    let pose = Pose::new(random.vector(10.0), Quat::from_scaled_axis(random.vector(3.0)));
    let builder = BodyBuilder::free(ball).mass_properties(mass, random.vector(0.5), inertia);
    Ok(builder.at(pose.map_err(|e| e.to_string())?))
}

/// A unit vector.
fn direction(random: &mut Random) -> Vec3 {
    loop {
        let v = random.vector(1.0);
        if (0.1..1.0).contains(&v.length()) {
            return v.normalize();
        }
    }
}
