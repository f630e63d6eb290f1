//! Which processes are alive: each holds a locked file, and the system lets go of the lock when the process ends,
//! however it ends. So a run that a dead process left can be taken over at once, without waiting for its lease.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// This process, as others see it.
#[derive(Debug)]
pub struct Process {
    name: Arc<str>,
    /// The folder of the processes' files, and this one's file with its lock.
    place: Option<(PathBuf, File)>,
}

impl Process {
    /// A process that shares nothing with others.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub fn alone() -> io::Result<Self> {
        Ok(Self { name: random_name()?, place: None })
    }

    /// A process among those that use a folder.
    ///
    /// # Errors
    /// The folder or the file cannot be made, or the system gives no random numbers.
    pub fn among(folder: &Path) -> io::Result<Self> {
        let name = random_name()?;
        fs::create_dir_all(folder)?;
        // Locked before it has its name, so that nobody ever finds it unlocked while this process lives.
        let nameless = folder.join(format!(".{name}"));
        let file = OpenOptions::new().write(true).create_new(true).open(&nameless)?;
        file.lock()?;
        fs::rename(&nameless, folder.join(&*name))?;
        Ok(Self { name, place: Some((folder.to_owned(), file)) })
    }

    /// Its name; no other process has it, nor ever had.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Whether another process is certainly dead. One that cannot be judged counts as alive.
    pub fn is_dead(&self, other: &str) -> bool {
        let Some((folder, _)) = &self.place else { return false };
        if *other == *self.name || !is_name(other) {
            return false;
        }
        let path = folder.join(other);
        match OpenOptions::new().write(true).open(&path) {
            // Who ends in order takes the file along.
            Err(error) => error.kind() == io::ErrorKind::NotFound,
            Ok(file) => match file.try_lock() {
                Ok(()) => {
                    // Left behind; that it cannot be removed changes nothing.
                    let _ = fs::remove_file(&path);
                    true
                }
                Err(TryLockError::WouldBlock | TryLockError::Error(_)) => false,
            },
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some((folder, _)) = &self.place {
            let _ = fs::remove_file(folder.join(&*self.name));
        }
    }
}

fn random_name() -> io::Result<Arc<str>> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(format!("process_{:032x}", u128::from_le_bytes(bytes)).into())
}

/// Names come back from a database; only one of ours is ever joined to a path.
fn is_name(text: &str) -> bool {
    text.strip_prefix("process_")
        .is_some_and(|rest| rest.len() == 32 && rest.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_ended_is_dead_and_one_that_lives_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let one = Process::among(folder.path()).unwrap();
        let two = Process::among(folder.path()).unwrap();
        assert!(!one.is_dead(two.name()));
        assert!(!one.is_dead(one.name()));
        let name = Arc::clone(two.name());
        drop(two);
        assert!(one.is_dead(&name));
    }

    #[test]
    fn a_file_that_nobody_holds_was_left_by_a_dead_process() {
        let folder = tempfile::tempdir().unwrap();
        let one = Process::among(folder.path()).unwrap();
        let name = format!("process_{:032x}", 7);
        File::create(folder.path().join(&name)).unwrap();
        assert!(one.is_dead(&name));
        assert!(!folder.path().join(&name).exists());
    }

    #[test]
    fn what_is_no_name_of_ours_is_never_looked_for() {
        let folder = tempfile::tempdir().unwrap();
        let one = Process::among(folder.path()).unwrap();
        for name in ["", "process_", "../process_00000000000000000000000000000000", "someone else"] {
            assert!(!one.is_dead(name), "{name}");
        }
        assert!(!Process::alone().unwrap().is_dead(&format!("process_{:032x}", 7)));
    }
}
