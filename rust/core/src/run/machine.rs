//! The machine's transitions, as data.
//!
//! Whoever wants to know what a frame or a run can do reads the two tables below; the drawing in
//! `docs/machine.md` is printed from them. Statuses are assigned in `Machine::turn_frame` and
//! `Machine::turn_run` only, and both ask the table first.

use std::fmt::Write as _;

/// Declares a status: its variants and the words it has in JSON.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            /// Every one of them, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word for it in JSON and in messages.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// The one a word stands for.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|known| known.as_str() == word)
            }
        }
    };
}

words! {
    /// What a run is doing.
    RunStatus {
        /// It has not begun: nothing but its creation has happened.
        Pending = "pending",
        /// Steps are being executed, or calls are in flight.
        Running = "running",
        /// It waits for somebody's answer.
        Interrupted = "interrupted",
        /// It has an outcome and an output.
        Completed = "completed",
        /// It stands at a failure; it can be retried from there.
        Failed = "failed",
        /// Somebody stopped it for good.
        Cancelled = "cancelled",
    }
}
words! {
    /// What a frame is doing.
    FrameStatus {
        /// It waits for its turn in the ready queue.
        Pending = "pending",
        /// It is in the middle of a step; perhaps a call is in flight.
        Running = "running",
        /// It waits for the frames it has started.
        Blocked = "blocked",
        /// It has asked somebody and waits for the answer.
        Interrupted = "interrupted",
        /// It has reached its end.
        Completed = "completed",
        /// Its step failed.
        Failed = "failed",
        /// It was stopped, since its result was no longer wanted.
        Cancelled = "cancelled",
    }
}
words! {
    /// What turns a run from one status into another.
    RunTrigger {
        /// Its input was accepted.
        Begin = "begin",
        /// A frame asked, and nothing is in flight any more.
        Pause = "pause",
        /// The answer was accepted.
        Resume = "resume",
        /// The root frame completed and the output is good.
        Finish = "finish",
        /// A step failed and no item or branch around it takes the failure.
        Fail = "fail",
        /// Somebody asked for another try from the failed frame.
        Retry = "retry",
        /// Somebody stopped the run.
        Cancel = "cancel",
    }
}
words! {
    /// What turns a frame from one status into another.
    FrameTrigger {
        /// Its turn came.
        Select = "select",
        /// Its step is done and another one follows; or it is due for another attempt.
        Advance = "advance",
        /// It started other frames.
        Block = "block",
        /// A frame it started has news.
        Wake = "wake",
        /// It reached an interrupt step.
        Ask = "ask",
        /// The answer arrived.
        Answer = "answer",
        /// It reached its end.
        Complete = "complete",
        /// Its step, or a step of a frame below it, failed.
        Fail = "fail",
        /// The run is retried from here.
        Retry = "retry",
        /// Its result is no longer wanted.
        Cancel = "cancel",
    }
}

/// One arrow: from a status, by a trigger, to a status.
pub type Arrow<S, T> = (S, T, S);

/// Every transition of a run.
pub const RUN_TABLE: &[Arrow<RunStatus, RunTrigger>] = {
    use RunStatus::{Cancelled, Completed, Failed, Interrupted, Pending, Running};
    use RunTrigger::{Begin, Cancel, Fail, Finish, Pause, Resume, Retry};
    &[
        (Pending, Begin, Running),
        (Pending, Fail, Failed),
        (Running, Pause, Interrupted),
        (Running, Finish, Completed),
        (Running, Fail, Failed),
        (Running, Cancel, Cancelled),
        (Interrupted, Resume, Running),
        (Interrupted, Fail, Failed),
        (Interrupted, Cancel, Cancelled),
        (Failed, Retry, Running),
    ]
};

/// Every transition of a frame.
pub const FRAME_TABLE: &[Arrow<FrameStatus, FrameTrigger>] = {
    use FrameStatus::{Blocked, Cancelled, Completed, Failed, Interrupted, Pending, Running};
    use FrameTrigger::{Advance, Answer, Ask, Block, Cancel, Complete, Fail, Retry, Select, Wake};
    &[
        (Pending, Select, Running),
        (Pending, Complete, Completed),
        (Pending, Fail, Failed),
        (Pending, Cancel, Cancelled),
        (Running, Advance, Pending),
        (Running, Block, Blocked),
        (Running, Ask, Interrupted),
        (Running, Complete, Completed),
        (Running, Fail, Failed),
        (Running, Cancel, Cancelled),
        (Blocked, Wake, Pending),
        (Blocked, Fail, Failed),
        (Blocked, Cancel, Cancelled),
        (Interrupted, Answer, Running),
        (Interrupted, Cancel, Cancelled),
        (Failed, Retry, Pending),
    ]
};

/// A table compiled for look-up: the arrow for a status and a trigger, if there is one.
pub(super) struct Lookup<const S: usize, const T: usize>([[u8; T]; S]);

/// No arrow.
const NONE: u8 = u8::MAX;

pub(super) const RUN_LOOKUP: Lookup<6, 7> = {
    let mut cells = [[NONE; 7]; 6];
    let mut row = 0;
    while row < RUN_TABLE.len() {
        let (from, trigger, _) = RUN_TABLE[row];
        cells[from as usize][trigger as usize] = small(row);
        row += 1;
    }
    Lookup(cells)
};

pub(super) const FRAME_LOOKUP: Lookup<7, 10> = {
    let mut cells = [[NONE; 10]; 7];
    let mut row = 0;
    while row < FRAME_TABLE.len() {
        let (from, trigger, _) = FRAME_TABLE[row];
        cells[from as usize][trigger as usize] = small(row);
        row += 1;
    }
    Lookup(cells)
};

#[expect(clippy::cast_possible_truncation, reason = "checked on the line before, when the crate is compiled")]
const fn small(row: usize) -> u8 {
    assert!(row < NONE as usize);
    row as u8
}

impl<const S: usize, const T: usize> Lookup<S, T> {
    /// The row of the arrow that leaves `from` by `trigger`.
    pub(super) fn arrow(&self, from: usize, trigger: usize) -> Option<usize> {
        let row = self.0[from][trigger];
        (row != NONE).then_some(row as usize)
    }
}

/// Which arrows a run has walked, one bit each; tests use it to find arrows that no case covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    pub(super) run: u32,
    pub(super) frames: u32,
}

impl Walked {
    /// The arrows of runs that were walked.
    pub fn run_arrows(self) -> impl Iterator<Item = Arrow<RunStatus, RunTrigger>> {
        RUN_TABLE.iter().enumerate().filter(move |(row, _)| self.run & (1 << row) != 0).map(|(_, arrow)| *arrow)
    }

    /// The arrows of frames that were walked.
    pub fn frame_arrows(self) -> impl Iterator<Item = Arrow<FrameStatus, FrameTrigger>> {
        FRAME_TABLE.iter().enumerate().filter(move |(row, _)| self.frames & (1 << row) != 0).map(|(_, arrow)| *arrow)
    }
}

/// The two tables as Mermaid state diagrams, the way `docs/machine.md` shows them.
pub fn drawing() -> String {
    let mut text = String::new();
    draw(&mut text, "A run", RUN_TABLE, RunStatus::Pending, RunStatus::as_str, RunTrigger::as_str);
    draw(&mut text, "A frame", FRAME_TABLE, FrameStatus::Pending, FrameStatus::as_str, FrameTrigger::as_str);
    text
}

fn draw<S: Copy + PartialEq, T: Copy>(
    text: &mut String,
    title: &str,
    table: &[Arrow<S, T>],
    start: S,
    status: fn(S) -> &'static str,
    trigger: fn(T) -> &'static str,
) {
    let _ = write!(text, "## {title}\n\n```mermaid\nstateDiagram-v2\n    [*] --> {}\n", status(start));
    for (from, by, to) in table {
        let _ = writeln!(text, "    {} --> {}: {}", status(*from), status(*to), trigger(*by));
    }
    // A status that nothing leaves is where the drawing ends.
    let mut drawn: Vec<S> = Vec::new();
    for (_, _, to) in table {
        if !drawn.contains(to) && !table.iter().any(|(from, ..)| from == to) {
            drawn.push(*to);
            let _ = writeln!(text, "    {} --> [*]", status(*to));
        }
    }
    text.push_str("```\n\n");
}
