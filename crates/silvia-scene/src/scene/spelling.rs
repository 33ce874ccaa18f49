//! Suggests the word that was meant.

/// Words from other programs, and their names here.
const SYNONYMS: [(&str, &str); 68] = [
    ("actor", "body"),
    ("anchored", "fixed"),
    ("angular_velocity", "spin"),
    ("angvel", "spin"),
    ("animated", "scripted"),
    ("ball", "sphere"),
    ("bodies", "body"),
    ("bounce", "restitution"),
    ("bowl", "cavity"),
    ("camera", "view"),
    ("center_of_mass", "inertia"),
    ("color", "colour"),
    ("com", "inertia"),
    ("cube", "box"),
    ("cuboid", "box"),
    ("description", "about"),
    ("dt", "step"),
    ("duration", "until"),
    ("dynamic", "free"),
    ("egg", "ellipsoid"),
    ("elasticity", "restitution"),
    ("end", "until"),
    ("end_time", "until"),
    ("euler", "rotation"),
    ("floor", "half_space"),
    ("fps", "every"),
    ("geom", "body"),
    ("ground", "half_space"),
    ("integrator", "method"),
    ("iterations", "most_iterations"),
    ("kind", "role"),
    ("kinematic", "scripted"),
    ("kinematic_position", "scripted"),
    ("kinematic_velocity", "scripted"),
    ("linear_velocity", "velocity"),
    ("linvel", "velocity"),
    ("location", "position"),
    ("materials", "material"),
    ("max_iterations", "most_iterations"),
    ("mesh", "file"),
    ("mu", "friction"),
    ("obj", "file"),
    ("object", "body"),
    ("objects", "body"),
    ("omega", "spin"),
    ("orientation", "rotation"),
    ("origin", "position"),
    ("parts", "part"),
    ("physics", "solver"),
    ("plane", "half_space"),
    ("pos", "position"),
    ("pose", "position"),
    ("quat", "rotation"),
    ("quaternion", "rotation"),
    ("rigid", "free"),
    ("rigid_body", "body"),
    ("rigidbody", "body"),
    ("rpy", "rotation"),
    ("settings", "solver"),
    ("shape", "part"),
    ("spheroid", "ellipsoid"),
    ("static", "fixed"),
    ("stl", "file"),
    ("time_step", "step"),
    ("timestep", "step"),
    ("translation", "position"),
    ("type", "role"),
    ("xyz", "position"),
];

/// Words from other programs for what has no name here, and what to do instead.
const INSTEAD: [(&[&str], &str); 3] = [
    (
        &["joint", "joints", "constraint", "constraints", "hinge", "weld"],
        "scenes have no joints: what is rigidly joined is one body with a `compound`, and what hinges or \
         slides is held by its shape, like the links of scenes/chain.toml",
    ),
    (&["world"], "its fields stand at the top of the file (`gravity`), in [solver], [run] and [record]"),
    (&["is_static", "fixed", "immovable"], "write `role = \"fixed\"`"),
];

/// What to do where a word of another program has no counterpart here.
pub(super) fn instead(word: &str) -> Option<&'static str> {
    INSTEAD.iter().find(|(words, _)| words.contains(&word)).map(|(_, instead)| *instead)
}

/// In words of up to this many letters, a second typing error makes another word.
const SHORT: usize = 4;
/// In words of up to this many letters, it does so unless the first letter is right: `bogus` is no `torus`.
const MIDDLING: usize = 7;

/// The known word that was probably meant, if one is near enough.
pub(super) fn meant<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let synonym = SYNONYMS.iter().find(|(other, _)| *other == word).map(|(_, here)| *here);
    let length = word.chars().count();
    let most = if length <= SHORT { 1 } else { 1 + length / 4 };
    let (mut best, mut abbreviated) = (None, None);
    for candidate in known {
        if abbreviates(word, candidate) {
            abbreviated = abbreviated.or(Some(candidate));
        }
        if synonym == Some(candidate) {
            return Some(candidate);
        }
        let distance = edits(word, candidate);
        // With as many errors as letters, any word would do: `a` is not a misspelled `b`.
        let is_near = distance == 0 || distance < length.min(candidate.chars().count());
        let is_alike = distance < 2 || length > MIDDLING || word.chars().next() == candidate.chars().next();
        if distance <= most && is_near && is_alike && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate).or(abbreviated)
}

/// Abbreviations have at least as many letters.
const LEAST: usize = 3;

/// Whether a word has letters of another in their order, from the first on, and lacks two at most or the end
/// alone: `colr` for `colour`, `vel` for `velocity`.
fn abbreviates(word: &str, candidate: &str) -> bool {
    if word.chars().count() < LEAST || word.chars().next() != candidate.chars().next() {
        return false;
    }
    let mut letters = candidate.chars();
    let is_within = word.chars().all(|letter| letters.any(|other| other == letter));
    candidate.starts_with(word) || is_within && candidate.chars().count() <= word.chars().count() + 2
}

/// The number of letters to insert, delete, change or swap with their neighbour (optimal string alignment).
fn edits(a: &str, b: &str) -> usize {
    let fold = |text: &str| text.to_lowercase().replace('-', "_").chars().collect::<Vec<char>>();
    let (a, b) = (fold(a), fold(b));
    if a.len().abs_diff(b.len()) > 8 {
        return usize::MAX;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut next = vec![i + 1];
        for j in 0..b.len() {
            let change = row[j] + usize::from(a[i] != b[j]);
            let mut least = change.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(before[j - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_understood_and_another_word_is_not() {
        let known = ["friction", "restitution", "name", "step", "colour"];
        for (written, expected) in [
            ("frictoin", Some("friction")),
            ("Friction", Some("friction")),
            ("nam", Some("name")),
            ("dt", Some("step")),
            ("color", Some("colour")),
            ("colr", Some("colour")),
            ("fric", Some("friction")),
            ("rest", Some("restitution")),
            ("na", None),
            ("nose", None),
            ("viscosity", None),
            ("x", None),
        ] {
            assert_eq!(meant(written, known), expected, "{written}");
        }
    }

    #[test]
    fn a_short_word_that_begins_otherwise_is_not_a_misspelled_one() {
        assert_eq!(meant("bogus", ["torus", "box"]), None);
        assert_eq!(meant("tourss", ["torus", "box"]), Some("torus"));
    }

    #[test]
    fn a_name_of_one_letter_is_not_another_of_one_letter() {
        for (written, expected) in
            [("b", None), ("A", Some("a")), ("ab", None), ("", None), ("xz", Some("xy"))]
        {
            assert_eq!(meant(written, ["a", "xy"]), expected, "{written}");
        }
    }

    #[test]
    fn edits_are_counted() {
        for (a, b, count) in [("", "", 0), ("abc", "", 3), ("abc", "acb", 1), ("kitten", "sitting", 3)] {
            assert_eq!((edits(a, b), edits(b, a)), (count, count), "{a} {b}");
        }
    }
}
