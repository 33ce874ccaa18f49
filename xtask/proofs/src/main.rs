//! Long proofs: random trials against an oracle, in chunks, resumable. Started by `cargo xtask prove`.

mod ccd;
mod contacts;
mod convex;
mod degenerate;
mod flight;
mod hands;
mod hull;
mod lemke;
mod look;
mod outcome;
mod penetration;
mod random;
mod registry;
mod solids;
mod stacks;
mod state;
mod steps;

use look::look_at;
use rayon::prelude::*;
use registry::{PROOFS, Proof};
use state::State;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How long a chunk of trials should take: the most that a stop can lose.
const CHUNK: Duration = Duration::from_secs(5);

fn main() -> ExitCode {
    match arguments(std::env::args().skip(1)).and_then(|order| run(&order)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(what) => {
            eprintln!("error: {what}");
            ExitCode::from(2)
        }
    }
}

/// What the command line asks for.
struct Order {
    area: Option<String>,
    root: PathBuf,
    commit: String,
    trials: Option<u64>,
    /// Run only the trials from this number on, and keep nothing.
    from: Option<u64>,
    /// Run only trials of this scene, and keep nothing.
    scene: Option<String>,
    seed: u64,
    restart: bool,
}

/// Runs the proof asked for, or lists them; false if a trial failed.
fn run(order: &Order) -> Result<bool, String> {
    let Some(area) = &order.area else {
        for p in PROOFS {
            println!("{:<11} {} ({} trials; {} in the tests)", p.name, p.claim, p.trials, p.sample);
        }
        return Ok(true);
    };
    let proof = PROOFS
        .iter()
        .find(|p| p.name == area)
        .ok_or_else(|| format!("there is no proof `{area}`: `cargo xtask prove` lists them"))?;
    if order.from.is_some() || order.scene.is_some() {
        let numbers = look::numbers(proof, order.scene.as_deref(), order.from, order.trials)?;
        return Ok(look_at(proof, order.seed, &numbers));
    }
    let path = order.root.join("proofs").join(format!("{area}.json"));
    let mut state = resumed(&path, order, area)?;
    let trials = order.trials.unwrap_or(proof.trials);
    advance(proof, &mut state, trials, &path)?;

    println!("{}", report(proof, &state));
    let page = order.root.join("docs/src/generated").join(format!("proof-{area}.md"));
    std::fs::write(&page, report(proof, &state))
        .map_err(|e| format!("{}: cannot be written: {e}", page.display()))?;
    Ok(holds(proof, &state))
}

/// Whether no more trials failed than may.
fn holds(proof: &Proof, state: &State) -> bool {
    state.failed as f64 <= proof.may_fail * state.done as f64
}

/// The state to go on from. What was shown of other sources or with another seed does not count.
fn resumed(path: &Path, order: &Order, area: &str) -> Result<State, String> {
    let fresh = State::fresh(area, order.seed, &order.commit);
    if order.restart {
        return Ok(fresh);
    }
    match State::load(path)? {
        Some(old) if old.commit == order.commit && old.seed == order.seed => {
            println!("going on after {} trials", old.done);
            Ok(old)
        }
        Some(old) => {
            println!("starting over: the {} trials done were at {}, seed {}", old.done, old.commit, old.seed);
            Ok(fresh)
        }
        None => Ok(fresh),
    }
}

/// Runs trials until so many are done, saving the state after each chunk.
fn advance(proof: &Proof, state: &mut State, trials: u64, path: &Path) -> Result<(), String> {
    let mut chunk = 1;
    while state.done < trials {
        let start = Instant::now();
        let end = trials.min(state.done + chunk);
        let outcomes =
            (state.done..end).into_par_iter().map(|trial| proof.outcome(state.seed, trial)).collect();
        state.add(outcomes);
        let took = start.elapsed();
        state.seconds += took.as_secs_f64();
        state.save(path)?;
        if took < CHUNK / 2 {
            chunk *= 2;
        } else {
            println!("{} of {trials} trials, {} failed", state.done, state.failed);
        }
    }
    Ok(())
}

/// The figures, as the guide shows them.
fn report(proof: &Proof, state: &State) -> String {
    let mut text = format!(
        "**{}**: {}. {} trials, {} failed; {}: {:.2e}. Seed {}, commit `{}`, {:.0} s.\n",
        proof.name,
        proof.claim,
        state.done,
        state.failed,
        proof.figure,
        state.worst,
        state.seed,
        state.commit,
        state.seconds
    );
    if !state.scenes.is_empty() {
        text += &outcome::table(&state.scenes);
    }
    let list = |text: &mut String, title: &str, trials: &[(u64, String)]| {
        if !trials.is_empty() {
            *text += &format!("\n{title}:\n");
        }
        trials.iter().for_each(|(trial, what)| *text += &format!("\n- trial {trial}: {what}"));
        *text += if trials.is_empty() { "" } else { "\n" };
    };
    list(&mut text, "Failed", &state.failures);
    list(&mut text, "With a step of many times the median", &state.spikes);
    text
}

fn arguments(mut given: impl Iterator<Item = String>) -> Result<Order, String> {
    let mut order = Order {
        area: None,
        root: PathBuf::from("."),
        commit: "unknown".into(),
        trials: None,
        from: None,
        scene: None,
        seed: 1,
        restart: false,
    };
    while let Some(argument) = given.next() {
        let mut value = || given.next().ok_or_else(|| format!("{argument} needs a value"));
        let whole = |text: String| text.parse().map_err(|_| format!("`{text}` is not a whole number"));
        match argument.as_str() {
            "--root" => order.root = value()?.into(),
            "--commit" => order.commit = value()?,
            "--trials" => order.trials = Some(whole(value()?)?),
            "--from" => order.from = Some(whole(value()?)?),
            "--scene" => order.scene = Some(value()?),
            "--seed" => order.seed = whole(value()?)?,
            "--restart" => order.restart = true,
            area if order.area.is_none() && !area.starts_with('-') => order.area = Some(area.into()),
            other => return Err(format!("`{other}` is not understood: see `cargo xtask prove --help`")),
        }
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use registry::Trial;

    #[test]
    fn a_sample_of_every_proof_holds() {
        for proof in PROOFS {
            let mut state = State::fresh(proof.name, 1, "sample");
            let trials = 0..proof.sample;
            state.add(trials.map(|trial| proof.outcome(1, trial)).collect());
            // A sample is too small for a share of failures: one may be among it where some may.
            let allowed = u64::from(proof.may_fail > 0.0);
            assert!(state.failed <= allowed, "{}: {:?}", proof.name, state.failures);
        }
    }

    #[test]
    fn a_claim_about_most_holds_until_too_many_fail() {
        let most = Proof {
            name: "toy",
            claim: "most numbers are small",
            figure: "largest",
            trials: 100,
            sample: 1,
            may_fail: 0.05,
            trial: Trial::Figure(|_| Ok(0.0)),
        };
        let state = |failed: u64| State { done: 100, failed, ..State::fresh("toy", 1, "abc") };
        assert!(holds(&most, &state(5)) && !holds(&most, &state(6)));
        assert!(!holds(&Proof { may_fail: 0.0, ..most }, &state(1)));
    }

    #[test]
    fn a_proof_that_is_stopped_and_resumed_ends_like_one_that_is_not() {
        let proof = Proof {
            name: "toy",
            claim: "some numbers are small",
            figure: "largest",
            trials: 100,
            sample: 1,
            may_fail: 0.0,
            trial: Trial::Figure(|random| {
                let x = random.between(0.0, 1.0);
                if x < 0.95 { Ok(x) } else { Err(format!("{x} is large")) }
            }),
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("toy.json");
        let mut whole = State::fresh("toy", 3, "abc");
        advance(&proof, &mut whole, 100, &path).unwrap();
        assert!(whole.failed > 0 && whole.failed < 20, "{whole:?}");

        let mut first = State::fresh("toy", 3, "abc");
        advance(&proof, &mut first, 37, &path).unwrap();
        let order = arguments("toy --commit abc --seed 3".split(' ').map(String::from)).unwrap();
        let mut rest = resumed(&path, &order, "toy").unwrap();
        assert_eq!(rest.done, 37);
        advance(&proof, &mut rest, 100, &path).unwrap();
        assert_eq!(State { seconds: 0.0, ..rest }, State { seconds: 0.0, ..whole });
    }

    #[test]
    fn trials_at_another_commit_do_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("toy.json");
        State { done: 5, ..State::fresh("toy", 1, "abc") }.save(&path).unwrap();
        let order = arguments("toy --commit def".split(' ').map(String::from)).unwrap();
        assert_eq!(resumed(&path, &order, "toy").unwrap().done, 0);
    }

    #[test]
    fn an_unknown_option_is_refused() {
        assert!(arguments(["toy", "--fast"].map(String::from).into_iter()).is_err());
        assert!(arguments(["--trials", "many"].map(String::from).into_iter()).is_err());
    }
}
