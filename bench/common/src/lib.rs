//! What the comparisons share: options, peers in Python, random work, medians, time on the
//! processor, peak memory, plots.

mod clock;
mod options;
mod peer;
mod plot;
mod random;

pub use clock::{process_time, process_time_of, thread_time};
pub use options::Options;
pub use peer::PythonPeer;
pub use plot::{Curve, growth_plot, plot_with_exponents};
pub use random::{normal, positive};
pub use seeded::Random;

use std::error::Error;
use std::process::ExitCode;

/// Runs a comparison with the options of the command line, as [`finish`] ends it.
pub fn run(compare: impl FnOnce(&Options) -> Result<(), Box<dyn Error>>) -> ExitCode {
    finish(Options::read(std::env::args().skip(1)).map_err(Into::into).and_then(|options| compare(&options)))
}

/// How a program ends: an error is told, and makes the exit code one of failure.
pub fn finish(outcome: Result<(), Box<dyn Error>>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The middle value; the mean of the middle two of an even number. NaN for none.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    match n {
        0 => f64::NAN,
        _ if n % 2 == 1 => sorted[n / 2],
        _ => 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]),
    }
}

/// The exponent p of the power law y ~ x^p through two points.
pub fn growth_exponent(from: (f64, f64), to: (f64, f64)) -> f64 {
    (to.1 / from.1).ln() / (to.0 / from.0).ln()
}

/// The most memory this process has had so far, in MiB (VmHWM of Linux); `None` where the system does not
/// say.
pub fn peak_memory_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok()? / 1024.0)
}

/// The processor and the number of cores, for the heading of a table.
pub fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|l| l.strip_prefix("model name")?.split_once(':'))
        .map_or("unknown processor".to_string(), |(_, name)| name.trim().to_string());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{model}, {cores} cores")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_is_between_the_middle_two() {
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), 2.5);
        assert_eq!(median(&[5.0, 1.0, 3.0]), 3.0);
    }

    #[test]
    fn a_square_law_has_exponent_two() {
        assert!((growth_exponent((10.0, 3.0), (100.0, 300.0)) - 2.0).abs() < 1e-12);
    }
}
