//! The rules of the platform, seen from outside: one binary, since linking costs more than running.

mod inventory;
mod projection;
mod registry;
mod support;
