//! Adds the bodies of a scene, and their copies, to the world.

use super::copies::turned;
use super::groups::mask;
use super::parts::Parts;
use super::{Added, Build};
use crate::scene::tree::Path;
use crate::scene::written::{self, Colour, Role, WrittenBody};
use silvia_contact::Twist;
use silvia_proximity::{Groups, Shape};
use silvia_solid::{Mat3, Pose, Quat, Vec3};
use silvia_world::{BodyBuilder, BodyId, Load, MaterialId, Script, World, WorldError};
use std::collections::BTreeMap;

/// After this many findings the remaining bodies are skipped.
const MOST_FINDINGS: usize = 1000;

/// A body as read, before it is placed.
#[derive(Clone)]
pub(super) struct Read {
    pub(super) role: Role,
    shape: Shape,
    pub(super) pose: Pose,
    pub(super) weight: Weight,
    /// All of them, if more than one is given.
    pub(super) weights: Vec<Weight>,
    pub(super) velocity: Option<Twist>,
    script: Option<Script>,
    loads: Vec<Load>,
    material: MaterialId,
    groups: Groups,
    colour: Option<[u8; 3]>,
}

#[derive(Clone, Copy)]
pub(super) enum Weight {
    Unsaid,
    Density(f64),
    Mass(f64),
    Inertia(f64, Vec3, Mat3),
}

impl Build<'_> {
    pub(super) fn add_bodies(&mut self, world: &mut World, parts: &mut Parts) -> Added {
        let mut added = Added::default();
        let bodies = &self.scene.written().body;
        if bodies.is_empty() {
            self.lacking(&Path::root(), &["body"], "there are no bodies", "begin each with a line [[body]]");
        }
        let groups = self.group_bits(bodies);
        for (index, body) in bodies.iter().enumerate() {
            if self.findings.len() > MOST_FINDINGS {
                added.refused.push(base_name(body));
                continue;
            }
            let path = Path::root().key("body").index(index);
            let copies = self.copies(&path, body, added.entries.len());
            let read = self.read_body(world, parts, &path, body, &groups);
            if let Some(read) = &read {
                self.check_weights(&path, body, read);
            }
            let is_placed = match (copies, read) {
                (Some(copies), Some(read)) => self.place(world, &mut added, index, body, &read, &copies),
                _ => None,
            };
            if is_placed.is_none() {
                added.refused.push(base_name(body));
            }
        }
        added
    }

    fn read_body(
        &mut self,
        world: &World,
        parts: &mut Parts,
        path: &Path,
        body: &WrittenBody,
        groups: &BTreeMap<&str, u32>,
    ) -> Option<Read> {
        let shape = self.shape(parts, &body.shape, path, 0);
        let pose = self.beginning(path, body);
        let role = self.role(path, body);
        let weights = self.weights(path, body);
        let linear = self.vector_or(&path.key("velocity"), &body.velocity, Vec3::ZERO);
        let angular = self.vector_or(&path.key("spin"), &body.spin, Vec3::ZERO);
        let script = match &body.script {
            Some(script) => self.script(&path.key("script"), script).map(Some),
            None => Some(None),
        };
        let loads =
            body.load.iter().enumerate().map(|(index, load)| self.load(&path.key("load").index(index), load));
        let loads: Vec<Option<Load>> = loads.collect();
        let colour = match &body.colour {
            Some(colour) => self.colour(&path.key("colour"), colour).map(Some),
            None => Some(None),
        };
        let material = match &body.material {
            None => Some(MaterialId::default()),
            Some(name) => {
                let id = world.material_id(name);
                self.expect_material(&path.key("material"), name, id);
                id
            }
        };
        let moves = body.velocity.is_some() || body.spin.is_some();
        let velocity = match (linear, angular) {
            (Some(linear), Some(angular)) => Some(moves.then_some(Twist { linear, angular })),
            _ => None,
        };
        // What is wrong has been reported, so that this body never moves: something harmless in its place
        // lets the world check the rest.
        Some(Read {
            role: role?,
            shape: shape.or_else(|| Shape::sphere(1.0).ok())?,
            pose: pose.unwrap_or_default(),
            weight: weights.first().copied().unwrap_or(Weight::Unsaid),
            weights,
            velocity: velocity.unwrap_or_default(),
            script: script?,
            loads: loads.into_iter().flatten().collect(),
            material: material.unwrap_or_default(),
            groups: mask(groups, body),
            colour: colour.unwrap_or_default(),
        })
    }

    /// The role that is given, or that follows from a script or a hand.
    fn role(&mut self, path: &Path, body: &WrittenBody) -> Option<Role> {
        let (has_script, has_hand) = (body.script.is_some(), body.hand.is_some());
        let by_path = match (has_script, has_hand) {
            (true, true) => {
                self.sure_error(path, "a body cannot have both a `script` and a `hand`", "keep one of them");
                return None;
            }
            (true, false) => Some(Role::Scripted),
            (false, true) => Some(Role::Held),
            (false, false) => None,
        };
        match (body.role, by_path) {
            (Some(Role::Scripted), None) => {
                if !self.scene.has_left_out(&path.key("script")) {
                    let remedy = "give `script` with a `velocity` or `poses`, or the role \"fixed\"";
                    self.error(&path.key("role"), "a scripted body needs a `script`", remedy);
                }
                None
            }
            (Some(said), Some(by_path)) if said != by_path => {
                let (field, is) = if has_script { ("script", "scripted") } else { ("hand", "held") };
                let what = format!("a body with a `{field}` is {is}");
                self.error(&path.key("role"), what, format!("leave `role` or `{field}` out"));
                None
            }
            (said, by_path) => Some(said.or(by_path).unwrap_or(Role::Free)),
        }
    }

    /// What is said of its weight: one thing, or it is reported.
    fn weights(&mut self, path: &Path, body: &WrittenBody) -> Vec<Weight> {
        let WrittenBody { density, mass, inertia, .. } = body;
        let given = [density.is_some(), mass.is_some(), inertia.is_some()];
        if given.into_iter().filter(|is_given| *is_given).count() > 1 {
            self.sure_error(
                path,
                "a body can have only one of `density`, `mass` and `inertia`",
                "keep one of them",
            );
        }
        let density = density.as_ref().and_then(|density| self.si(&path.key("density"), density));
        let mass = mass.as_ref().and_then(|mass| self.si(&path.key("mass"), mass));
        let inertia = inertia.as_ref().and_then(|inertia| self.inertia(&path.key("inertia"), inertia));
        [density.map(Weight::Density), mass.map(Weight::Mass), inertia].into_iter().flatten().collect()
    }

    fn inertia(&mut self, path: &Path, inertia: &written::Inertia) -> Option<Weight> {
        let mass = self.si(&path.key("mass"), &inertia.mass);
        let centre = self.vector_or(&path.key("centre"), &inertia.centre, Vec3::ZERO);
        let moments = self.vector(&path.key("moments"), &inertia.moments);
        let products = self.vector_or(&path.key("products"), &inertia.products, Vec3::ZERO);
        let (moments, products) = (moments?, products?);
        let Vec3 { x: xy, y: xz, z: yz } = products;
        let matrix = Mat3::from_cols(
            Vec3::new(moments.x, xy, xz),
            Vec3::new(xy, moments.y, yz),
            Vec3::new(xz, yz, moments.z),
        );
        Some(Weight::Inertia(mass?, centre?, matrix))
    }

    fn colour(&mut self, path: &Path, colour: &Colour) -> Option<[u8; 3]> {
        match colour {
            Colour::Rgb(rgb) => Some(*rgb),
            Colour::Hex(text) => {
                let digits = text.strip_prefix('#').filter(|hex| hex.len() == 6 && hex.is_ascii());
                let byte = |at: usize| digits.and_then(|hex| u8::from_str_radix(&hex[at..at + 2], 16).ok());
                match (byte(0), byte(2), byte(4)) {
                    (Some(red), Some(green), Some(blue)) => Some([red, green, blue]),
                    _ => {
                        self.error(
                            path,
                            format!("\"{text}\" is not a colour"),
                            "write it like \"#3366cc\" or [51, 102, 204]",
                        );
                        None
                    }
                }
            }
        }
    }

    /// Adds a body and its copies to the world; none on error.
    fn place(
        &mut self,
        world: &mut World,
        added: &mut Added,
        index: usize,
        body: &WrittenBody,
        read: &Read,
        copies: &super::copies::Copies,
    ) -> Option<()> {
        let path = Path::root().key("body").index(index);
        let has_poses = matches!(read.script, Some(Script::Poses(_)));
        if has_poses && !copies.is_single() {
            let what = "a script of poses says where one body is, not a row of them";
            self.error(&path.key("script"), what, "give a `velocity` instead, or write each body by itself");
            return None;
        }
        let base = base_name(body);
        if base.contains(char::is_control) {
            let what = "a name must be a single line without tabs";
            self.error(&path.key("name"), what, "give it another name, or none");
            return None;
        }
        let mut ids = Vec::new();
        for (number, (turn, pose)) in copies.poses(read.pose).into_iter().enumerate() {
            let name = match (&body.name, copies.is_single()) {
                (Some(name), true) => name.clone(),
                (Some(name), false) => format!("{name} {}", number + 1),
                (None, true) if world.body_id(&base).is_err() => base.clone(),
                (None, _) => added.free_name(world, &base),
            };
            let builder = read.builder(turn).named(name.clone()).at(pose);
            let id = match world.add(builder) {
                Ok(id) => id,
                Err(error) => {
                    self.faults(&path, body, read, (turn, pose), error.fault);
                    return None;
                }
            };
            added.entries.push((id, index));
            added.colours.push(read.colour);
            added.by_name.entry(name).or_default().push(id);
            ids.push(id);
            self.equip(world, added, &path, body, read, id);
        }
        if !copies.is_single() {
            added.by_name.entry(base).or_default().extend(ids);
        }
        Some(())
    }

    /// Adds loads, hand and switch.
    fn equip(
        &mut self,
        world: &mut World,
        added: &mut Added,
        path: &Path,
        body: &WrittenBody,
        read: &Read,
        id: BodyId,
    ) {
        for (index, load) in read.loads.iter().enumerate() {
            if let Err(error) = world.add_load(id, load.clone()) {
                let path = path.key("load").index(index);
                match error {
                    WorldError::Body(error) => self.load_fault(&path, &error.fault),
                    error => self.error(&path, error.to_string(), "please report this"),
                }
            }
        }
        if let Some(hand) = &body.hand {
            let centre = world.inertia(id).map_or(Vec3::ZERO, |inertia| inertia.centre);
            added.hands.extend(self.hand(&path.key("hand"), hand, id, centre));
        }
        if body.active == Some(false) {
            // The body exists: it has just been added.
            let _: Result<(), WorldError> = world.set_active(id, false);
        }
    }
}

impl Read {
    /// The builder of a copy that is turned from the first body.
    pub(super) fn builder(&self, turn: Quat) -> BodyBuilder {
        let shape = self.shape.clone();
        let builder = match (self.role, &self.script) {
            (Role::Scripted, Some(Script::Velocity(velocity))) => {
                BodyBuilder::scripted(shape, Script::Velocity(turned(turn, *velocity)))
            }
            (Role::Scripted, Some(script)) => BodyBuilder::scripted(shape, script.clone()),
            (Role::Scripted | Role::Fixed, _) => BodyBuilder::fixed(shape),
            (Role::Held, _) => BodyBuilder::held(shape),
            (Role::Free, _) => BodyBuilder::free(shape),
        };
        let builder = builder.material(self.material).groups(self.groups);
        let builder = match self.weight {
            Weight::Unsaid => builder,
            Weight::Density(density) => builder.density(density),
            Weight::Mass(mass) => builder.mass(mass),
            Weight::Inertia(mass, centre, inertia) => builder.mass_properties(mass, centre, inertia),
        };
        match self.velocity {
            Some(velocity) => builder.velocity(turned(turn, velocity)),
            None => builder,
        }
    }
}

/// The name of a body, which its copies share but for their numbers; if it has none, its part or shape.
fn base_name(body: &WrittenBody) -> String {
    let word = || body.shape.given().first().copied().unwrap_or("body").to_owned();
    body.name.clone().or_else(|| body.shape.part.clone()).unwrap_or_else(word)
}

impl Added {
    /// The base name with the first free number. No name ever becomes free again, so the search goes on where
    /// the last one ended: from 1 each time, the cost would grow with the square of the bodies.
    fn free_name(&mut self, world: &World, base: &str) -> String {
        let number = self.numbers.entry(base.to_owned()).or_insert(0);
        loop {
            *number += 1;
            let name = format!("{base} {number}");
            if world.body_id(&name).is_err() {
                return name;
            }
        }
    }
}
