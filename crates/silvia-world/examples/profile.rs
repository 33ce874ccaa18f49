//! Where the time of steps goes: `cargo run --release -p silvia-world --example profile -- pile 300 200 100`.
//!
//! Builds a scene (`stack`, `away` (one far from the origin), `stacks`, `wall`, `pile`, `knots`, `chain`) of
//! a size, lets it go for some steps of 1 ms and then times some more, each on its own: the median, the 99th
//! percentile, and the share of each stage. With `INTERACTIVE`, `SLEEP` or `FIRST_ORDER` in the environment,
//! with these settings; with `TRACE`, a line for each timed step.

use seeded::Random;
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::hull::convex_hull;
use silvia_solid::primitives::{TorusKnot, torus};
use silvia_solid::{Plane, Pose, Quat, Solid, Vec3};
use silvia_world::{BodyBuilder, Budget, Material, MaterialId, Profile, StepReport, World, WorldSettings};
use std::error::Error;
use std::f64::consts::{FRAC_PI_2, PI};
use std::time::Instant;

/// s
const STEP: f64 = 1e-3;

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let usage = "profile SCENE SIZE [SETTLE [TIMED [STEP]]]";
    let number = |at: usize, or: usize| given.get(at).map_or(Ok(or), |n| n.parse());
    let (scene, size) = (given.first().ok_or(usage)?, number(1, 10)?);
    let (settle, timed) = (number(2, 200)?, number(3, 100)?);
    let step = given.get(4).map_or(Ok(STEP), |n| n.parse())?;
    let mut world = built(scene, size)?;
    let mut settings = world.settings().clone();
    if std::env::var_os("INTERACTIVE").is_some() {
        settings.interactive = Some(Budget::default());
    }
    if std::env::var_os("SLEEP").is_some() {
        settings.sleep_after = 50;
    }
    settings.second_order = std::env::var_os("FIRST_ORDER").is_none();
    if let Some(shell) = std::env::var("SHELL_SIZE").ok().and_then(|s| s.parse().ok()) {
        settings.shell = shell;
    }
    world.set_settings(settings)?;
    let began = Instant::now();
    for _ in 0..settle {
        world.step(step)?;
    }
    println!(
        "{scene} {size}: settled in {:.2} s, kinetic {:.3e} J",
        began.elapsed().as_secs_f64(),
        world.energy().kinetic
    );
    world.set_profiling(true);
    let cpu = cpu_seconds();
    let mut sum = Profile::default();
    let mut times = Vec::new();
    let (mut pieces, mut cuts, mut rounds, mut contacts, mut paths, mut impacts, mut grown) =
        (0, 0, 0, 0, 0, 0, 0);
    let mut islands = 0;
    let mut report = StepReport::default();
    for _ in 0..timed {
        world.step_into(step, &mut report)?;
        let profile = report.profile.ok_or("no profile")?;
        times.push(profile.seconds);
        sum.add(&profile);
        pieces += report.pieces;
        cuts += report.cuts;
        rounds += report.iterations;
        contacts += report.contacts.len();
        paths += report.certificate.paths;
        grown += report.certificate.grown;
        impacts += report.impacts.len();
        islands += report.islands;
        if std::env::var_os("TRACE").is_some() {
            let kinds: Vec<String> = report.shortfalls.iter().map(|s| format!("{:?}", s.kind)).collect();
            println!(
                "{:>8.4} s {:>10.2} ms, {} pieces, {} cuts, {} iterations, {} contacts, {} grown, residual \
                 {:.1e}, gap {:.1e} {:.150}",
                report.time,
                1e3 * profile.seconds,
                report.pieces,
                report.cuts,
                report.iterations,
                report.contacts.len(),
                report.certificate.grown,
                report.residual,
                report.smallest_gap,
                kinds.join(" ")
            );
        }
    }
    times.sort_by(f64::total_cmp);
    // None, if no step was timed.
    let at = |share: f64| {
        times
            .get((times.len().saturating_sub(1) as f64 * share).round() as usize)
            .map_or(0.0, |time| time * 1e6)
    };
    println!("median {:.1} us, 99 % {:.1} us, worst {:.1} us", at(0.5), at(0.99), at(1.0));
    println!("CPU {:.1} us a step", (cpu_seconds() - cpu) / timed.max(1) as f64 * 1e6);
    let each = |count: usize| count as f64 / timed.max(1) as f64;
    println!(
        "a step: {:.1} islands, {:.2} pieces, {:.2} cuts, {:.2} rounds, {:.1} contacts, {:.1} impacts, {:.1} \
         paths, {:.2} grown",
        each(islands),
        each(pieces),
        each(cuts),
        each(rounds),
        each(contacts),
        each(impacts),
        each(paths),
        each(grown)
    );
    let mut known = 0.0;
    for (stage, cost) in sum.costs() {
        known += cost.seconds;
        let (us, share) = (cost.seconds / timed as f64 * 1e6, 100.0 * cost.seconds / sum.seconds);
        println!(
            "{:<10}{us:>12.1} us {share:>6.1} %  {:>10.1}",
            stage.as_str(),
            cost.count as f64 / timed as f64
        );
    }
    println!(
        "{:<10}{:>12.1} us {:>6.1} %",
        "other",
        (sum.seconds - known) / timed as f64 * 1e6,
        100.0 * (1.0 - known / sum.seconds)
    );
    println!("hash {:016x}", world.hash());
    Ok(())
}

/// What all threads of this process have run, s: on a machine that others use too, it tells more than the
/// clock. 0 where it is not told.
fn cpu_seconds() -> f64 {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return 0.0 };
    let of_task = |task: std::fs::DirEntry| -> Option<f64> {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse().ok()
    };
    1e-9 * tasks.filter_map(Result::ok).filter_map(of_task).sum::<f64>()
}

fn built(scene: &str, size: usize) -> Result<World, Box<dyn Error>> {
    let mut world = World::new(WorldSettings::default())?;
    let material = world.add_material(Material::new("all", 0.5, 0.0))?;
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?;
    world.add(BodyBuilder::fixed(ground).named("ground").material(material))?;
    match scene {
        "stack" => stacks(&mut world, material, 1, size, Vec3::ZERO)?,
        "away" => stacks(&mut world, material, 1, size, Vec3::new(13.7, -5.3, 0.0))?,
        "stacks" => stacks(&mut world, material, size.div_ceil(10), 10, Vec3::ZERO)?,
        "wall" => wall(&mut world, material, size)?,
        "pile" => pile(&mut world, material, size)?,
        "knots" => knots(&mut world, material, size)?,
        "chain" => chain(&mut world, material, size)?,
        _ => {
            return Err(format!(
                "no scene `{scene}`: there are stack, away, stacks, wall, pile, knots, chain"
            )
            .into());
        }
    }
    Ok(world)
}

fn stacks(
    world: &mut World,
    material: MaterialId,
    count: usize,
    high: usize,
    corner: Vec3,
) -> Result<(), Box<dyn Error>> {
    let cube = Shape::cuboid(Vec3::splat(0.2))?;
    let wide = (count as f64).sqrt().ceil() as usize;
    for number in 0..count {
        let (x, y) = ((number % wide) as f64, (number / wide) as f64);
        for level in 0..high {
            let at = Pose::from_translation(corner + Vec3::new(x, y, 0.1 + 0.2 * level as f64))?;
            world.add(BodyBuilder::free(cube.clone()).mass(1.0).at(at).material(material))?;
        }
    }
    Ok(())
}

/// Bricks in running bond, 20 a course, and a ball that comes at them.
fn wall(world: &mut World, material: MaterialId, bricks: usize) -> Result<(), Box<dyn Error>> {
    let size = Vec3::new(0.2, 0.1, 0.1);
    let brick = Shape::cuboid(size)?;
    for number in 0..bricks {
        let (course, along) = (number / 20, (number % 20) as f64 + 0.5 * ((number / 20) % 2) as f64);
        let at = Vec3::new(along * (size.x + 1e-3), 0.0, size.z * (course as f64 + 0.5));
        world.add(
            BodyBuilder::free(brick.clone())
                .density(2000.0)
                .at(Pose::from_translation(at)?)
                .material(material),
        )?;
    }
    let height = 0.5 * size.z * (bricks as f64 / 20.0);
    let ball = BodyBuilder::free(Shape::sphere(0.15)?).mass(20.0).material(material);
    let at = Pose::from_translation(Vec3::new(10.0 * size.x, -1.0, height))?;
    world.add(ball.at(at).velocity(Twist { linear: Vec3::new(0.0, 10.0, 0.0), angular: Vec3::ZERO }))?;
    Ok(())
}

/// Boxes and hulls of random points in a square bin, dropped in layers.
fn pile(world: &mut World, material: MaterialId, count: usize) -> Result<(), Box<dyn Error>> {
    let mut random = Random::new(1);
    let wide = ((count as f64).cbrt().ceil() as usize).max(2);
    let pitch = 0.26;
    bin(world, material, wide as f64 * pitch)?;
    for number in 0..count {
        let shape = if number % 2 == 0 {
            Shape::cuboid(Vec3::new(
                random.between(0.08, 0.16),
                random.between(0.08, 0.16),
                random.between(0.08, 0.16),
            ))?
        } else {
            let points: Vec<Vec3> = (0..16).map(|_| 0.09 * random.direction()).collect();
            Shape::convex(&Solid::from_soup(&convex_hull(&points)?.soup)?)?
        };
        let at = place(&mut random, number, wide, pitch)?;
        world.add(BodyBuilder::free(shape).density(1000.0).at(at).material(material))?;
    }
    Ok(())
}

fn knots(world: &mut World, material: MaterialId, count: usize) -> Result<(), Box<dyn Error>> {
    let mut random = Random::new(1);
    let soup = TorusKnot::TREFOIL.soup_with_triangles(1000)?;
    let knot = Shape::solid(Solid::from_soup(&soup)?).scaled(0.02)?;
    let wide = ((count as f64).cbrt().ceil() as usize).max(2);
    let pitch = 0.16;
    bin(world, material, wide as f64 * pitch)?;
    for number in 0..count {
        let at = place(&mut random, number, wide, pitch)?;
        world.add(BodyBuilder::free(knot.clone()).density(1000.0).at(at).material(material))?;
    }
    Ok(())
}

fn chain(world: &mut World, material: MaterialId, links: usize) -> Result<(), Box<dyn Error>> {
    let link = Shape::solid(Solid::from_soup(&torus(0.05, 0.01, 16, 8)?)?);
    for number in 0..links {
        let quarter = if number % 2 == 0 { 0.0 } else { FRAC_PI_2 };
        let turn = Quat::from_rotation_z(quarter + 0.05)
            * Quat::from_rotation_x(FRAC_PI_2)
            * Quat::from_rotation_z(PI / 16.0);
        let at = Pose::new(Vec3::new(0.0, 0.0, 0.078 * (links - number + 2) as f64), turn)?;
        let body =
            if number == 0 { BodyBuilder::fixed(link.clone()) } else { BodyBuilder::free(link.clone()) };
        world.add(body.density(7850.0).at(at).material(material))?;
    }
    Ok(())
}

/// Four walls around a square of a width, m.
fn bin(world: &mut World, material: MaterialId, wide: f64) -> Result<(), Box<dyn Error>> {
    for (normal, offset) in [(Vec3::X, 0.0), (Vec3::Y, 0.0), (-Vec3::X, -wide), (-Vec3::Y, -wide)] {
        world.add(BodyBuilder::fixed(Shape::half_space(Plane { normal, offset })?).material(material))?;
    }
    Ok(())
}

/// The place of a body in a bin filled layer by layer, turned at random.
fn place(random: &mut Random, number: usize, wide: usize, pitch: f64) -> Result<Pose, Box<dyn Error>> {
    let at = Vec3::new((number % wide) as f64, (number / wide % wide) as f64, (number / wide / wide) as f64);
    let turn = Quat::from_axis_angle(random.direction(), random.between(0.0, PI));
    Ok(Pose::new(pitch * (at + Vec3::splat(0.5)), turn)?)
}
