//! The reader for a directory: files below one root, and nothing else.
//!
//! The root is opened once and every path is opened *beneath* it (`openat2` where the system has it, a walk
//! without following links out of the root elsewhere), so a link, a `..` or a race between check and use cannot
//! lead out. What was opened is checked on the open handle. A text is streamed: a read costs what it returns,
//! not the size of the file.

mod listing;
mod locate;
mod marks;
mod media_type;
mod window;

use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cap_fs_ext::{MetadataExt as _, OpenOptionsSyncExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata, OpenOptions};
use thiserror::Error;

pub use listing::{FileEntry, Listing};

use crate::resource::{
    Cause, ContentBody, ReadFuture, ReadRequest, ResourceContent, ResourceError, ResourcePayload, ResourceReader,
};
use locate::locate;
use marks::{FileIdentity, Mark, Marks};
use window::{Window, read_window};

/// How many bytes decide whether a file is text.
const SNIFFED_BYTES: u64 = 8 * 1024;

/// Why a directory cannot become the root of a source.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileRootError {
    /// It is not there, is no directory, or cannot be opened.
    #[error("cannot open `{}` as the root of a file source: {cause}", root.display())]
    Unavailable {
        /// The directory.
        root: PathBuf,
        /// What the system said.
        #[source]
        cause: io::Error,
    },
}

impl FileRootError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unavailable { .. } => "source.root_unavailable",
        }
    }
}

/// Reads the files below one directory.
///
/// ```
/// use std::sync::Arc;
/// use wf_api::file::FileReader;
/// use wf_api::resource::{ReadBounds, ReadRequest};
///
/// let root = tempfile::tempdir().unwrap();
/// std::fs::write(root.path().join("guide.md"), "# Guide\n").unwrap();
/// let reader = FileReader::open(root.path()).unwrap();
/// let bounds = ReadBounds::new(5).unwrap();
/// let request = ReadRequest { source_id: "docs.here".into(), uri: "guide.md".into(), bounds };
/// let payload = reader.read_now(&request).unwrap();
/// assert!(payload.truncated);
/// ```
#[derive(Debug)]
pub struct FileReader(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// The root as an absolute path without links, for recognising `file` URIs and for messages.
    root: PathBuf,
    /// The root as it was given, made absolute; a `file` URI may use this spelling too.
    given: PathBuf,
    dir: Dir,
    marks: Mutex<Marks>,
}

impl FileReader {
    /// Opens a directory as a root.
    ///
    /// # Errors
    /// [`FileRootError`] when it cannot be opened as a directory.
    pub fn open(root: impl AsRef<Path>) -> Result<Self, FileRootError> {
        let open = |root: &Path| -> io::Result<Inner> {
            let given = std::path::absolute(root)?;
            let root = fs::canonicalize(root)?;
            let dir = Dir::open_ambient_dir(&root, ambient_authority())?;
            Ok(Inner { root, given, dir, marks: Mutex::default() })
        };
        let root = root.as_ref();
        match open(root) {
            Ok(inner) => Ok(Self(Arc::new(inner))),
            Err(cause) => Err(FileRootError::Unavailable { root: root.to_owned(), cause }),
        }
    }

    /// The root, as an absolute path without links.
    pub fn root(&self) -> &Path {
        &self.0.root
    }

    /// Reads one file within the bounds, waiting for the disk.
    ///
    /// # Errors
    /// Each cause has its own [`ResourceError`].
    pub fn read_now(&self, request: &ReadRequest) -> Result<ResourcePayload, ResourceError> {
        self.0.read(request)
    }

    /// The files below the root in order of their names, at most `limit` of them.
    ///
    /// Hidden entries are left out and links are not followed, so the listing always ends.
    ///
    /// # Errors
    /// What the system says about the root itself; a folder that cannot be read is left out.
    pub fn list(&self, limit: usize) -> io::Result<Listing> {
        listing::list(&self.0.dir, &self.0.root, limit)
    }
}

impl ResourceReader for FileReader {
    fn read<'a>(&'a self, request: &'a ReadRequest) -> ReadFuture<'a> {
        let inner = Arc::clone(&self.0);
        let request = request.clone();
        Box::pin(async move {
            let failed = (request.source_id.clone(), request.uri.clone());
            match tokio::task::spawn_blocking(move || inner.read(&request)).await {
                Ok(result) => result,
                Err(stopped) => Err(ResourceError::ReaderFailed {
                    source_id: failed.0,
                    uri: failed.1,
                    cause: Cause(Box::new(stopped)),
                }),
            }
        })
    }
}

impl Inner {
    fn read(&self, request: &ReadRequest) -> Result<ResourcePayload, ResourceError> {
        let path = locate(request, [&self.root, &self.given])?;
        let (file, metadata) = self.open_file(&path).map_err(|error| error.explain(request))?;
        let content = self.read_file(&file, &metadata, request);
        let (content, truncated) = content.map_err(|cause| OpenError::from(cause).explain(request))?;
        let body = match content {
            Window::Text { text, .. } => ContentBody::Text(Arc::from(text)),
            Window::Binary => ContentBody::Blob(
                read_blob(file, metadata.len(), request)
                    .map_err(|cause| OpenError::from(cause).explain(request))?
                    .map(Arc::from),
            ),
        };
        let binary = matches!(body, ContentBody::Blob(_));
        Ok(ResourcePayload {
            truncated,
            offset: if binary { 0 } else { request.bounds.offset() },
            contents: vec![ResourceContent {
                uri: Some(request.uri.clone()),
                mime_type: Some(Arc::from(media_type::of(&path, binary))),
                size: Some(metadata.len()),
                body,
            }],
        })
    }

    /// Opens a regular file beneath the root. Nothing here waits for another process, as opening a pipe would.
    fn open_file(&self, path: &Path) -> Result<(File, Metadata), OpenError> {
        match self.open_beneath(path) {
            // The sandbox refuses every absolute link, also one that stays below the root. Where it leads is opened
            // beneath the root again, so that nothing depends on what the ambient look found.
            Err(OpenError::System(error)) if is_refusal(&error) => {
                let target = fs::canonicalize(self.root.join(path)).ok();
                match target.as_deref().and_then(|target| target.strip_prefix(&self.root).ok()) {
                    Some(inside) => self.open_beneath(inside),
                    None => Err(error.into()),
                }
            }
            opened => opened,
        }
    }

    fn open_beneath(&self, path: &Path) -> Result<(File, Metadata), OpenError> {
        // A look before opening keeps the side effects of opening a device away; the handle is what counts.
        regular(&self.dir.metadata(path)?)?;
        let file = self.dir.open_with(path, OpenOptions::new().read(true).nonblock(true))?;
        let metadata = file.metadata()?;
        regular(&metadata)?;
        Ok((file, metadata))
    }

    /// The part of the text that was asked for, and whether there is more.
    fn read_file(&self, file: &File, metadata: &Metadata, request: &ReadRequest) -> io::Result<(Window, bool)> {
        let mut file = file;
        let mut head = Vec::new();
        (&mut file).take(SNIFFED_BYTES).read_to_end(&mut head)?;
        if window::looks_binary(&head, u64::try_from(head.len()).unwrap_or(SNIFFED_BYTES) < SNIFFED_BYTES) {
            return Ok((Window::Binary, false));
        }
        let identity = FileIdentity {
            device: metadata.dev(),
            inode: metadata.ino(),
            len: metadata.len(),
            modified: metadata.modified().ok().map(cap_std::time::SystemTime::into_std),
        };
        let offset = request.bounds.offset();
        let start = self.lock_marks().nearest(&identity, offset);
        let mut passed = Vec::new();
        let window = if start.bytes == 0 {
            read_window(&mut head.as_slice().chain(file), start, offset, request.bounds.max_chars(), &mut passed)?
        } else {
            file.seek(SeekFrom::Start(start.bytes))?;
            read_window(&mut file, start, offset, request.bounds.max_chars(), &mut passed)?
        };
        let truncated = match &window {
            Window::Text { end, more, .. } => {
                passed.push(*end);
                *more
            }
            Window::Binary => false,
        };
        self.lock_marks().remember(identity, &passed);
        Ok((window, truncated))
    }

    fn lock_marks(&self) -> std::sync::MutexGuard<'_, Marks> {
        // The marks are only a cache, and no code that holds the lock can leave them half changed.
        self.marks.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// The bytes in base64, when they were asked for and are within their bound.
fn read_blob(mut file: File, len: u64, request: &ReadRequest) -> io::Result<Option<String>> {
    let most = u64::try_from(request.bounds.max_blob_bytes()).unwrap_or(u64::MAX);
    if most == 0 || len > most {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(0))?;
    let mut bytes = Vec::new();
    // One more than allowed tells whether the file has grown since it was measured.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    let within = u64::try_from(bytes.len()).is_ok_and(|read| read <= most);
    Ok(within.then(|| STANDARD.encode(&bytes)))
}

/// Why a path could not be opened as a regular file.
enum OpenError {
    Special(&'static str),
    System(io::Error),
}

impl From<io::Error> for OpenError {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

impl OpenError {
    fn explain(self, request: &ReadRequest) -> ResourceError {
        let source_id = request.source_id.clone();
        let uri = request.uri.clone();
        match self {
            Self::Special(what) => ResourceError::NotAFile { source_id, uri, what },
            Self::System(error) => match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename => {
                    ResourceError::Missing { source_id, uri }
                }
                _ if is_refusal(&error) => ResourceError::OutsideRoot { source_id, uri },
                _ if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => {
                    ResourceError::NotAFile { source_id, uri, what: "a circle of links" }
                }
                io::ErrorKind::PermissionDenied => ResourceError::AccessDenied { source_id, uri, cause: error },
                _ => ResourceError::ReaderFailed { source_id, uri, cause: Cause(Box::new(error)) },
            },
        }
    }
}

/// Whether the sandbox refused on its own: such an error has no number of the system.
fn is_refusal(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}

/// Refuses everything that is no regular file.
fn regular(metadata: &Metadata) -> Result<(), OpenError> {
    if metadata.is_file() {
        Ok(())
    } else if metadata.is_dir() {
        Err(OpenError::Special("a directory"))
    } else {
        Err(OpenError::Special("a pipe, a socket or a device"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resource::ReadBounds;

    #[test]
    fn what_the_system_refuses_is_told_apart_from_what_the_root_refuses() {
        let request = ReadRequest { source_id: "s".into(), uri: "u".into(), bounds: ReadBounds::default() };
        let explain = |error: io::Error| OpenError::from(error).explain(&request).code();
        assert_eq!(explain(io::Error::from(io::ErrorKind::PermissionDenied)), "resource.outside_root");
        if cfg!(unix) {
            assert_eq!(explain(io::Error::from_raw_os_error(13)), "resource.access_denied");
            assert_eq!(explain(io::Error::from_raw_os_error(5)), "resource.reader_failed");
        }
    }
}
