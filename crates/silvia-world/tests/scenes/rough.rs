//! Non-convex bodies that fall on each other.
use super::*;
use silvia_solid::parts::{PegAndHole, l_bracket};
use silvia_solid::primitives::{TorusKnot, torus};
use silvia_solid::{Solid, Soup};

fn solid(soup: &Soup) -> Shape {
    Shape::solid(Solid::from_soup(soup).unwrap())
}

fn run(w: &mut World, steps: usize, dt: f64) {
    let t = std::time::Instant::now();
    let (mut most, mut pieces, mut cuts, mut impacts, mut it) = (0, 0, 0, 0, 0);
    let start = w.energy().total();
    for k in 0..steps {
        match w.step(dt) {
            Ok(r) => {
                most = most.max(r.contacts.len());
                pieces += r.pieces;
                cuts += r.cuts;
                impacts += r.impacts.len();
                it += r.iterations;
            }
            Err(e) => {
                println!("step {k}: {e}");
                break;
            }
        }
        if k % (steps / 10).max(1) == 0 {
            println!(
                "{k}: {most} contacts, {pieces} pieces, {cuts} cuts, {impacts} impacts, {it} rounds, energy {:.4} of {start:.4}, {:?}",
                w.energy().total(),
                t.elapsed()
            );
        }
    }
    println!("hash {:x} {:?}", w.hash(), t.elapsed());
}

#[test]
fn two_knots_fall_on_a_bracket() {
    let mut w = world("auto");
    let m = material(&mut w, 0.3, 0.2);
    let bracket = solid(&l_bracket(4.0, 3.0, 0.5, 4.0).unwrap());
    println!("{:?}", bracket.aabb(&Pose::IDENTITY));
    w.add(
        BodyBuilder::fixed(bracket)
            .named("bracket")
            .at(Pose::new(Vec3::ZERO, Quat::from_rotation_x(std::f64::consts::FRAC_PI_2)).unwrap())
            .material(m),
    )
    .unwrap();
    let knot = solid(&TorusKnot::TREFOIL.soup_with_triangles(400).unwrap());
    let size = knot.aabb(&Pose::IDENTITY).size();
    println!("{size}");
    let s = 1.0 / size.max_element();
    for i in 0..2 {
        let r = Quat::from_rotation_x(0.3 + i as f64) * Quat::from_rotation_y(0.5);
        let p = Pose::new(Vec3::new(0.3 * i as f64, 0.2, 0.2 + 1.2 * i as f64), r).unwrap();
        w.add(BodyBuilder::free(knot.scaled(s).unwrap()).at(p).material(m)).unwrap();
    }
    run(&mut w, 1000, 1e-3);
}

#[test]
fn a_peg_drops_over_a_hole() {
    let mut w = world("auto");
    let m = material(&mut w, 0.2, 0.1);
    let parts = PegAndHole::default();
    w.add(BodyBuilder::fixed(solid(&parts.block().unwrap())).named("block").material(m)).unwrap();
    let peg = solid(&parts.peg().unwrap());
    println!("{:?} {:?}", parts, peg.aabb(&Pose::IDENTITY));
    let top = solid(&parts.block().unwrap()).aabb(&Pose::IDENTITY).max.z;
    let p = Pose::new(Vec3::new(0.0002, 0.0001, top + 0.021), Quat::from_rotation_x(0.02)).unwrap();
    w.add(BodyBuilder::free(peg).at(p).material(m)).unwrap();
    run(&mut w, 250, 1e-3);
}

#[test]
fn a_chain_hangs() {
    let mut w = world("auto");
    let m = material(&mut w, 0.3, 0.0);
    let link = solid(&torus(0.05, 0.01, 16, 8).unwrap());
    let mut z = 0.0;
    for i in 0..8 {
        let r = if i % 2 == 0 {
            Quat::from_rotation_x(std::f64::consts::FRAC_PI_2)
        } else {
            Quat::from_rotation_x(std::f64::consts::FRAC_PI_2) * Quat::from_rotation_z(0.0)
        };
        let r = if i % 2 == 0 { r } else { Quat::from_rotation_z(std::f64::consts::FRAC_PI_2) * r };
        let p = Pose::new(Vec3::new(0.0, 0.0, z), r).unwrap();
        let b = if i == 0 { BodyBuilder::fixed(link.clone()) } else { BodyBuilder::free(link.clone()) };
        w.add(b.at(p).material(m)).unwrap();
        z -= 0.075;
    }
    run(&mut w, 250, 1e-3);
}
