//! Some trials on their own, to look into a failure or one kind of scene. Nothing is kept.

use crate::outcome::{self, Outcome};
use crate::registry::Proof;
use crate::state::State;
use rayon::prelude::*;

/// The numbers of the trials asked for: of a scene alone or of all, from a number on.
pub(crate) fn numbers(
    proof: &Proof,
    scene: Option<&str>,
    from: Option<u64>,
    trials: Option<u64>,
) -> Result<Vec<u64>, String> {
    let first = from.unwrap_or(0);
    let Some(scene) = scene else {
        return Ok((first..first.saturating_add(trials.unwrap_or(1))).collect());
    };
    let scenes = proof.scenes();
    let kind = scenes.iter().position(|&name| name == scene).ok_or_else(|| match &scenes[..] {
        [] => format!("the proof `{}` has no scenes: leave out --scene", proof.name),
        scenes => format!("there is no scene `{scene}`: there are {}", scenes.join(", ")),
    })? as u64;
    let kinds = scenes.len() as u64;
    // From a number on, one trial unless more are asked for; else as many as in the whole proof.
    let count = trials.unwrap_or(if from.is_some() { 1 } else { proof.trials / kinds });
    Ok((first..).filter(|number| number % kinds == kind).take(count as usize).collect())
}

/// Runs some trials and tells of each that is a scene; false if one failed.
pub(crate) fn look_at(proof: &Proof, seed: u64, numbers: &[u64]) -> bool {
    let look = |&number: &u64| {
        let outcome = proof.outcome(seed, number);
        if let Some(course) = &outcome.course {
            println!("trial {number}, {}: {}{}", course.scene, course.told(), ending(&outcome));
        }
        (number, outcome)
    };
    let outcomes: Vec<(u64, Outcome)> = numbers.par_iter().map(look).collect();
    let mut state = State::fresh(proof.name, seed, "");
    for (number, outcome) in outcomes {
        state.add_trial(number, outcome);
    }
    if !state.scenes.is_empty() {
        println!("{}", outcome::table(&state.scenes));
    }
    state.failures.iter().for_each(|(trial, what)| println!("trial {trial}: {what}"));
    let (count, first) = (numbers.len(), numbers.first().copied().unwrap_or(0));
    println!("{count} trials from {first}, {} failed; {}: {:.2e}", state.failed, proof.figure, state.worst);
    state.failed == 0
}

fn ending(outcome: &Outcome) -> String {
    outcome.figure.as_ref().err().map_or(String::new(), |what| format!("; failed: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{PROOFS, Trial};

    const TOY: Proof = Proof {
        name: "toy",
        claim: "numbers are small",
        figure: "largest",
        trials: 100,
        sample: 1,
        may_fail: 0.0,
        trial: Trial::Figure(
            |random| if random.between(0.0, 1.0) < 0.9 { Ok(0.0) } else { Err("large".into()) },
        ),
    };

    #[test]
    fn trials_on_their_own_are_those_of_the_whole_proof() {
        let mut whole = State::fresh("toy", 3, "abc");
        whole.add((0..100).map(|trial| TOY.outcome(3, trial)).collect());
        assert!(whole.failed > 0);
        for trial in 0..100 {
            let failed = whole.failures.iter().any(|(number, _)| *number == trial);
            assert_eq!(look_at(&TOY, 3, &[trial]), !failed, "trial {trial}");
        }
        assert!(!look_at(&TOY, 3, &numbers(&TOY, None, Some(0), Some(100)).unwrap()));
    }

    #[test]
    fn a_scene_has_the_numbers_of_its_trials_in_the_whole_proof() {
        let steps = PROOFS.iter().find(|proof| proof.name == "steps").unwrap();
        let kinds = steps.scenes().len() as u64;
        assert_eq!(numbers(steps, Some("peg"), None, Some(3)), Ok(vec![2, 2 + kinds, 2 + 2 * kinds]));
        assert_eq!(numbers(steps, Some("peg"), Some(3), None), Ok(vec![2 + kinds]));
        assert_eq!(numbers(steps, None, Some(7), None), Ok(vec![7]));
        assert!(numbers(steps, Some("bridge"), None, None).unwrap_err().contains("knots, chain, peg"));
        assert!(numbers(&TOY, Some("peg"), None, None).unwrap_err().contains("no scenes"));
    }
}
