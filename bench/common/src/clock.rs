//! Time on the processor: what other programs on the machine take is not in it.

use rustix::time::{ClockId, clock_gettime};

/// How long this thread has been on the processor, s.
pub fn thread_time() -> f64 {
    seconds(ClockId::ThreadCPUTime)
}

/// The same of all threads of this process together.
pub fn process_time() -> f64 {
    seconds(ClockId::ProcessCPUTime)
}

fn seconds(clock: ClockId) -> f64 {
    let time = clock_gettime(clock);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// The same of another process, as Linux tells it; none elsewhere, or if it has ended.
pub fn process_time_of(process: u32) -> Option<f64> {
    let mut sum = 0.0;
    for thread in std::fs::read_dir(format!("/proc/{process}/task")).ok()? {
        let told = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        sum += 1e-9 * told.split_whitespace().next()?.parse::<f64>().ok()?;
    }
    Some(sum)
}
