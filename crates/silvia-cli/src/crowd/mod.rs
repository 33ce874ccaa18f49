//! `silvia crowd`: which of many parts collide, and how near the others are.

mod file;
mod shapes;

use crate::distance::named;
use crate::failure::Failure;
use crate::numbers::number;
use file::Contents;
use serde_json::{Value, json};
use silvia::proximity::{Crowd as Objects, Extent, Groups, Meeting, Nearby, ObjectId};
use silvia::solid::Vec3;
use silvia::solid::files::Unit;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Reports which of many parts collide, and how near the others are to each other.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  silvia crowd cell.toml          the pairs that collide, then the others, the nearest first
  silvia crowd cell.toml --all    with every pair of triangles that intersect
  silvia crowd cell.toml --json   one JSON object per pair, for programs

The file, in TOML:
  unit = \"mm\"                           # of all lengths here and in the part files; by default m
  within = 5                            # of pairs apart, show only those nearer than this
  pairs_off = [[\"bolt\", \"plate\"]]       # pairs to ignore

  [[part]]
  name = \"plate\"
  file = \"plate.stl\"                    # STL, OBJ or PLY, in the folder of this file; it may have
                                        # its own `unit`, and `surface = true`

  [[part]]
  name = \"bolt\"
  cylinder = { radius = 4, height = 30 }
  pose = [0, 0, 12]                     # tx,ty,tz or tx,ty,tz,qw,qx,qy,qz
  groups = [\"moving\"]                   # the groups it belongs to; by default all
  meets = [\"moving\"]                    # the groups it is compared with; by default all
  active = false                        # leave it out for now

In place of a file, a part can be `box` (size), `sphere` (radius), `cylinder`, `cone`, `capsule`
(radius, height), `ellipsoid` (semi_axes), `half_space` (normal, offset) or `cavity` (radius), all
exact; or `prism` (sides, radius, height), `torus` (ring, tube) or `knot` (ring, coil, tube), made of
triangles as by `silvia make`.

Text is in the unit of the file; JSON is always in metres. Each object has the keys `pair` (names)
and `colliding`. If they collide: `triangles` (of the first and the second; one pair unless --all,
none for shapes without triangles) and `inside` (the name of the one wholly inside the other,
otherwise null). If not: `distance`, `a` and `b` (the nearest points) and `features`. The last line
has `parts`, `pairs` (how many were examined), `colliding` and `apart` (how many of these are
listed).")]
pub(crate) struct Crowd {
    /// The file of parts and their poses.
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    /// Find all pairs of triangles that intersect, not only the first.
    #[arg(long)]
    all: bool,
    /// Print one JSON object per pair, each on a line, and one for the counts.
    #[arg(long)]
    json: bool,
}

impl Crowd {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let contents = load(&self.file)?;
        let mut crowd = gather(&contents).map_err(|what| Failure::with_file(&self.file, what))?;
        let asked = asked(&contents);
        if contents.within.is_none() && asked > MANY_PAIRS {
            eprintln!(
                "note: {}: all {asked} pairs are measured and shown: give `within` to see those nearer than \
                 that alone",
                self.file.display()
            );
        }
        let meetings = crowd.collide(if self.all { Extent::All } else { Extent::Any });
        let met: BTreeSet<[ObjectId; 2]> = meetings.iter().map(|meeting| meeting.objects).collect();
        // All parts are nearer to each other than that.
        let reach = contents.within.unwrap_or(Objects::LIMIT);
        let mut apart = crowd.near(reach).map_err(|error| Failure::with_file(&self.file, error))?;
        apart.retain(|pair| !met.contains(&pair.objects));
        apart.sort_by(|x, y| x.distance.upper.total_cmp(&y.distance.upper).then(x.objects.cmp(&y.objects)));

        let report = Report { contents: &contents, all: self.all };
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        for meeting in &meetings {
            let line =
                if self.json { report.meeting_json(meeting).to_string() } else { report.meeting(meeting) };
            writeln!(out, "{line}")?;
        }
        for pair in &apart {
            let line = if self.json { report.apart_json(pair).to_string() } else { report.apart(pair) };
            writeln!(out, "{line}")?;
        }
        let counts = [contents.parts.len(), asked, meetings.len(), apart.len()];
        let closing = if self.json { closing_json(counts).to_string() } else { report.closing(counts) };
        writeln!(out, "{closing}")?;
        Ok(out.flush()?)
    }
}

fn load(path: &Path) -> Result<Contents, Failure> {
    let bytes = std::fs::read(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            Failure::with_file(path, "there is no such file or folder: check the name")
        }
        _ => Failure::with_file(path, format!("cannot be read ({error})")),
    })?;
    let text = String::from_utf8(bytes).map_err(|_| {
        Failure::with_file(path, "this is not text: give a TOML file, see `silvia crowd --help`")
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    file::parse(&text, folder).map_err(|fault| Failure::with_file(path, fault.in_text(&text)))
}

/// More pairs than this are probably not meant to be read.
const MANY_PAIRS: usize = 100_000;

/// Adds the parts; the handles are in their order.
fn gather(contents: &Contents) -> Result<Objects, String> {
    let mut crowd = Objects::new();
    let mut ids = Vec::new();
    for part in &contents.parts {
        let told = |error| format!("part `{}`: {error}", part.name);
        let id = crowd.add(part.shape.clone(), part.pose).map_err(told)?;
        crowd.set_groups(id, part.groups).map_err(told)?;
        crowd.set_active(id, part.is_active).map_err(told)?;
        ids.push(id);
    }
    for &[a, b] in &contents.pairs_off {
        crowd.set_pair_active(ids[a], ids[b], false).map_err(|error| error.to_string())?;
    }
    Ok(crowd)
}

/// The number of pairs to examine. Parts in the same groups are counted together, since there may be many.
fn asked(contents: &Contents) -> usize {
    let parts = &contents.parts;
    let mut alike: Vec<(Groups, usize)> = Vec::new();
    for part in parts.iter().filter(|part| part.is_active) {
        match alike.iter_mut().find(|(groups, _)| *groups == part.groups) {
            Some((_, count)) => *count += 1,
            None => alike.push((part.groups, 1)),
        }
    }
    let mut pairs = 0;
    for (i, &(groups, count)) in alike.iter().enumerate() {
        if groups.admits(groups) {
            pairs += count * (count - 1) / 2;
        }
        let others = alike[i + 1..].iter().filter(|(other, _)| groups.admits(*other));
        pairs += others.map(|&(_, other)| count * other).sum::<usize>();
    }
    let off: BTreeSet<[usize; 2]> = contents.pairs_off.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
    let would_be_asked = |&&[a, b]: &&[usize; 2]| {
        let (a, b) = (&parts[a], &parts[b]);
        a.is_active && b.is_active && a.groups.admits(b.groups)
    };
    pairs - off.iter().filter(would_be_asked).count()
}

fn closing_json([parts, pairs, colliding, apart]: [usize; 4]) -> Value {
    json!({ "parts": parts, "pairs": pairs, "colliding": colliding, "apart": apart })
}

/// Formats answers as text and JSON.
struct Report<'a> {
    contents: &'a Contents,
    all: bool,
}

impl Report<'_> {
    fn meeting(&self, meeting: &Meeting) -> String {
        let [a, b] = self.names(meeting.objects);
        let how = match (meeting.inner, &meeting.triangles[..]) {
            (Some(inner), _) => format!(": {} is inside", self.name(inner)),
            (None, []) => String::new(),
            (None, [[s, t], ..]) if !self.all => format!(": triangle {} meets {}", s.0, t.0),
            (None, pairs) => {
                let [plural, meet] = if pairs.len() == 1 { ["", "meets"] } else { ["s", "meet"] };
                let list: String =
                    pairs.iter().map(|[s, t]| format!("\n  triangle {} and {}", s.0, t.0)).collect();
                format!(": {} pair{plural} of triangles {meet}{list}", pairs.len())
            }
        };
        format!("{a}, {b}: colliding{how}")
    }

    fn meeting_json(&self, meeting: &Meeting) -> Value {
        json!({
            "pair": self.names(meeting.objects),
            "colliding": true,
            "triangles": meeting.triangles.iter().map(|pair| pair.map(|t| t.0)).collect::<Vec<_>>(),
            "inside": meeting.inner.map(|inner| self.name(inner)),
        })
    }

    fn apart(&self, pair: &Nearby) -> String {
        let unit = self.contents.unit;
        let [a, b] = self.names(pair.objects);
        let length = |metres: f64| number(unit.from_metres(metres + 0.0));
        let point = |p: Vec3| format!("({})", p.to_array().map(length).join(", "));
        let [p, q] = pair.distance.points.map(point);
        format!("{a}, {b}: {} {unit} apart, from {p} to {q} {unit}", length(pair.distance.upper))
    }

    fn apart_json(&self, pair: &Nearby) -> Value {
        let [a, b] = pair.distance.points.map(|p| (p + Vec3::ZERO).to_array());
        let feature = |feature: Option<_>| {
            feature.map(|feature| {
                let (kind, id) = named(feature);
                json!({ kind: id })
            })
        };
        json!({
            "pair": self.names(pair.objects),
            "colliding": false,
            "distance": pair.distance.upper,
            "a": a,
            "b": b,
            "features": pair.distance.features.map(feature),
        })
    }

    fn closing(&self, [parts, pairs, colliding, apart]: [usize; 4]) -> String {
        let unit: Unit = self.contents.unit;
        let near = match self.contents.within {
            Some(reach) => format!("{apart} more nearer than {} {unit}", number(unit.from_metres(reach))),
            None => format!("{apart} apart"),
        };
        format!("{parts} parts, {pairs} pairs asked about: {colliding} colliding, {near}")
    }

    fn names(&self, objects: [ObjectId; 2]) -> [&str; 2] {
        objects.map(|id| self.name(id))
    }

    fn name(&self, object: ObjectId) -> &str {
        &self.contents.parts[object.index()].name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parts in groups, some inactive, some pairs off.
    const SCENE: &str = r#"
        unit = "mm"
        within = 1.5
        pairs_off = [["a", "b"], ["b", "a"], ["c", "d"], ["e", "g"]]
        [[part]]
        name = "a"
        sphere = { radius = 1 }
        groups = ["still"]
        meets = ["loose"]
        [[part]]
        name = "b"
        box = { size = [1, 2.5, 3e0] }
        groups = ["loose"]
        [[part]]
        name = "c"
        cylinder = { radius = 1, height = 2 }
        pose = [0, 0, 1, 1, 0, 0, 0]
        groups = ["still", "loose"]
        meets = ["still"]
        [[part]]
        name = "d"
        half_space = { normal = [0, 0, 1], offset = -1 }
        [[part]]
        name = "e"
        capsule = { radius = 1, height = 2 }
        active = false
        [[part]]
        name = "f"
        prism = { sides = 6, radius = 1, height = 2 }
        groups = []
        [[part]]
        name = "g"
        torus = { ring = 2, tube = 0.5, along = 5, around = 4 }
        [[part]]
        name = "h"
        sphere = { radius = 1 }
        groups = ["still"]
        meets = ["loose"]
    "#;

    #[test]
    fn the_pairs_asked_about_are_those_that_the_crowd_admits() {
        let contents = file::parse(SCENE, Path::new("")).unwrap();
        let crowd = gather(&contents).unwrap();
        let ids: Vec<ObjectId> = crowd.ids().collect();
        let mut admitted = 0;
        for (i, &a) in ids.iter().enumerate() {
            admitted += ids[i + 1..].iter().filter(|&&b| crowd.admits(a, b) == Ok(true)).count();
        }
        assert_eq!(asked(&contents), admitted);
        assert!((5..20).contains(&admitted), "{admitted}");
    }

    #[test]
    fn no_text_breaks_the_reader() {
        // Pieces of a good file, put together in other ways: most are refused, and each refusal names a line
        // or the whole.
        let pieces: Vec<&str> = SCENE.split_inclusive([' ', '\n', '=', ',']).collect();
        let odd = [
            "nan",
            "-inf",
            "1e400",
            "\"",
            "[[",
            "]",
            "{",
            "\u{0}",
            "\u{feff}",
            "9999999999",
            "-0",
            "'é'",
            "#",
        ];
        let mut random = seeded::Random::new(7);
        let (mut read, mut refused) = (0, 0);
        for _ in 0..3000 {
            let mut text = pieces.clone();
            for _ in 0..1 + random.below(3) {
                let at = random.below(text.len());
                match random.below(4) {
                    0 => text[at] = odd[random.below(odd.len())],
                    1 => text[at] = pieces[random.below(pieces.len())],
                    2 => drop(text.remove(at)),
                    _ => text.truncate(at.max(1)),
                }
            }
            let text = text.concat();
            match file::parse(&text, Path::new("")) {
                Ok(contents) => {
                    read += 1;
                    let _ = gather(&contents);
                    assert!(asked(&contents) <= contents.parts.len() * contents.parts.len());
                }
                Err(fault) => {
                    refused += 1;
                    assert!(!fault.in_text(&text).is_empty());
                }
            }
        }
        assert!(read > 100 && refused > 100, "{read} read, {refused} refused");
    }
}
