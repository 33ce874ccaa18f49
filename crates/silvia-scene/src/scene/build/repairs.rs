//! Scale and repairs of part files, and which repairs would help one that is refused.

use super::Build;
use crate::scene::spelling::meant;
use crate::scene::tree::Path;
use crate::scene::written::WrittenShape;
use silvia_solid::Soup;
use silvia_solid::repair::{Done, Plan, Repair, plan, repaired};

/// Repairs, and how far they reach, m (as bits); by default a millionth of the part's size.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Repairs {
    names: Vec<String>,
    within: Option<u64>,
}

/// How far repairs reach by default, as a fraction of the part's size.
const WITHIN: f64 = 1e-6;

impl Build<'_> {
    /// The factor by which a part is scaled.
    pub(super) fn scale(&mut self, written: &WrittenShape, path: &Path) -> Option<f64> {
        match written.scale {
            None => Some(1.0),
            Some(scale) if scale > 0.0 && scale.is_finite() => Some(scale),
            Some(scale) => {
                let what = format!("a scale must be above 0, not {scale}");
                self.error(&path.key("scale"), what, "give one like 0.001");
                None
            }
        }
    }

    /// The repairs that are asked for; the outer none on error.
    pub(super) fn repairs(&mut self, written: &WrittenShape, path: &Path) -> Option<Option<Repairs>> {
        let within = match &written.repair_within {
            None => None,
            Some(length) => {
                let path = path.key("repair_within");
                let within = self.si(&path, length)?;
                if within < 0.0 {
                    self.error(&path, "this must not be negative", "give a length like \"0.01 mm\"");
                    return None;
                }
                Some(within.to_bits())
            }
        };
        let Some(names) = &written.repair else {
            if within.is_some() {
                let remedy = "give `repair` as well, like [\"weld\"], or leave it out";
                self.error(&path.key("repair_within"), "this does nothing without `repair`", remedy);
                return None;
            }
            return Some(None);
        };
        let mut is_good = true;
        for (index, name) in names.iter().enumerate() {
            if name.parse::<Repair>().is_err() {
                let known = Repair::ALL.map(Repair::name);
                let remedy = match meant(name, known) {
                    Some(word) => format!("did you mean \"{word}\"?"),
                    None => format!("it can be {}", known.join(", ")),
                };
                let what = format!("there is no repair \"{name}\"");
                self.error(&path.key("repair").index(index), what, remedy);
                is_good = false;
            }
        }
        is_good.then(|| Some(Repairs { names: names.clone(), within }))
    }

    /// The triangles of a file, repaired and then scaled.
    pub(super) fn changed(
        &mut self,
        soup: Soup,
        scale: f64,
        repairs: Option<&Repairs>,
        path: &Path,
    ) -> Option<Soup> {
        let soup = match repairs {
            None => soup,
            Some(Repairs { names, within }) => {
                let names: Vec<Repair> = names.iter().filter_map(|name| name.parse().ok()).collect();
                let bounds = soup.bounds();
                let usual = WITHIN * (bounds.max - bounds.min).length();
                let within = within.map_or(usual, f64::from_bits);
                match repaired(&soup, &names, within) {
                    Ok((soup, done)) => {
                        let idle = |done: &Done| matches!(done.repair, Repair::Weld) && done.changed == 0;
                        let farther = if done.iter().any(idle) && within > 0.0 {
                            format!(
                                "; no two points are within {}, which a larger `repair_within` changes",
                                self.short_length(within)
                            )
                        } else {
                            String::new()
                        };
                        self.note(&path.key("repair"), format!("{}{farther}", self.told(&done)));
                        soup
                    }
                    Err(error) => {
                        let remedy = "leave it out, or give others (`silvia inspect` shows what is wrong)";
                        self.error(&path.key("repair"), error.to_string(), remedy);
                        return None;
                    }
                }
            }
        };
        if scale == 1.0 {
            return Some(soup);
        }
        let scaled = soup.scaled(scale);
        scaled.map_err(|error| self.error(&path.key("scale"), error.to_string(), "give another")).ok()
    }

    /// What to do about triangles that are no solid, or pass through themselves: the repairs that help,
    /// having been tried; as an error, what is left if none do.
    pub(super) fn way_to_a_solid(&self, soup: &Soup) -> Result<String, String> {
        let otherwise = "give `surface = true` to take it as a surface without an inside";
        let Some(Plan { repairs, tolerance, done, crossing }) = plan(soup) else {
            return Err(format!(
                "no repair here makes it one; mend it where it was made (`silvia inspect` shows where), or \
                 {otherwise}"
            ));
        };
        let names = repairs.iter().map(|repair| format!("\"{repair}\"")).collect::<Vec<_>>().join(", ");
        if let Some(place) = crossing {
            let place = self.told_place(place);
            return Err(format!(
                "`repair = [{names}]` closes it ({}), but then its surface passes through itself near \
                 {place}: mend that where it was made, or {otherwise}",
                self.told(&done)
            ));
        }
        let within = if tolerance > 0.0 {
            format!(" and `repair_within = \"{}\"`", self.short_length(tolerance))
        } else {
            String::new()
        };
        Ok(format!("give `repair = [{names}]`{within} ({}), or {otherwise}", self.told(&done)))
    }

    /// What repairs did, and how far they moved anything.
    fn told(&self, done: &[Done]) -> String {
        let told: Vec<String> =
            done.iter().map(|done| format!("{}: {}", done.repair.counted(), done.changed)).collect();
        let farthest = done.iter().map(|done| done.moved).fold(0.0, f64::max);
        let moved = if farthest > 0.0 {
            format!("nothing moves by more than {}", self.short_length(farthest))
        } else {
            "no point moves".to_owned()
        };
        format!("{}; {moved}", told.join(", "))
    }

    /// A length in the scene's unit, rounded up to two digits.
    fn short_length(&self, metres: f64) -> String {
        format!("{} {}", digits(self.units.length.of_si(metres)), self.unit_of_length())
    }
}

/// Two digits, rounded up; as a power of ten where there would be many zeros.
fn digits(number: f64) -> String {
    let power = 10_f64.powi(1 - number.log10().floor() as i32);
    let rounded = format!("{:.1e}", (number * power - 1e-9).ceil() / power).parse().unwrap_or(number);
    if rounded < 1e-6 { format!("{rounded:e}") } else { rounded.to_string() }
}
