//! What is in flight: calls and merges that were asked for and not answered.

use std::collections::VecDeque;

use super::event::CallId;
use super::origin::FrameIx;

/// The calls and merges in flight, found by number in constant time.
///
/// Numbers are given out in order and answered roughly in order, so a window over them needs no map: its front is the
/// oldest unanswered one.
#[derive(Clone, Debug, Default)]
pub(crate) struct InFlight {
    /// The number of the window's first entry.
    first: u64,
    window: VecDeque<Option<Flight>>,
    count: usize,
}

#[derive(Clone, Copy, Debug)]
struct Flight {
    frame: FrameIx,
    /// Whether a driver has seen it; if not, nobody needs to be told that it is no longer wanted.
    handed_out: bool,
}

impl InFlight {
    /// An empty table whose next number is `next`.
    pub(crate) fn starting_at(next: u64) -> Self {
        Self { first: next, ..Self::default() }
    }

    /// How many are in flight.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The number that is given out next.
    pub(crate) fn next(&self) -> CallId {
        CallId(self.first + self.window.len() as u64)
    }

    /// Gives out a number to a frame.
    pub(crate) fn open(&mut self, frame: FrameIx) -> CallId {
        let call = self.next();
        self.window.push_back(Some(Flight { frame, handed_out: false }));
        self.count += 1;
        call
    }

    /// Puts a number back in flight that was given out before; numbers have to come in ascending order.
    pub(crate) fn reopen(&mut self, call: CallId, frame: FrameIx) {
        if self.window.is_empty() {
            self.first = call.0;
        }
        while self.next() < call {
            self.window.push_back(None);
        }
        self.open(frame);
    }

    /// Makes sure that numbers below `next` are not given out again.
    pub(crate) fn skip_to(&mut self, next: u64) {
        if self.window.is_empty() {
            self.first = next;
        }
        while self.next().0 < next {
            self.window.push_back(None);
        }
    }

    fn slot(&mut self, call: CallId) -> Option<&mut Option<Flight>> {
        let position = usize::try_from(call.0.checked_sub(self.first)?).ok()?;
        self.window.get_mut(position)
    }

    /// The frame that waits for an answer.
    pub(crate) fn frame(&mut self, call: CallId) -> Option<FrameIx> {
        self.slot(call)?.map(|flight| flight.frame)
    }

    /// Marks it as seen by the driver; `None` when it is not in flight any more.
    pub(crate) fn hand_out(&mut self, call: CallId) -> Option<FrameIx> {
        let flight = self.slot(call)?.as_mut()?;
        flight.handed_out = true;
        Some(flight.frame)
    }

    /// Takes it out; says whether a driver has seen it.
    pub(crate) fn close(&mut self, call: CallId) -> bool {
        let Some(flight) = self.slot(call).and_then(Option::take) else { return false };
        self.count -= 1;
        while let Some(None) = self.window.front() {
            self.window.pop_front();
            self.first += 1;
        }
        flight.handed_out
    }

    /// Everything in flight, oldest first, for asking again from the beginning.
    pub(crate) fn recall(&mut self) -> Vec<CallId> {
        let mut calls = Vec::with_capacity(self.count);
        for (number, slot) in (self.first..).zip(&mut self.window) {
            if let Some(flight) = slot {
                flight.handed_out = false;
                calls.push(CallId(number));
            }
        }
        calls
    }
}
