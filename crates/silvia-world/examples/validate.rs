//! Prints the table of all validation scenes as Markdown, or of those named: `cargo run --release -p silvia-world --example validate`.
//! Its output is docs/src/generated/validation.md; how long each took goes to standard error. Fails if a row does.

use silvia_world::validation::{SCENES, Scene, table};
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let names: Vec<String> = std::env::args().skip(1).collect();
    if let Some(unknown) = names.iter().find(|name| Scene::by_name(name).is_none()) {
        let known: Vec<&str> = SCENES.iter().map(|scene| scene.name).collect();
        eprintln!("error: there is no scene `{unknown}`: there are {}", known.join(", "));
        return ExitCode::from(2);
    }
    let mut rows = Vec::new();
    let mut is_good = true;
    for scene in SCENES.iter().filter(|scene| names.is_empty() || names.iter().any(|n| n == scene.name)) {
        for method in scene.methods {
            let start = Instant::now();
            match scene.rows(method) {
                Ok(found) => rows.extend(found),
                Err(error) => {
                    is_good = false;
                    eprintln!("error: {} under {method}: {error}", scene.name);
                }
            }
            eprintln!("{} under {method}: {:.2} s", scene.name, start.elapsed().as_secs_f64());
        }
    }
    print!("{}", table(&rows));
    if is_good && rows.iter().all(|row| row.pass) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
