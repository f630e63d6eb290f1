//! One writer, and commits that are shared.
//!
//! Whoever wants to write queues a job. Whoever finds nobody at work takes everything that is queued by then and commits
//! it at once; the others sleep until their job is done. A lonely writer pays for no thread and no hand-over, and a
//! hundred writers at once pay for one wait for the disk.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use crate::store::StoreError;

/// How many jobs share a commit at most; bounds what one failed commit fails.
const LARGEST_GROUP: usize = 512;

/// The writing side of a store.
pub(super) struct Committer {
    /// Held by whoever is at work, so nobody ever waits for it.
    connection: Mutex<Connection>,
    queue: Mutex<Queue>,
    /// Told whenever somebody stops working.
    idle: Condvar,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Arc<dyn Queued>>,
    /// Whether somebody is at work.
    busy: bool,
}

impl std::fmt::Debug for Committer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Committer").finish_non_exhaustive()
    }
}

impl Committer {
    pub(super) fn new(connection: Connection) -> Self {
        Self { connection: Mutex::new(connection), queue: Mutex::default(), idle: Condvar::new() }
    }

    /// Executes a job in a transaction and answers once that is committed.
    ///
    /// A job that fails is rolled back alone; the jobs beside it stand.
    pub(super) fn run<T, F>(&self, job: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let state = Mutex::new(TicketState::Waiting(Box::new(job)));
        let ticket = Arc::new(Ticket { state, settled: AtomicBool::new(false) });
        let mut queue = lock(&self.queue);
        queue.jobs.push_back(Arc::clone(&ticket) as Arc<dyn Queued>);
        while !ticket.settled.load(Ordering::Acquire) {
            if queue.busy {
                queue = self.idle.wait(queue).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            queue.busy = true;
            let size = queue.jobs.len().min(LARGEST_GROUP);
            let shift = Shift { committer: self, group: queue.jobs.drain(..size).collect() };
            drop(queue);
            commit_group(&lock(&self.connection), &shift.group);
            drop(shift);
            queue = lock(&self.queue);
        }
        drop(queue);
        ticket.answer()
    }
}

/// Being at work on a group. However it ends, everybody of the group hears of it and somebody else may begin.
struct Shift<'a> {
    committer: &'a Committer,
    group: Vec<Arc<dyn Queued>>,
}

impl Drop for Shift<'_> {
    fn drop(&mut self) {
        for job in &self.group {
            if std::thread::panicking() {
                // One job panicked: what the others wrote is rolled back by whoever comes next.
                job.fail(&StoreError::Abandoned);
            }
            job.settle();
        }
        lock(&self.committer.queue).busy = false;
        self.committer.idle.notify_all();
    }
}

/// A lock whose holder panicked guards a connection that the next holder rolls back, or a queue that is whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A job that waits, without its type.
trait Queued: Send + Sync {
    /// Executes the job and tells whether its writes may stand.
    fn execute(&self, connection: &Connection) -> bool;

    /// Takes back an answer that was not committed.
    fn fail(&self, error: &StoreError);

    /// Lets whoever waits have the answer.
    fn settle(&self);
}

type Job<T> = Box<dyn FnOnce(&Connection) -> Result<T, StoreError> + Send>;

enum TicketState<T> {
    Waiting(Job<T>),
    /// The job was taken and has not answered.
    Taken,
    Answered(Result<T, StoreError>),
}

struct Ticket<T> {
    state: Mutex<TicketState<T>>,
    /// Whether the answer stands: the commit is done, or it failed.
    settled: AtomicBool,
}

impl<T> Ticket<T> {
    fn answer(&self) -> Result<T, StoreError> {
        match std::mem::replace(&mut *lock(&self.state), TicketState::Taken) {
            TicketState::Answered(answer) => answer,
            TicketState::Waiting(_) | TicketState::Taken => Err(StoreError::Abandoned),
        }
    }
}

impl<T: Send> Queued for Ticket<T> {
    fn execute(&self, connection: &Connection) -> bool {
        let TicketState::Waiting(job) = std::mem::replace(&mut *lock(&self.state), TicketState::Taken) else {
            return false;
        };
        let answer = job(connection);
        let fine = answer.is_ok();
        *lock(&self.state) = TicketState::Answered(answer);
        fine
    }

    fn fail(&self, error: &StoreError) {
        let mut state = lock(&self.state);
        // A job that failed on its own keeps its own error.
        if !matches!(*state, TicketState::Answered(Err(_))) {
            *state = TicketState::Answered(Err(error.clone()));
        }
    }

    fn settle(&self) {
        self.settled.store(true, Ordering::Release);
    }
}

fn commit_group(connection: &Connection, group: &[Arc<dyn Queued>]) {
    if let Err(error) = try_commit(connection, group) {
        let error = StoreError::from(error);
        for job in group {
            job.fail(&error);
        }
        if !connection.is_autocommit() {
            // When even this fails, the next group begins with another attempt.
            let _ = connection.execute_batch("ROLLBACK");
        }
    }
}

fn try_commit(connection: &Connection, group: &[Arc<dyn Queued>]) -> rusqlite::Result<()> {
    let execute = |statement: &str| connection.prepare_cached(statement)?.execute([]);
    if !connection.is_autocommit() {
        execute("ROLLBACK")?;
    }
    execute("BEGIN IMMEDIATE")?;
    if let [job] = group {
        let end = if job.execute(connection) { "COMMIT" } else { "ROLLBACK" };
        execute(end)?;
        return Ok(());
    }
    for job in group {
        execute("SAVEPOINT job")?;
        if !job.execute(connection) {
            execute("ROLLBACK TO job")?;
        }
        execute("RELEASE job")?;
    }
    execute("COMMIT")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    use super::*;

    fn committer() -> Committer {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE t (n INTEGER PRIMARY KEY) STRICT").unwrap();
        Committer::new(connection)
    }

    fn insert(number: i64) -> impl FnOnce(&Connection) -> Result<usize, StoreError> + Send + 'static {
        move |connection| Ok(connection.execute("INSERT INTO t VALUES (?1)", [number])?)
    }

    fn count(committer: &Committer) -> i64 {
        committer.run(|connection| Ok(connection.query_row("SELECT count(*) FROM t", [], |row| row.get(0))?)).unwrap()
    }

    #[test]
    fn a_job_that_fails_in_a_group_leaves_the_others_standing() {
        let committer = Arc::new(committer());
        committer.run(insert(3)).unwrap();
        let start = Arc::new(Barrier::new(8));
        // While somebody seems to be at work, the jobs gather in the queue and become one group.
        lock(&committer.queue).busy = true;
        let threads: Vec<_> = (0..8)
            .map(|number| {
                let (committer, start) = (Arc::clone(&committer), Arc::clone(&start));
                thread::spawn(move || {
                    start.wait();
                    committer.run(insert(number))
                })
            })
            .collect();
        while lock(&committer.queue).jobs.len() < 8 {
            thread::yield_now();
        }
        lock(&committer.queue).busy = false;
        committer.idle.notify_all();
        let failed: Vec<bool> = threads.into_iter().map(|thread| thread.join().unwrap().is_err()).collect();
        assert_eq!(failed.iter().filter(|failed| **failed).count(), 1);
        assert!(failed[3]);
        assert_eq!(count(&committer), 8);
    }

    #[test]
    fn a_panic_takes_the_answers_of_its_whole_group_back() {
        let committer = Arc::new(committer());
        lock(&committer.queue).busy = true;
        let job = |committer: &Arc<Committer>, panics: bool, after: usize| {
            let committer = Arc::clone(committer);
            let writer = Arc::clone(&committer);
            let thread = thread::spawn(move || {
                writer.run(move |connection| {
                    assert!(!panics, "a fault of the test");
                    Ok(connection.execute("INSERT INTO t VALUES (1)", [])?)
                })
            });
            while lock(&committer.queue).jobs.len() < after {
                thread::yield_now();
            }
            thread
        };
        let written = job(&committer, false, 1);
        let faulty = job(&committer, true, 2);
        lock(&committer.queue).busy = false;
        committer.idle.notify_all();
        let (written, faulty) = (written.join(), faulty.join());
        // The panic surfaces in whichever thread was at work; the other one is told that its job was given up.
        let panicked = [written.is_err(), faulty.is_err()].iter().filter(|panicked| **panicked).count();
        assert_eq!(panicked, 1);
        for answer in [written, faulty].into_iter().flatten() {
            assert_eq!(answer.unwrap_err().code(), StoreError::Abandoned.code());
        }
        assert_eq!(count(&committer), 0);
    }

    #[test]
    fn a_panic_in_a_job_rolls_back_and_the_next_job_goes_on() {
        let committer = Arc::new(committer());
        let panicking = Arc::clone(&committer);
        let result = thread::spawn(move || {
            panicking.run(|connection| -> Result<(), StoreError> {
                connection.execute("INSERT INTO t VALUES (1)", [])?;
                panic!("a fault of the test");
            })
        })
        .join();
        assert!(result.is_err());
        assert_eq!(count(&committer), 0);
        committer.run(insert(1)).unwrap();
        assert_eq!(count(&committer), 1);
    }
}
