//! The writer thread.

use super::{KEEP_EVERY, RunError, STATE_BYTES_A_SECOND};
use crate::recording::{AccountRow, Frame, KeptState, ProfileRow, RecordingError, RecordingWriter, WatchRow};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{Builder, JoinHandle};
use std::time::Instant;

/// The most messages that may wait to be written before the run waits too.
const WAITING: usize = 64;

/// A message to the writer.
pub(super) enum Written {
    Frame(Frame),
    Account(Box<AccountRow>),
    Profile(ProfileRow),
    Watched(WatchRow),
    Keep(Box<KeptState>),
}

/// A running writer thread.
pub(super) struct Writing {
    thread: JoinHandle<Result<RecordingWriter, RecordingError>>,
    /// Size of the last state in the file, bytes.
    state_bytes: Arc<AtomicU64>,
}

impl Writing {
    pub(super) fn begin(writer: RecordingWriter) -> Result<(SyncSender<Written>, Writing), RunError> {
        let (to, from) = sync_channel(WAITING);
        let state_bytes = Arc::new(AtomicU64::new(0));
        let told = state_bytes.clone();
        let thread = Builder::new().name("writer".to_owned()).spawn(move || write(writer, &from, &told))?;
        Ok((to, Writing { thread, state_bytes }))
    }

    /// Whether keeping another state now would exceed the limit of bytes per second.
    pub(super) fn is_busy(&self, last: Instant) -> bool {
        let bytes = self.state_bytes.load(Ordering::Relaxed) as f64;
        bytes > STATE_BYTES_A_SECOND as f64 * last.elapsed().as_secs_f64()
    }

    /// Returns the writer once everything is written. All senders must be gone.
    pub(super) fn end(self) -> Result<RecordingWriter, RunError> {
        Ok(self.thread.join().map_err(|_| RunError::Panic)??)
    }
}

/// The writer thread: runs until no more messages come.
fn write(
    mut writer: RecordingWriter,
    from: &Receiver<Written>,
    state_bytes: &AtomicU64,
) -> Result<RecordingWriter, RecordingError> {
    let mut flushed = Instant::now();
    loop {
        // A step may take long: write what is waiting meanwhile.
        let is_over = match from.recv_timeout(KEEP_EVERY.saturating_sub(flushed.elapsed())) {
            Ok(Written::Frame(frame)) => {
                writer.frame(frame)?;
                false
            }
            Ok(Written::Account(row)) => {
                writer.account(*row)?;
                false
            }
            Ok(Written::Profile(row)) => {
                writer.profile(row)?;
                false
            }
            Ok(Written::Watched(row)) => {
                writer.watched(row)?;
                false
            }
            Ok(Written::Keep(state)) => {
                writer.keep(&state)?;
                writer.flush()?;
                flushed = Instant::now();
                state_bytes.store(writer.state_bytes(), Ordering::Relaxed);
                false
            }
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => true,
        };
        if is_over || flushed.elapsed() >= KEEP_EVERY {
            writer.flush()?;
            flushed = Instant::now();
        }
        if is_over {
            return Ok(writer);
        }
    }
}
