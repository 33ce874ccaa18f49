//! The README and the chapters of the guide, so that their programs are run as doc tests.

#[doc = include_str!("../../../README.md")]
mod readme {}
#[doc = include_str!("../../../docs/src/quick-start.md")]
mod quick_start {}
#[doc = include_str!("../../../docs/src/contact-problems.md")]
mod contact_problems {}
#[doc = include_str!("../../../docs/src/solids/checks.md")]
mod checks {}
#[doc = include_str!("../../../docs/src/solids/edges.md")]
mod edges {}
#[doc = include_str!("../../../docs/src/solids/faces.md")]
mod faces {}
#[doc = include_str!("../../../docs/src/solids/files.md")]
mod files {}
#[doc = include_str!("../../../docs/src/solids/hull.md")]
mod hull {}
#[doc = include_str!("../../../docs/src/solids/mass.md")]
mod mass {}
#[doc = include_str!("../../../docs/src/solids/primitives.md")]
mod primitives {}
#[doc = include_str!("../../../docs/src/solids/repair.md")]
mod repair {}
#[doc = include_str!("../../../docs/src/solids/topology.md")]
mod topology {}
