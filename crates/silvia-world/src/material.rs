//! Materials and the laws between them.

use silvia_solid::Remedy;
use std::collections::BTreeMap;
use thiserror::Error;

/// Names a material of a world. The default is the one that every world begins with, [`Material::default`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaterialId(pub(crate) u32);

/// What a body is made of, as far as it matters where it touches another.
///
/// Friction and restitution belong to pairs of materials. Where a pair has no [`PairLaw`] of its own, its
/// coefficients come from those of the two materials: see [`PairLaw::between`].
///
/// ```
/// use silvia_world::{Material, PairLaw, World, WorldSettings};
///
/// let mut world = World::new(WorldSettings::default())?;
/// let steel = world.add_material(Material::new("steel", 0.6, 0.5))?;
/// let ice = world.add_material(Material::new("ice", 0.0, 0.1))?;
/// assert_eq!(world.pair_law(steel, ice)?.friction, 0.0); // frictionless on everything
/// world.set_pair_law(steel, ice, PairLaw::new(0.02, 0.1))?;
/// assert_eq!(world.pair_law(ice, steel)?.friction, 0.02);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// No two of a world have the same.
    pub name: String,
    /// Coulomb's friction coefficient of this material on itself.
    pub friction: f64,
    /// The same where nothing slides: at least `friction`. `None` if it is no other.
    pub static_friction: Option<f64>,
    /// Newton's restitution coefficient of this material on itself, between 0 and 1.
    pub restitution: f64,
}

/// What two materials do to each other where they touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairLaw {
    /// Coulomb's friction coefficient.
    pub friction: f64,
    /// The same where nothing slides: at least `friction`. `None` if it is no other.
    pub static_friction: Option<f64>,
    /// Newton's restitution coefficient, between 0 and 1.
    pub restitution: f64,
}

/// Why a material or a law was refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}", self.message())]
#[non_exhaustive]
pub enum MaterialError {
    /// Friction that is negative, NaN or infinite.
    Friction {
        /// The material, or both of a pair.
        of: String,
        /// As given.
        given: f64,
    },
    /// Static friction that is below the friction of what slides, NaN or infinite.
    StaticFriction {
        /// The material, or both of a pair.
        of: String,
        /// As given.
        given: f64,
        /// The friction of what slides.
        friction: f64,
    },
    /// Restitution outside 0 to 1.
    Restitution {
        /// The material, or both of a pair.
        of: String,
        /// As given.
        given: f64,
    },
    /// A name without letters.
    EmptyName,
    /// A name that another material has.
    DuplicateName {
        /// As given.
        name: String,
    },
    /// An id that names none.
    NoSuchMaterial {
        /// As given.
        id: MaterialId,
    },
}

impl Remedy for MaterialError {
    fn what(&self) -> String {
        match self {
            MaterialError::Friction { of, given } => format!("the friction coefficient of {of} is {given}"),
            MaterialError::StaticFriction { of, given, friction } => {
                format!("the static friction coefficient of {of} is {given}, that of what slides {friction}")
            }
            MaterialError::Restitution { of, given } => {
                format!("the restitution coefficient of {of} is {given}")
            }
            MaterialError::EmptyName => "a material must have a name".to_owned(),
            MaterialError::DuplicateName { name } => format!("there is a material `{name}` already"),
            MaterialError::NoSuchMaterial { id } => format!("there is no material {}", id.0),
        }
    }

    fn remedy(&self) -> String {
        match self {
            MaterialError::Friction { .. } => "it must be 0 or more, and finite".to_owned(),
            MaterialError::StaticFriction { .. } => {
                "it must be at least that of what slides, and finite".to_owned()
            }
            MaterialError::Restitution { .. } => "it must be between 0 and 1".to_owned(),
            MaterialError::DuplicateName { .. } => "choose another name".to_owned(),
            MaterialError::NoSuchMaterial { .. } => "the id is from another world".to_owned(),
            MaterialError::EmptyName => String::new(),
        }
    }
}

impl Default for Material {
    /// Friction 0.5, as of many dry pairs, and no rebound.
    fn default() -> Material {
        Material::new("default", 0.5, 0.0)
    }
}

impl Material {
    /// A material of a name, with friction and restitution coefficients of it on itself.
    pub fn new(name: impl Into<String>, friction: f64, restitution: f64) -> Material {
        Material { name: name.into(), friction, static_friction: None, restitution }
    }

    /// The same material with another friction coefficient where nothing slides.
    pub fn with_static_friction(self, static_friction: f64) -> Material {
        Material { static_friction: Some(static_friction), ..self }
    }
}

impl PairLaw {
    /// A law of friction and restitution coefficients.
    pub fn new(friction: f64, restitution: f64) -> PairLaw {
        PairLaw { friction, static_friction: None, restitution }
    }

    /// The same law with another friction coefficient where nothing slides.
    pub fn with_static_friction(self, static_friction: f64) -> PairLaw {
        PairLaw { static_friction: Some(static_friction), ..self }
    }

    /// The rule for materials that have no law of their own. Friction is the geometric mean, so that what is
    /// frictionless is so on everything, and so is static friction; restitution is the larger of both, so
    /// that a rubber ball rebounds from stone.
    pub fn between(a: &Material, b: &Material) -> PairLaw {
        // Two roots: a product could leave the range of numbers. The root of a square is not always the
        // number.
        let mean = |a: f64, b: f64| if a == b { a } else { a.sqrt() * b.sqrt() };
        let sticking = |m: &Material| m.static_friction.unwrap_or(m.friction);
        let static_friction = [a, b].iter().any(|m| m.static_friction.is_some());
        PairLaw {
            friction: mean(a.friction, b.friction),
            static_friction: static_friction.then(|| mean(sticking(a), sticking(b))),
            restitution: a.restitution.max(b.restitution),
        }
    }
}

/// All materials of a world.
#[derive(Clone, Debug)]
pub(crate) struct Materials {
    /// By number.
    all: Vec<Material>,
    /// The laws that were set, the lesser material first.
    laws: BTreeMap<[MaterialId; 2], PairLaw>,
}

impl Default for Materials {
    fn default() -> Materials {
        Materials { all: vec![Material::default()], laws: BTreeMap::new() }
    }
}

impl Materials {
    /// The law between two materials, which must be of this world.
    pub(crate) fn law(&self, a: MaterialId, b: MaterialId) -> PairLaw {
        match self.laws.get(&ordered(a, b)) {
            Some(law) => *law,
            None => PairLaw::between(&self.all[a.0 as usize], &self.all[b.0 as usize]),
        }
    }

    pub(crate) fn add(&mut self, material: Material) -> Result<MaterialId, MaterialError> {
        if material.name.trim().is_empty() {
            return Err(MaterialError::EmptyName);
        }
        if self.named(&material.name).is_some() {
            return Err(MaterialError::DuplicateName { name: material.name });
        }
        let Material { friction, static_friction, restitution, .. } = material;
        let law = PairLaw { friction, static_friction, restitution };
        law.check(|| format!("`{}`", material.name))?;
        self.all.push(material);
        Ok(MaterialId(self.all.len() as u32 - 1))
    }

    pub(crate) fn set_law(
        &mut self,
        a: MaterialId,
        b: MaterialId,
        law: PairLaw,
    ) -> Result<(), MaterialError> {
        let (one, other) = (self.get(a)?, self.get(b)?);
        law.check(|| format!("`{}` on `{}`", one.name, other.name))?;
        self.laws.insert(ordered(a, b), law);
        Ok(())
    }

    pub(crate) fn get(&self, id: MaterialId) -> Result<&Material, MaterialError> {
        self.all.get(id.0 as usize).ok_or(MaterialError::NoSuchMaterial { id })
    }

    pub(crate) fn named(&self, name: &str) -> Option<MaterialId> {
        self.all.iter().position(|material| material.name == name).map(|number| MaterialId(number as u32))
    }
}

impl PairLaw {
    fn check(&self, of: impl Fn() -> String) -> Result<(), MaterialError> {
        let PairLaw { friction, static_friction, restitution } = *self;
        if !(friction >= 0.0 && friction.is_finite()) {
            return Err(MaterialError::Friction { of: of(), given: friction });
        }
        if let Some(given) = static_friction
            && !(given >= friction && given.is_finite())
        {
            return Err(MaterialError::StaticFriction { of: of(), given, friction });
        }
        if !(0.0..=1.0).contains(&restitution) {
            return Err(MaterialError::Restitution { of: of(), given: restitution });
        }
        Ok(())
    }
}

fn ordered(a: MaterialId, b: MaterialId) -> [MaterialId; 2] {
    [a.min(b), a.max(b)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(name: &str, friction: f64, restitution: f64) -> Material {
        Material::new(name, friction, restitution)
    }

    #[test]
    fn a_pair_without_a_law_has_the_mean_friction_and_the_larger_restitution() {
        let mut materials = Materials::default();
        let steel = materials.add(material("steel", 0.4, 0.6)).unwrap();
        let ice = materials.add(material("ice", 0.0, 0.1)).unwrap();
        let rubber = materials.add(material("rubber", 0.9, 0.8)).unwrap();
        let law = materials.law(steel, rubber);
        assert!((law.friction - 0.6).abs() < 1e-15 && law.restitution == 0.8);
        assert_eq!(materials.law(rubber, steel), law);
        assert_eq!(materials.law(ice, rubber).friction, 0.0);
        assert_eq!(materials.law(steel, steel), PairLaw::new(0.4, 0.6));
    }

    #[test]
    fn static_friction_of_a_pair_is_the_mean_of_what_holds_each() {
        let mut materials = Materials::default();
        let steel = materials.add(material("steel", 0.4, 0.0).with_static_friction(0.9)).unwrap();
        let stone = materials.add(material("stone", 0.4, 0.0)).unwrap();
        let law = materials.law(steel, stone);
        assert_eq!((law.friction, law.static_friction), (0.4, Some(0.6)));
        assert_eq!(materials.law(stone, stone).static_friction, None);
    }

    #[test]
    fn a_law_holds_for_its_pair_in_either_order_and_for_no_other() {
        let mut materials = Materials::default();
        let steel = materials.add(material("steel", 0.4, 0.6)).unwrap();
        let law = PairLaw::new(0.05, 0.0);
        materials.set_law(steel, MaterialId::default(), law).unwrap();
        assert_eq!(materials.law(MaterialId::default(), steel), law);
        assert_eq!(materials.law(steel, steel).friction, 0.4);
        assert_eq!(materials.named("steel"), Some(steel));
    }

    #[test]
    fn what_is_no_material_is_refused() {
        let mut materials = Materials::default();
        for friction in [-0.1, f64::NAN, f64::INFINITY] {
            let refused = materials.add(material("m", friction, 0.0));
            assert!(matches!(refused, Err(MaterialError::Friction { .. })), "{refused:?}");
        }
        for restitution in [-0.1, 1.1, f64::NAN] {
            let refused = materials.add(material("m", 0.0, restitution));
            assert!(matches!(refused, Err(MaterialError::Restitution { .. })), "{refused:?}");
        }
        for given in [0.2, f64::NAN, f64::INFINITY] {
            let refused = materials.add(material("m", 0.3, 0.0).with_static_friction(given));
            assert!(matches!(refused, Err(MaterialError::StaticFriction { .. })), "{refused:?}");
        }
        assert_eq!(materials.add(material(" ", 0.0, 0.0)), Err(MaterialError::EmptyName));
        let taken = MaterialError::DuplicateName { name: "default".to_owned() };
        assert_eq!(materials.add(material("default", 0.0, 0.0)), Err(taken));
        let law = PairLaw::new(0.0, 2.0);
        let (known, foreign) = (MaterialId::default(), MaterialId(7));
        assert!(matches!(materials.set_law(known, known, law), Err(MaterialError::Restitution { .. })));
        let law = PairLaw::new(0.0, 0.0);
        assert_eq!(
            materials.set_law(known, foreign, law),
            Err(MaterialError::NoSuchMaterial { id: foreign })
        );
    }
}
