//! The file that `silvia crowd` reads: parts, their poses, and the pairs that matter.

use super::shapes::{Kinds, PartFiles};
use crate::poses::Placement;
use serde::Deserialize;
use silvia::proximity::{Crowd, Groups, Shape};
use silvia::scene::scene::forms::Form;
use silvia::scene::scene::written;
use silvia::solid::Pose;
use silvia::solid::files::Unit;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;

/// The content of the file, ready for use.
pub(super) struct Contents {
    pub(super) unit: Unit,
    /// Reach, m.
    pub(super) within: Option<f64>,
    pub(super) parts: Vec<Part>,
    /// Pairs of part numbers.
    pub(super) pairs_off: Vec<[usize; 2]>,
}

/// One part.
pub(super) struct Part {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) pose: Pose,
    pub(super) groups: Groups,
    pub(super) is_active: bool,
}

/// A problem, and its place in the text.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) span: Option<Range<usize>>,
    pub(super) what: String,
}

impl Fault {
    pub(super) fn at<T>(place: &Spanned<T>, what: impl ToString) -> Fault {
        Fault { span: Some(place.span()), what: what.to_string() }
    }

    /// The message, with the line counted from 1 if the place is known.
    pub(super) fn in_text(&self, text: &str) -> String {
        match &self.span {
            Some(span) => {
                let before = text.get(..span.start).unwrap_or(text);
                format!("line {}: {}", 1 + before.matches('\n').count(), self.what)
            }
            None => self.what.clone(),
        }
    }
}

/// The file as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    unit: Option<Spanned<String>>,
    within: Option<Spanned<f64>>,
    #[serde(default)]
    pairs_off: Vec<Spanned<Vec<String>>>,
    #[serde(default)]
    part: Vec<Spanned<WrittenPart>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPart {
    name: Option<Spanned<String>>,
    pose: Option<Spanned<Vec<f64>>>,
    #[serde(default)]
    groups: Option<Vec<Spanned<String>>>,
    #[serde(default)]
    meets: Option<Vec<Spanned<String>>>,
    #[serde(default = "yes")]
    active: bool,
    file: Option<Spanned<String>>,
    unit: Option<Spanned<String>>,
    surface: Option<Spanned<bool>>,
    #[serde(rename = "box")]
    cuboid: Option<Spanned<written::Box>>,
    sphere: Option<Spanned<written::Sphere>>,
    cylinder: Option<Spanned<written::Cylinder>>,
    cone: Option<Spanned<written::Cone>>,
    capsule: Option<Spanned<written::Capsule>>,
    ellipsoid: Option<Spanned<written::Ellipsoid>>,
    half_space: Option<Spanned<written::HalfSpace>>,
    cavity: Option<Spanned<written::Cavity>>,
    prism: Option<Spanned<written::Prism>>,
    torus: Option<Spanned<written::Torus>>,
    knot: Option<Spanned<written::Knot>>,
}

fn yes() -> bool {
    true
}

/// Reads the text of a file; names of part files are relative to `folder`.
pub(super) fn parse(text: &str, folder: &Path) -> Result<Contents, Fault> {
    let written: Written = toml::from_str(text).map_err(|error| {
        let what = format!("{} (`silvia crowd --help` has an example)", error.message().trim());
        Fault { span: error.span(), what }
    })?;
    let unit = written.unit.as_ref().map_or(Ok(Unit::Metre), unit)?;
    let within = match &written.within {
        Some(length) if !(length.get_ref().is_finite() && *length.get_ref() >= 0.0) => {
            let what = format!("`within` is {}: give a length of at least 0", length.get_ref());
            return Err(Fault::at(length, what));
        }
        Some(length) if unit.to_metres(*length.get_ref()) > Crowd::LIMIT => {
            let (given, most) = (length.get_ref(), Crowd::LIMIT);
            let what =
                format!("`within` is {given:e}: give at most {most:e} m, or leave it out to see all pairs");
            return Err(Fault::at(length, what));
        }
        length => length.as_ref().map(|length| unit.to_metres(*length.get_ref())),
    };
    if written.part.is_empty() {
        let what = "there are no parts: begin each with a line [[part]]".into();
        return Err(Fault { span: None, what });
    }
    let groups = GroupNames::of(&written.part)?;
    let mut names = BTreeMap::new();
    let mut files = PartFiles::new(folder);
    let mut parts = Vec::new();
    for (index, place) in written.part.iter().enumerate() {
        let part = part(place, index, unit, &mut files, &groups)?;
        if let Some(first) = names.insert(part.name.clone(), index) {
            let what = format!(
                "part {} is called `{}`, as part {} is: give each another `name`",
                index + 1,
                part.name,
                first + 1
            );
            let own = place.get_ref();
            return Err(own
                .name
                .as_ref()
                .map_or_else(|| Fault::at(place, &what), |name| Fault::at(name, &what)));
        }
        parts.push(part);
    }
    let pairs_off = written.pairs_off.iter().map(|pair| numbers(pair, &names)).collect::<Result<_, _>>()?;
    Ok(Contents { unit, within, parts, pairs_off })
}

fn unit(text: &Spanned<String>) -> Result<Unit, Fault> {
    text.get_ref().parse().map_err(|error: silvia::solid::files::UnitError| Fault::at(text, error))
}

fn part(
    place: &Spanned<WrittenPart>,
    index: usize,
    crowd_unit: Unit,
    files: &mut PartFiles<'_>,
    groups: &GroupNames,
) -> Result<Part, Fault> {
    let written = place.get_ref();
    let kinds = Kinds {
        file: written.file.as_ref(),
        file_unit: written.unit.as_ref().map(unit).transpose()?,
        surface: written.surface.as_ref().is_some_and(|surface| *surface.get_ref()),
        forms: [
            given("box", &written.cuboid),
            given("sphere", &written.sphere),
            given("cylinder", &written.cylinder),
            given("cone", &written.cone),
            given("capsule", &written.capsule),
            given("ellipsoid", &written.ellipsoid),
            given("half_space", &written.half_space),
            given("cavity", &written.cavity),
            given("prism", &written.prism),
            given("torus", &written.torus),
            given("knot", &written.knot),
        ]
        .into_iter()
        .flatten()
        .collect(),
    };
    if let (None, Some(unit)) = (&written.file, &written.unit) {
        let what = "`unit` applies only to a `file`, and this part has none: put `unit` at the top";
        return Err(Fault::at(unit, what));
    }
    if let (None, Some(surface)) = (&written.file, &written.surface) {
        let what = "`surface` applies only to a `file`, and this part has none: leave it out";
        return Err(Fault::at(surface, what));
    }
    let (kind, shape) = kinds.shape(place.span(), crowd_unit, files)?;
    let pose = match &written.pose {
        None => Pose::IDENTITY,
        Some(numbers) => Placement::of(numbers.get_ref())
            .and_then(|placed| Ok(placed.in_metres(crowd_unit)?))
            .map_err(|error| Fault::at(numbers, format!("`pose`: {error}")))?,
    };
    let name = match (&written.name, &written.file) {
        (Some(given), _) | (None, Some(given)) => {
            if given.get_ref().is_empty() || given.get_ref().contains(char::is_control) {
                let what = format!(
                    "{:?} cannot name a part in the answers: give a `name` of one line, not empty",
                    given.get_ref()
                );
                return Err(Fault::at(given, what));
            }
            given.get_ref().clone()
        }
        (None, None) => format!("{kind} {}", index + 1),
    };
    Ok(Part { name, shape, pose, groups: groups.masks(written), is_active: written.active })
}

/// The key, place and description of a shape, if it is given.
fn given<'a, F: Form>(
    word: &'static str,
    place: &'a Option<Spanned<F>>,
) -> Option<(&'static str, Range<usize>, &'a dyn Form)> {
    place.as_ref().map(|place| (word, place.span(), place.get_ref() as &dyn Form))
}

/// The numbers of two named parts.
fn numbers(pair: &Spanned<Vec<String>>, names: &BTreeMap<String, usize>) -> Result<[usize; 2], Fault> {
    let [a, b] = &pair.get_ref()[..] else {
        return Err(Fault::at(pair, "`pairs_off` lists pairs of names: [\"bolt\", \"plate\"]"));
    };
    let number = |name: &String| {
        names.get(name).copied().ok_or_else(|| {
            let known: Vec<&str> = names.keys().map(String::as_str).collect();
            Fault::at(pair, format!("`pairs_off`: there is no part `{name}`; there are {}", known.join(", ")))
        })
    };
    let (i, j) = (number(a)?, number(b)?);
    if i == j {
        return Err(Fault::at(
            pair,
            format!("`pairs_off`: `{a}` cannot be paired with itself: name two parts"),
        ));
    }
    Ok([i, j])
}

/// The names of groups, each with its bit.
struct GroupNames(BTreeMap<String, u32>);

impl GroupNames {
    /// All groups that a part belongs to. A group in `meets` that no part belongs to is an error.
    fn of(parts: &[Spanned<WrittenPart>]) -> Result<GroupNames, Fault> {
        let mut bits = BTreeMap::new();
        let own =
            |part: &Spanned<WrittenPart>| part.get_ref().groups.iter().flatten().cloned().collect::<Vec<_>>();
        for group in parts.iter().flat_map(own) {
            let next = bits.len() as u32;
            bits.entry(group.get_ref().clone()).or_insert(next);
            if bits.len() > u32::BITS as usize {
                return Err(Fault::at(
                    &group,
                    format!("this is one group more than the {} there can be", u32::BITS),
                ));
            }
        }
        for group in parts.iter().flat_map(|part| part.get_ref().meets.iter().flatten()) {
            if !bits.contains_key(group.get_ref()) {
                let what = format!(
                    "`meets`: no part is in a group `{}`: name it in the `groups` of a part",
                    group.get_ref()
                );
                return Err(Fault::at(group, what));
            }
        }
        Ok(GroupNames(bits))
    }

    /// The masks of a part; by default it belongs to all groups and meets all.
    fn masks(&self, part: &WrittenPart) -> Groups {
        let mask = |names: &Option<Vec<Spanned<String>>>| match names {
            Some(names) => names
                .iter()
                .filter_map(|name| self.0.get(name.get_ref()))
                .fold(0, |mask, bit| mask | 1 << bit),
            None => u32::MAX,
        };
        Groups { member_of: mask(&part.groups), meets: mask(&part.meets) }
    }
}
