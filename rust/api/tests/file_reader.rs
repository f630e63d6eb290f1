//! The reader for a directory: what it reads, and everything it keeps away from.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![cfg(unix)]

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use proptest::prelude::*;
use wf_api::file::FileReader;
use wf_api::resource::{
    ContentBody, ReadBounds, ReadRequest, ResourceError, ResourcePayload, ResourceReader, bound_payload,
};

fn request(uri: &str, bounds: ReadBounds) -> ReadRequest {
    ReadRequest { source_id: "docs.here".into(), uri: uri.into(), bounds }
}

fn chars(max_chars: usize) -> ReadBounds {
    ReadBounds::new(max_chars).unwrap()
}

fn read(reader: &FileReader, uri: &str) -> Result<ResourcePayload, ResourceError> {
    reader.read_now(&request(uri, chars(100)))
}

fn text(payload: &ResourcePayload) -> &str {
    match &payload.contents[0].body {
        ContentBody::Text(text) => text,
        ContentBody::Blob(_) => panic!("a blob: {payload:?}"),
    }
}

fn code(reader: &FileReader, uri: &str) -> &'static str {
    read(reader, uri).unwrap_err().code()
}

/// A folder with a root in it and a secret beside the root.
struct Place {
    folder: tempfile::TempDir,
    reader: FileReader,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::write(root.join("guide.md"), "# Guide").unwrap();
        fs::write(root.join("sub/page.txt"), "page").unwrap();
        fs::write(root.join("a b%20c.txt"), "spaces").unwrap();
        fs::write(folder.path().join("secret.txt"), "secret").unwrap();
        let reader = FileReader::open(&root).unwrap();
        Self { folder, reader }
    }

    fn root(&self) -> std::path::PathBuf {
        self.folder.path().join("root")
    }
}

#[test]
fn reads_names_relative_to_the_root_and_file_uris_below_it() {
    let place = Place::new();
    let root = place.reader.root().display().to_string();
    for (uri, expected) in [
        ("guide.md", "# Guide"),
        ("./sub/page.txt", "page"),
        ("sub/../guide.md", "# Guide"),
        ("a b%20c.txt", "spaces"),
        (&*format!("file://{root}/guide.md"), "# Guide"),
        (&*format!("FILE://localhost{root}/sub/page.txt"), "page"),
        (&*format!("file:{root}/a%20b%2520c.txt"), "spaces"),
        (&*format!("file://{root}/sub%2F..%2Fguide.md"), "# Guide"),
        (&*format!("{root}/guide.md"), "# Guide"),
    ] {
        assert_eq!(text(&read(&place.reader, uri).unwrap()), expected, "{uri}");
    }
    let payload = read(&place.reader, "guide.md").unwrap();
    assert_eq!(payload.contents[0].mime_type.as_deref(), Some("text/markdown"));
    assert_eq!(payload.contents[0].size, Some(7));
    assert!(!payload.truncated);
}

#[test]
fn d30_a_text_is_cut_at_the_bound_and_paged_by_offset() {
    let place = Place::new();
    fs::write(place.root().join("letters.txt"), "abcdefghijklmnopqrstuvwxyz").unwrap();
    let first = place.reader.read_now(&request("letters.txt", chars(5))).unwrap();
    assert_eq!((text(&first), first.truncated, first.offset), ("abcde", true, 0));
    let last = place.reader.read_now(&request("letters.txt", chars(5).at_offset(24))).unwrap();
    assert_eq!((text(&last), last.truncated, last.offset), ("yz", false, 24));
    let behind = place.reader.read_now(&request("letters.txt", chars(5).at_offset(99))).unwrap();
    assert_eq!((text(&behind), behind.truncated), ("", false));
}

#[test]
fn d30_a_file_of_a_gigabyte_costs_no_more_than_the_bound() {
    let place = Place::new();
    let path = place.root().join("huge.log");
    let mut file = File::create(&path).unwrap();
    file.write_all("line of a log\n".repeat(1_000).as_bytes()).unwrap();
    // A hole: the file claims a gigabyte without taking it.
    file.set_len(1 << 30).unwrap();
    let before = bytes_read();
    let payload = place.reader.read_now(&request("huge.log", chars(20))).unwrap();
    assert_eq!((text(&payload), payload.truncated), ("line of a log\nline o", true));
    assert_eq!(payload.contents[0].size, Some(1 << 30));
    let cost = bytes_read() - before;
    assert!(cost < 64 * 1024, "read {cost} bytes");
}

/// The bytes that this process has asked the system for.
fn bytes_read() -> u64 {
    let counters = fs::read_to_string("/proc/self/io").unwrap();
    counters.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap().parse().unwrap()
}

#[test]
fn d30_the_next_page_starts_where_the_last_one_ended_without_reading_it_again() {
    let place = Place::new();
    fs::write(place.root().join("long.txt"), "é".repeat(4_000_000)).unwrap();
    let far = place.reader.read_now(&request("long.txt", chars(10).at_offset(3_999_000))).unwrap();
    assert_eq!(text(&far), "é".repeat(10));
    let before = bytes_read();
    let next = place.reader.read_now(&request("long.txt", chars(10).at_offset(3_999_010))).unwrap();
    assert_eq!(text(&next), "é".repeat(10));
    let cost = bytes_read() - before;
    assert!(cost < 64 * 1024, "read {cost} bytes");
}

#[test]
fn a_file_that_changed_is_read_afresh() {
    let place = Place::new();
    let path = place.root().join("changing.txt");
    fs::write(&path, "éééééééééé").unwrap();
    place.reader.read_now(&request("changing.txt", chars(5))).unwrap();
    fs::write(&path, "abcdefghij").unwrap();
    let next = place.reader.read_now(&request("changing.txt", chars(5).at_offset(5))).unwrap();
    assert_eq!(text(&next), "fghij");
}

#[test]
fn d30_bytes_that_are_no_utf8_are_reported_as_a_blob_and_returned_only_within_the_bound() {
    let place = Place::new();
    fs::write(place.root().join("picture.png"), b"\x89PNG\r\n\x1a\n\0").unwrap();
    fs::write(place.root().join("latin1.txt"), b"caf\xe9").unwrap();
    let reported = read(&place.reader, "picture.png").unwrap();
    let content = &reported.contents[0];
    assert_eq!((&content.body, content.size), (&ContentBody::Blob(None), Some(9)));
    assert_eq!(content.mime_type.as_deref(), Some("image/png"));
    assert!(matches!(read(&place.reader, "latin1.txt").unwrap().contents[0].body, ContentBody::Blob(None)));
    let with_bytes = |most: usize| {
        let request = request("picture.png", chars(5).with_blob_bytes(most));
        bound_payload(&place.reader.read_now(&request).unwrap(), &request, None).unwrap()
    };
    assert_eq!(with_bytes(9).blob.as_deref(), Some("iVBORw0KGgoA"));
    let beyond = with_bytes(8);
    assert_eq!((beyond.blob, beyond.text, beyond.contents[0].size), (None, None, Some(9)));
}

#[test]
fn an_invalid_byte_behind_the_window_does_not_matter_and_within_it_makes_a_blob() {
    let place = Place::new();
    let mut bytes = b"x".repeat(100_000);
    bytes.push(0xff);
    fs::write(place.root().join("late.txt"), bytes).unwrap();
    assert_eq!(text(&read(&place.reader, "late.txt").unwrap()), "x".repeat(100));
    let late = place.reader.read_now(&request("late.txt", chars(100).at_offset(99_990))).unwrap();
    assert!(matches!(late.contents[0].body, ContentBody::Blob(None)));
    assert!(!late.truncated);
}

#[test]
fn a_path_outside_the_root_is_refused_however_it_is_written() {
    let place = Place::new();
    let folder = place.folder.path().canonicalize().unwrap().display().to_string();
    symlink(place.folder.path().join("secret.txt"), place.root().join("link.txt")).unwrap();
    symlink("../secret.txt", place.root().join("relative_link.txt")).unwrap();
    symlink("..", place.root().join("up")).unwrap();
    symlink("/", place.root().join("slash")).unwrap();
    for uri in [
        "../secret.txt",
        "sub/../../secret.txt",
        "/etc/passwd",
        "link.txt",
        "relative_link.txt",
        "up/secret.txt",
        "slash/etc/passwd",
        "sub/../up/secret.txt",
        &format!("{folder}/secret.txt"),
        &format!("file://{folder}/secret.txt"),
        &format!("file://{folder}/root/../secret.txt"),
        &format!("file://{folder}/root/%2e%2e/secret.txt"),
        &format!("file://{folder}/root%2F..%2Fsecret.txt"),
        "file:///etc/passwd",
        "file:///",
    ] {
        let error = read(&place.reader, uri).unwrap_err();
        assert_eq!(error.code(), "resource.outside_root", "{uri}: {error}");
        assert_eq!(error.to_string(), format!("resource '{uri}' lies outside the root of source 'docs.here'"));
    }
}

#[test]
fn links_that_stay_below_the_root_are_followed() {
    let place = Place::new();
    symlink("sub/page.txt", place.root().join("inside.txt")).unwrap();
    symlink("../guide.md", place.root().join("sub/back.md")).unwrap();
    symlink(place.root().join("sub/page.txt"), place.root().join("absolute.txt")).unwrap();
    symlink(place.root().join("sub"), place.root().join("absolute")).unwrap();
    for uri in ["inside.txt", "absolute.txt", "absolute/page.txt"] {
        assert_eq!(text(&read(&place.reader, uri).unwrap()), "page", "{uri}");
    }
    assert_eq!(text(&read(&place.reader, "sub/back.md").unwrap()), "# Guide");
}

#[test]
fn a_link_that_is_swapped_while_it_is_read_never_leads_out() {
    let place = Place::new();
    let root = place.root();
    symlink("guide.md", root.join("good")).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let swapping = {
        let (root, stop) = (root.clone(), stop.clone());
        thread::spawn(move || {
            for round in 0_u32.. {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let target = if round.is_multiple_of(2) { "../secret.txt" } else { "guide.md" };
                let fresh = root.join("fresh");
                symlink(target, &fresh).unwrap();
                fs::rename(&fresh, root.join("good")).unwrap();
            }
        })
    };
    let (mut good, mut refused) = (0, 0);
    for _ in 0..20_000 {
        match read(&place.reader, "good") {
            Ok(payload) => {
                assert_eq!(text(&payload), "# Guide");
                good += 1;
            }
            Err(error) => {
                assert_eq!(error.code(), "resource.outside_root", "{error}");
                refused += 1;
            }
        }
    }
    stop.store(true, Ordering::Relaxed);
    swapping.join().unwrap();
    assert!(good > 0 && refused > 0, "{good} good, {refused} refused");
}

#[test]
fn what_is_no_file_is_refused_without_waiting_for_it() {
    let place = Place::new();
    let root = place.root();
    assert!(Command::new("mkfifo").arg(root.join("pipe")).status().unwrap().success());
    let _socket = UnixListener::bind(root.join("socket")).unwrap();
    let folder = read(&place.reader, "sub").unwrap_err();
    assert_eq!(folder.to_string(), "resource 'sub' of source 'docs.here' is a directory, not a file");
    for uri in ["sub", ".", "pipe", "socket", root.canonicalize().unwrap().to_str().unwrap()] {
        assert_eq!(code(&place.reader, uri), "resource.not_a_file", "{uri}");
    }
}

#[test]
fn a_missing_file_and_a_file_without_permission_are_told_apart() {
    let place = Place::new();
    let missing = read(&place.reader, "nothing.md").unwrap_err();
    assert_eq!(missing.code(), "resource.missing");
    assert_eq!(missing.to_string(), "unknown resource 'nothing.md' for source 'docs.here'");
    for uri in ["guide.md/page", &"x".repeat(300)] {
        assert_eq!(code(&place.reader, uri), "resource.missing", "{uri}");
    }
    symlink("loop", place.root().join("loop")).unwrap();
    let circle = read(&place.reader, "loop").unwrap_err();
    assert_eq!(circle.code(), "resource.not_a_file");
    assert_eq!(circle.to_string(), "resource 'loop' of source 'docs.here' is a circle of links, not a file");
}

#[test]
fn a_uri_that_the_source_does_not_understand_says_what_to_write() {
    let place = Place::new();
    for (uri, problem) in [
        ("gdrive://file/abc", "a file source reads `file` URIs and names relative to its root"),
        ("file://server/share/a", "a `file` URI names no other host; write `file:///path`"),
        ("file://guide.md", "a `file` URI names no other host; write `file:///path`"),
        (
            "file:guide.md",
            "a `file` URI holds an absolute path; write `file:///path`, or the name relative to the root",
        ),
        ("file:///a#b", "a `file` URI has no query and no fragment; write `%3F` or `%23` for these characters"),
        (
            "file:///a%2",
            "a `%` in a `file` URI is followed by two hexadecimal digits; write `%25` for the character itself",
        ),
        ("file:///a%00b", "it holds a NUL character"),
        ("a\0b", "it holds a NUL character"),
    ] {
        let error = read(&place.reader, uri).unwrap_err();
        assert_eq!(error.code(), "resource.uri_invalid", "{uri}");
        assert!(error.to_string().ends_with(&format!(": {problem}")), "{error}");
    }
}

#[test]
fn a_root_that_is_no_directory_is_refused_when_the_source_is_made() {
    let place = Place::new();
    for root in [place.root().join("absent"), place.root().join("guide.md")] {
        let error = FileReader::open(&root).unwrap_err();
        assert_eq!(error.code(), "source.root_unavailable");
        assert!(error.to_string().contains(root.to_str().unwrap()), "{error}");
    }
}

#[test]
fn a_root_that_is_moved_away_stays_the_same_root() {
    let place = Place::new();
    fs::rename(place.root(), place.folder.path().join("moved")).unwrap();
    fs::create_dir(place.root()).unwrap();
    fs::write(place.root().join("guide.md"), "another").unwrap();
    assert_eq!(text(&read(&place.reader, "guide.md").unwrap()), "# Guide");
}

#[test]
fn lists_the_files_in_order_without_hidden_ones_and_without_following_links() {
    let place = Place::new();
    fs::write(place.root().join(".hidden"), "").unwrap();
    symlink("..", place.root().join("up")).unwrap();
    let listing = place.reader.list(100).unwrap();
    let names: Vec<&str> = listing.files.iter().map(|file| &*file.name).collect();
    assert_eq!(names, ["a b%20c.txt", "guide.md", "sub/page.txt"]);
    assert!(!listing.truncated);
    for file in &listing.files {
        assert_eq!(read(&place.reader, &file.uri).unwrap().contents[0].size, Some(file.size));
    }
    let short = place.reader.list(2).unwrap();
    assert_eq!((short.files.len(), short.truncated), (2, true));
}

#[test]
fn awaited_reads_give_what_immediate_reads_give() {
    let place = Place::new();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let request = request("guide.md", chars(3));
    let awaited = runtime.block_on(place.reader.read(&request)).unwrap();
    assert_eq!(awaited, place.reader.read_now(&request).unwrap());
}

proptest! {
    #[test]
    fn no_name_made_of_dots_slashes_and_letters_leads_out(parts in prop::collection::vec("(\\.\\.|\\.|sub|up|guide.md|secret.txt|%2e%2e|root|)", 0..6), prefix in "(file://|/|)") {
        let place = Place::new();
        symlink("..", place.root().join("up")).unwrap();
        let rest = parts.join("/");
        let uri = if prefix.is_empty() { rest } else { format!("{prefix}{}/{rest}", place.reader.root().display()) };
        if let Ok(payload) = read(&place.reader, &uri) {
            let read = text(&payload);
            prop_assert!(["# Guide", "page", "spaces"].contains(&read), "{uri} gave {read}");
        }
    }

    #[test]
    fn pages_of_a_file_put_together_are_the_file(content in "[a-cé\u{20ac}\u{1f600}\n]{0,300}", page in 1_usize..50) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(Path::new(folder.path()).join("text"), &content).unwrap();
        let reader = FileReader::open(folder.path()).unwrap();
        let mut together = String::new();
        let mut offset = 0;
        loop {
            let request = request("text", chars(page).at_offset(offset));
            let output = bound_payload(&reader.read_now(&request).unwrap(), &request, None).unwrap();
            together.push_str(&output.text.unwrap());
            match output.next_offset {
                Some(next) => offset = next,
                None => break,
            }
        }
        prop_assert_eq!(together, content);
    }
}
