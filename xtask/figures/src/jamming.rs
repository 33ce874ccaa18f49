//! Whitney's jamming diagram, with pegs pressed by the engine at many of its points.

use crate::Outcome;
use crate::schematic::{INK, Svg};
use silvia::prelude::*;
use std::path::Path;

const FRICTION: f64 = 0.3;
/// Half the width of the peg, m.
const RADIUS: f64 = 4e-3;
/// How deep it is in the hole, m.
const DEPTH: f64 = 10e-3;
/// Play on each side, m.
const CLEARANCE: f64 = 2e-6;
/// Force that presses it down, N.
const PRESS: f64 = 10.0;

/// Picture: its size, where its origin is, and pixels for one of both axes.
const SIZE: [f64; 2] = [930.0, 510.0];
const ORIGIN: [f64; 2] = [320.0, 252.0];
const SCALE: [f64; 2] = [64.0, 22.0];
/// How far the axes go.
const REACH: [f64; 2] = [4.2, 9.6];

pub(crate) fn diagram(path: &Path) -> Outcome {
    let mut svg = Svg::new(SIZE[0], SIZE[1]);
    let k = DEPTH / (2.0 * RADIUS * FRICTION);
    let turn = |aside: f64, side: f64| side * k + FRICTION * (1.0 + k) * aside;
    let most = 1.0 / FRICTION;
    let corners = [(-most, -1.0), (most, -1.0), (most, 1.0), (-most, 1.0)];
    let corners = corners.map(|(aside, side)| place(aside, turn(aside, side)));
    let corners = corners.map(|[x, y]| format!("{x:.1},{y:.1}")).join(" ");
    svg.add(format_args!("<polygon points='{corners}' fill='#e4f3e8' stroke='{INK}' stroke-width='1.5'/>"));
    axes(&mut svg);
    for i in -8..=8 {
        for j in -9..=9 {
            let (aside, turn) = (0.5 * f64::from(i), f64::from(j));
            let [x, y] = place(aside, turn);
            let goes_on = goes_on(aside, turn)?;
            let [fill, line] = if goes_on { ["#2e7d4f", "#2e7d4f"] } else { ["#fff", "#c0392b"] };
            svg.add(format_args!(
                "<circle cx='{x:.1}' cy='{y:.1}' r='4' fill='{fill}' stroke='{line}' stroke-width='1.6'/>"
            ));
        }
    }
    for (y, fill, line, text) in
        [(424.0, "#2e7d4f", "#2e7d4f", "goes on"), (450.0, "#fff", "#c0392b", "jams: stays where it is")]
    {
        svg.add(format_args!(
            "<circle cx='644' cy='{y}' r='4' fill='{fill}' stroke='{line}' stroke-width='1.6'/>"
        ));
        svg.text([658.0, y + 5.0], "start", text);
    }
    peg(&mut svg);
    svg.save(path)
}

/// Where a point of the diagram is in the picture.
fn place(aside: f64, turn: f64) -> [f64; 2] {
    [ORIGIN[0] + SCALE[0] * aside, ORIGIN[1] - SCALE[1] * turn]
}

fn axes(svg: &mut Svg) {
    let [[left, y], [right, _]] = [-REACH[0], REACH[0]].map(|aside| place(aside, 0.0));
    let [[x, low], [_, high]] = [-REACH[1], REACH[1]].map(|turn| place(0.0, turn));
    svg.arrow([left, y, right + 14.0, y], INK);
    svg.arrow([x, low, x, high - 12.0], INK);
    svg.text([right + 4.0, low + 36.0], "end", "aside / press");
    svg.text([x + 12.0, high - 6.0], "start", "torque / (r press)");
    for aside in [-4.0, -2.0, 0.0, 2.0, 4.0] {
        svg.small([place(aside, 0.0)[0], low + 18.0], &format!("{aside}"));
    }
    for turn in [-8.0, -4.0, 0.0, 4.0, 8.0] {
        svg.small([left - 16.0, place(0.0, turn)[1] + 4.0], &format!("{turn}"));
    }
}

/// The peg in its hole, its tilt drawn larger than it is, with what acts on it.
fn peg(svg: &mut Svg) {
    let [middle, mouth, tip] = [760.0, 230.0, 330.0];
    for x in [middle - 110.0, middle + 43.0] {
        svg.add(format_args!(
            "<rect x='{x}' y='{mouth}' width='67' height='130' fill='#d5d9e0' stroke='{INK}'/>"
        ));
    }
    svg.add(format_args!(
        "<rect x='{}' y='{}' width='76' height='210' fill='#fdeeda' stroke='{INK}' \
         transform='rotate(3 {middle} {tip})'/>",
        middle - 38.0,
        tip - 210.0
    ));
    svg.arrow([middle, tip - 70.0, middle, tip - 4.0], INK);
    svg.small([middle - 20.0, tip - 50.0], "press");
    svg.arrow([middle, tip, middle + 60.0, tip], INK);
    svg.small([middle + 20.0, tip + 18.0], "aside");
    let top = tip - 226.0;
    svg.add(format_args!(
        "<path d='M{} {top}a60 60 0 0 1 64 4' fill='none' stroke='{INK}' stroke-width='2' \
         marker-end='url(#tip)'/>",
        middle - 20.0
    ));
    svg.small([middle + 12.0, top - 22.0], "torque");
    svg.arrow([middle + 134.0, mouth, middle + 134.0, tip], INK);
    svg.small([middle + 124.0, 0.5 * (mouth + tip)], "l");
    svg.small([middle, tip - 196.0], "2 r");
}

/// Whether a flat peg between two walls still moves after 10 ms. Force and torque act at the middle of its
/// tip.
fn goes_on(aside: f64, turn: f64) -> Result<bool, Box<dyn std::error::Error>> {
    let mut world = World::new(WorldSettings::default().with_gravity(Vec3::ZERO))?;
    let steel = world.add_material(Material::new("steel", FRICTION, 0.0))?;
    for side in [-1.0, 1.0] {
        let wall = Shape::cuboid(Vec3::new(0.01, 0.02, 0.03))?;
        let place = Vec3::new(side * (RADIUS + CLEARANCE + 0.005), 0.0, -0.015);
        world.add(BodyBuilder::fixed(wall).material(steel).at(Pose::from_translation(place)?))?;
    }
    let peg = Shape::cuboid(Vec3::new(2.0 * RADIUS, 0.008, 0.03))?;
    let place = Pose::from_translation(Vec3::Z * (0.015 - DEPTH))?;
    let peg = world.add(BodyBuilder::free(peg).density(7850.0).material(steel).at(place))?;
    let linear = PRESS * Vec3::new(aside, 0.0, -1.0);
    let push = Twist { linear, angular: PRESS * RADIUS * turn * Vec3::Y };
    let tip = Pose::from_translation(-0.015 * Vec3::Z)?;
    world.take(peg, Hand::new(0.0, 0.0).with_grip(tip).with_push(push))?;
    for _ in 0..20 {
        world.step(0.5e-3)?;
    }
    // What slides has gained centimetres a second by then; what jams rests.
    Ok(world.velocity(peg)?.linear.z.abs() > 1e-3)
}
