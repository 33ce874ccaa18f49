//! The page: a table of all scenes that were ever run, made anew after each.

use crate::run::Run;
use bench_common::machine;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::path::PathBuf;

/// Characters of a message in the table.
const LONGEST_MESSAGE: usize = 240;

/// A scene with what came of it in a mode.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub(crate) scene: String,
    pub(crate) is_interactive: bool,
    pub(crate) limit: f64,
    pub(crate) commit: String,
    pub(crate) machine: String,
    pub(crate) run: Run,
}

/// Where results are kept from run to run, and the page made of them.
pub(crate) struct Store {
    pub(crate) file: PathBuf,
    pub(crate) page: PathBuf,
}

impl Store {
    /// All that is kept. What another version has written and this one cannot read is left out.
    pub(crate) fn all(&self) -> Vec<Kept> {
        let text = std::fs::read(&self.file).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Keeps a result in place of an older one, and makes the page anew.
    pub(crate) fn keep(&self, kept: Kept, order: &[String]) -> Result<(), Box<dyn Error>> {
        let mut all = self.all();
        all.retain(|other| (&other.scene, other.is_interactive) != (&kept.scene, kept.is_interactive));
        all.push(kept);
        all.sort_by_key(|kept| (order.iter().position(|name| *name == kept.scene), kept.is_interactive));
        for path in [&self.file, &self.page] {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
        }
        std::fs::write(&self.file, serde_json::to_vec(&all)?)?;
        Ok(std::fs::write(&self.page, page(&all))?)
    }
}

impl Kept {
    pub(crate) fn new(scene: &str, is_interactive: bool, limit: f64, commit: &str, run: Run) -> Kept {
        let (scene, commit, machine) = (scene.to_owned(), commit.to_owned(), machine());
        Kept { scene, is_interactive, limit, commit, machine, run }
    }

    fn mode(&self) -> &'static str {
        if self.is_interactive { "interactive" } else { "exact" }
    }

    /// A row of the table.
    pub(crate) fn row(&self) -> String {
        let run = &self.run;
        let number = |value: f64, digits: usize| {
            if value.is_finite() { format!("{value:.digits$}") } else { "–".to_owned() }
        };
        let milliseconds = |seconds: f64| number(1e3 * seconds, if seconds < 0.01 { 2 } else { 0 });
        let found = &run.found;
        let mut deepest = match found.depth {
            _ if found.steps == 0 => "–".to_owned(),
            depth if depth > 0.0 => format!("{depth:.1e}"),
            _ => "none".to_owned(),
        };
        for (count, what) in [(found.crossings, "crossings"), (found.undecided, "undecided")] {
            if count > 0 {
                deepest += &format!(", **{count} {what}**");
            }
        }
        let judged = if run.found.steps < run.made.len() {
            format!(" (in {} steps)", run.found.steps)
        } else {
            String::new()
        };
        format!(
            "| {} | {} | {} | {} | {} / {} | {} | {} | {} | {} | {} | {deepest}{judged} |\n",
            self.scene,
            self.mode(),
            run.size.bodies,
            run.size.triangles,
            run.made.len(),
            run.size.steps,
            milliseconds(run.median()),
            milliseconds(run.longest()),
            number(run.longest() / run.median_with_contacts(), 0),
            number(run.real_time_factor(), 4),
            shortened(run.ended.as_deref().unwrap_or("")),
        )
    }
}

/// A message without the names of a hundred bodies, and fit for a table.
fn shortened(message: &str) -> String {
    let plain = message.replace(['|', '\n'], " ");
    match plain.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => format!("{} …", &plain[..end]),
        None => plain,
    }
}

fn page(all: &[Kept]) -> String {
    let mut origins: Vec<String> = all
        .iter()
        .map(|kept| {
            let Kept { machine, commit, limit, .. } = kept;
            format!("{}: {machine}, commit `{commit}`, {limit} s a scene", kept.mode())
        })
        .collect();
    origins.sort();
    origins.dedup();
    let mut text = format!(
        "{}. One thread; milliseconds on the processor.\n\n\
         | scene | mode | bodies that move | triangles | steps | median, ms | longest, ms | over the median \
         with contacts | real-time factor | ended early | deepest, m |\n\
         |---|---|--:|--:|--:|--:|--:|--:|--:|---|--:|\n",
        origins.join("; ")
    );
    all.iter().for_each(|kept| text += &kept.row());
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Made;

    #[test]
    fn a_result_takes_the_place_of_an_older_one() {
        let folder = std::env::temp_dir().join(format!("bench-scenes-{}", std::process::id()));
        let store = Store { file: folder.join("scenes.json"), page: folder.join("page.md") };
        let order = ["b".to_owned(), "a".to_owned()];
        let made = vec![Made { seconds: 0.5, has_contacts: true }];
        for (scene, run) in [
            ("a", Run::default()),
            ("b", Run::default()),
            ("a", Run { made, ended: Some("stuck | here".to_owned()), ..Run::default() }),
        ] {
            store.keep(Kept::new(scene, false, 1.0, "abc", run), &order).unwrap();
        }
        let page = std::fs::read_to_string(&store.page).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        let rows: Vec<&str> = page.lines().skip(4).collect();
        assert_eq!(rows.len(), 2, "{page}");
        assert!(rows[0].starts_with("| b |") && rows[1].contains("stuck   here"), "{page}");
        assert!(rows[1].contains("| 500 | 500 | 1 |"), "{page}");
    }
}
