//! The numbers by which plan and run refer to things.
//!
//! Names are looked up once, when a plan is compiled. From then on a step, a workflow or a written place is a
//! small number: copying one is free, comparing two is one instruction, and a snapshot stores it as it is.

/// Declares a newtype over `u32` that indexes one kind of table.
macro_rules! index {
    ($(#[$doc:meta])* $visibility:vis $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility struct $name(pub(crate) u32);

        impl $name {
            /// The number as a position in a slice.
            pub(crate) fn at(self) -> usize {
                self.0 as usize
            }

            /// The index of the entry that is pushed next onto a table of `len` entries.
            #[expect(clippy::cast_possible_truncation, reason = "tables of four billion entries do not fit in memory; \
                      the only table that grows without a document behind it, the frames, is bounded by the run")]
            pub(crate) fn next(len: usize) -> Self {
                Self(len as u32)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(formatter, "{}({})", stringify!($name), self.0)
            }
        }
    };
}
pub(crate) use index;

index! {
    /// A workflow of a plan; 0 is the root.
    pub WorkflowIx
}
index! {
    /// A step of a workflow, in document order.
    pub StepIx
}
index! {
    /// A declared outcome of a step, and where it leads.
    pub ExitIx
}
index! {
    /// A declared outcome of a workflow.
    pub OutcomeIx
}

/// Where an exit leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// To a step.
    Step(StepIx),
    /// To `__end__`.
    End,
}
