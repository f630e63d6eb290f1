//! The registry: ids, lookups, changes and consistent snapshots.

#![expect(clippy::disallowed_types, clippy::disallowed_methods, reason = "these tests are about several threads")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use wf_platform::capability::{CapabilityBuckets, CapabilityKind};
use wf_platform::registry::{Change, SourceRegistry};
use wf_platform::source::{SourceHealth, SourceKind, SourceOverrides, SourceState, SourceVisibility};
use wf_platform::{PlatformError, SourceId};

use crate::support::{Secret, Source, add_reducer, add_tool, id, source};

fn registry(ids: &[&str]) -> SourceRegistry<Secret> {
    let registry = SourceRegistry::new();
    for text in ids {
        registry.add(source(text)).expect("a source");
    }
    registry
}

fn code(result: Result<(), PlatformError>) -> &'static str {
    result.expect_err("a refusal").code()
}

#[test]
fn source_ids_follow_their_grammar() {
    for good in ["a", "wf.std", "drive.personal", "_x.y-z", "0.1", "A.b.C"] {
        assert_eq!(SourceId::parse(good).map(|id| id.to_string()).as_deref(), Ok(good));
    }
    for bad in ["", ".", "a.", ".a", "a..b", "-a", "a b", "a/b", "dr\u{456}ve.personal", "a\n", &"x".repeat(201)] {
        let error = SourceId::parse(bad).expect_err(bad);
        assert_eq!(error.code(), "source.bad_id");
        assert!(error.to_string().starts_with("source id must start with alphanumeric or underscore"), "{error}");
    }
    assert!(SourceId::parse("dr\u{456}ve").expect_err("a letter").to_string().contains("U+0456"));
}

#[test]
fn d26_every_id_under_wf_is_reserved() {
    let registry = SourceRegistry::new();
    for reserved in ["wf", "wf.std", "wf.admin", "wf.anything.at.all", "WF.std", "vvf.std", "workflow", "workflow.x"] {
        let error = registry.add(source(reserved)).expect_err(reserved);
        assert_eq!(error.code(), "source.reserved_id", "{reserved}");
        assert!(error.to_string().contains("is reserved"));
    }
    registry.add(source("wfx.std")).expect("only the segment `wf` is reserved");
    let system = Source::new(id("wf.std"), SourceKind::System);
    registry.add_builtin(system.clone()).expect("the platform may");
    assert_eq!(code(registry.add_builtin(system)), "source.duplicate_id");
    assert_eq!(code(registry.add_builtin(source("wf.mcp"))), "source.not_a_system_id");
    assert_eq!(code(registry.add_builtin(Source::new(id("acme.std"), SourceKind::System))), "source.not_a_system_id");
}

#[test]
fn ids_that_look_alike_do_not_live_side_by_side() {
    let pairs = [
        ("drive.personal", "Drive.Personal"),
        ("db.l", "db.1"),
        ("db.l", "db.I"),
        ("node.o", "node.0"),
        ("corn.x", "com.x"),
        ("my-drive.x", "my_drive.x"),
    ];
    for (first, second) in pairs {
        for (first, second) in [(first, second), (second, first)] {
            let registry = registry(&[first]);
            let error = registry.add(source(second)).expect_err(second);
            assert_eq!(error.code(), "source.colliding_id");
            assert!(error.to_string().contains(first) && error.to_string().contains(second));
            registry.remove(first).expect("it is there");
            registry.add(source(second)).expect("the other one is gone");
        }
    }
    registry(&["mail.work", "mall.work", "drive.a", "drive.b"]);
}

#[test]
fn d22_a_capability_belongs_to_the_source_with_the_longest_matching_id() {
    let registry = SourceRegistry::new();
    let mut buckets = CapabilityBuckets::default();
    add_tool(&mut buckets, &id("ops"), "foo.bar");
    add_tool(&mut buckets, &id("ops"), "team.run");
    registry.add(Source::new(id("ops"), SourceKind::Python).with_capabilities(buckets)).expect("dots are fine");

    let snapshot = registry.snapshot();
    let found = snapshot.tool("ops.foo.bar").expect("owned by `ops`");
    assert_eq!((found.entry.id().as_str(), found.local_name), ("ops", "foo.bar"));
    assert!(snapshot.shadowed("ops").is_empty());

    registry.add(source("ops.team")).expect("another source");
    let snapshot = registry.snapshot();
    assert_eq!(
        snapshot.owner("ops.team.run").map(|(owner, local)| (owner.id().as_str(), local)),
        Some(("ops.team", "run"))
    );
    assert!(snapshot.tool("ops.team.run").is_err(), "the owner has no such tool, and nobody else stands in");
    assert_eq!(snapshot.shadowed("ops"), ["ops.team.run".into()]);
    assert!(snapshot.owner("ops").is_none() && snapshot.owner("ops.").is_none() && snapshot.owner("").is_none());
}

#[test]
fn a_capability_must_be_named_under_its_source() {
    let registry = SourceRegistry::new();
    let mut buckets = CapabilityBuckets::default();
    add_reducer(&mut buckets, &id("other"), "sum");
    let error =
        registry.add(Source::new(id("ops"), SourceKind::Python).with_capabilities(buckets)).expect_err("foreign");
    assert_eq!(
        (error.code(), error.hint().as_deref()),
        ("source.foreign_capability", Some("its name must start with `ops.`"))
    );
}

#[test]
fn unknown_names_come_with_the_nearest_ones() {
    let registry = registry(&["drive.personal", "drive.work", "mail.home"]);
    let snapshot = registry.snapshot();
    let error = snapshot.require("drive.personel").expect_err("a slip");
    assert_eq!(error.to_string(), "unknown source 'drive.personel'");
    assert_eq!(error.hint().as_deref(), Some("did you mean `drive.personal`?"));
    let error = snapshot.tool("drive.work.ehco").expect_err("a slip");
    assert_eq!(
        (error.code(), error.hint().as_deref()),
        ("capability.unknown", Some("did you mean `drive.work.echo`?"))
    );
    let error = snapshot.reducer("mail.home.echo").expect_err("a tool, not a reducer");
    assert_eq!(error.hint(), None);
    assert!(snapshot.tool("").is_err());
}

#[test]
fn enabling_and_disabling_overrides_the_provider_and_survives_removal() {
    let registry = registry(&["drive.personal"]);
    registry.disable("drive.personal").expect("known");
    let entry = registry.snapshot().require("drive.personal").expect("known").clone();
    assert!(!entry.source().is_enabled() && entry.declared().is_enabled());
    assert_eq!(entry.state(0), SourceState::Disabled);

    registry.replace(source("drive.personal")).expect("a refresh");
    registry.remove("drive.personal").expect("known");
    assert_eq!(registry.snapshot().all_overrides().count(), 1, "a source that vanished keeps its policy");
    registry.add(source("drive.personal")).expect("it came back");
    assert!(!registry.snapshot().require("drive.personal").expect("known").source().is_enabled());
    registry.enable("drive.personal").expect("known");
    assert!(registry.snapshot().require("drive.personal").expect("known").source().is_enabled());
    assert_eq!(code(registry.enable("nobody")), "source.unknown");
}

#[test]
fn overrides_may_come_before_their_source() {
    let registry = SourceRegistry::new();
    let hidden = SourceVisibility { planner: false, ..SourceVisibility::EVERYWHERE };
    let overrides = SourceOverrides { visibility: Some(hidden), ..SourceOverrides::default() };
    registry.set_overrides(&id("drive.personal"), overrides).expect("an id that is not there yet");
    registry.add(source("drive.personal")).expect("a source");
    assert_eq!(registry.snapshot().require("drive.personal").expect("known").source().visibility(), hidden);
    registry.set_overrides(&id("drive.personal"), SourceOverrides::default()).expect("back to the provider's");
    assert_eq!(registry.snapshot().all_overrides().count(), 0);
}

#[test]
fn the_source_that_enables_sources_cannot_be_disabled() {
    let registry = SourceRegistry::<Secret>::new();
    registry.add_builtin(Source::new(id("wf.admin"), SourceKind::System)).expect("the platform may");
    assert_eq!(code(registry.disable("wf.admin")), "source.cannot_disable");
    let off = SourceOverrides { enabled: Some(false), ..SourceOverrides::default() };
    assert_eq!(code(registry.set_overrides(&id("wf.admin"), off)), "source.cannot_disable");
}

#[test]
fn health_becomes_a_state_with_an_age() {
    let registry = registry(&["a.b"]);
    let state = |health, now| {
        registry.set_health("a.b", health).expect("known");
        registry.snapshot().require("a.b").expect("known").state(now)
    };
    let snapshot = SourceHealth::Snapshot { fetched_at: 1_000, max_age: 500 };
    assert_eq!(state(snapshot.clone(), 1_500), SourceState::Ok);
    assert_eq!(state(snapshot.clone(), 1_501), SourceState::Stale { age: 501 });
    assert_eq!(state(snapshot, 10), SourceState::Ok, "a clock that went back");
    let failed = SourceHealth::Failed { error: "refused".into(), at: 9, fetched_at: Some(4) };
    assert_eq!(state(failed, 10), SourceState::Failed { error: "refused".into(), age: Some(6) });
    assert_eq!(state(SourceHealth::NeverConnected, 10), SourceState::NeverConnected);
}

#[test]
fn subscribers_hear_every_change_in_order_and_may_change_things_themselves() {
    let registry = Arc::new(SourceRegistry::<Secret>::new());
    let heard = Arc::new(Mutex::new(Vec::new()));
    let subscription = {
        let (registry, heard) = (Arc::downgrade(&registry), Arc::clone(&heard));
        registry.upgrade().expect("alive").subscribe(Arc::new(move |change: &Change<Secret>| {
            heard.lock().expect("no panic").push((change.revision(), change.kind().as_str(), change.id().to_string()));
            if change.kind().as_str() == "added" {
                registry.upgrade().expect("alive").disable(change.id().as_str()).expect("known");
            }
        }))
    };
    registry.add(source("a.b")).expect("a source");
    registry.disable("a.b").expect("nothing to do");
    registry.remove("a.b").expect("known");
    assert!(registry.unsubscribe(subscription) && !registry.unsubscribe(subscription));
    registry.add(source("a.b")).expect("a source");
    let told = heard.lock().expect("no panic").clone();
    let told: Vec<_> = told.iter().map(|(revision, kind, id)| (*revision, *kind, id.as_str())).collect();
    assert_eq!(told, [(1, "added", "a.b"), (2, "disabled", "a.b"), (3, "removed", "a.b")]);
}

#[test]
fn a_change_says_what_it_did_to_the_catalog() {
    let registry = registry(&["a.b"]);
    let diffs = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&diffs);
    registry
        .subscribe(Arc::new(move |change: &Change<Secret>| sink.lock().expect("no panic").push(change.catalog_diff())));
    let mut buckets = CapabilityBuckets::default();
    add_tool(&mut buckets, &id("a.b"), "new");
    registry.replace(source("a.b").with_capabilities(buckets)).expect("known");
    registry.disable("a.b").expect("known");
    let diffs = diffs.lock().expect("no panic");
    assert_eq!(
        (diffs[0].tools.added.as_slice(), diffs[0].tools.removed.as_slice()),
        (&["a.b.new".into()][..], &["a.b.echo".into()][..])
    );
    assert_eq!(diffs[0].reducers.removed, ["a.b.sum".into()]);
    assert!(diffs[1].is_empty());
}

#[test]
fn a_snapshot_is_consistent_while_others_write() {
    let registry = Arc::new(registry(&["left.x", "right.x"]));
    let stop = Arc::new(AtomicBool::new(false));
    // The writer keeps the two sources alike by replacing both through one subscriber-free sequence: left first.
    let writer = {
        let (registry, stop) = (Arc::clone(&registry), Arc::clone(&stop));
        std::thread::spawn(move || {
            for _ in 0..500 {
                registry.disable("left.x").expect("known");
                registry.disable("right.x").expect("known");
                registry.enable("left.x").expect("known");
                registry.enable("right.x").expect("known");
            }
            stop.store(true, Ordering::Release);
        })
    };
    let mut last = 0;
    while !stop.load(Ordering::Acquire) {
        let snapshot = registry.snapshot();
        let seen = |id: &str| snapshot.require(id).expect("known").source().is_enabled();
        // Within one snapshot the answers never change, and the states follow the writer's order of four revisions.
        let states = (seen("left.x"), seen("right.x"));
        assert_eq!(states, (seen("left.x"), seen("right.x")));
        let expected = [(true, true), (false, true), (false, false), (true, false)]
            [usize::try_from(snapshot.revision() - 2).expect("few") % 4];
        assert_eq!(states, expected);
        assert!(snapshot.revision() >= last);
        last = snapshot.revision();
    }
    writer.join().expect("no panic");
}

#[test]
fn writers_on_several_threads_lose_nothing() {
    let registry = Arc::new(SourceRegistry::<Secret>::new());
    let heard = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&heard);
    registry.subscribe(Arc::new(move |change: &Change<Secret>| sink.lock().expect("no panic").push(change.revision())));
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let registry = &registry;
            scope.spawn(move || {
                for number in 0..50 {
                    registry.add(source(&format!("t{thread}.n{}x", "z".repeat(number)))).expect("a new id");
                }
            });
        }
    });
    assert_eq!(registry.snapshot().len(), 200);
    assert_eq!(*heard.lock().expect("no panic"), (1..=200).collect::<Vec<u64>>());
}

#[derive(Clone, Debug)]
enum Act {
    Add(String),
    Remove(String),
    Replace(String),
    Enable(String),
    Disable(String),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let name = "[ab](\\.[ab]){0,2}";
    let act = prop_oneof![
        name.prop_map(Act::Add),
        name.prop_map(Act::Remove),
        name.prop_map(Act::Replace),
        name.prop_map(Act::Enable),
        name.prop_map(Act::Disable),
    ];
    prop::collection::vec(act, 0..60)
}

proptest! {
    #[test]
    fn the_registry_behaves_like_a_sorted_map(acts in acts()) {
        let registry = SourceRegistry::<Secret>::new();
        let mut model = std::collections::BTreeMap::<String, bool>::new();
        let mut remembered = std::collections::BTreeMap::<String, bool>::new();
        for act in acts {
            match act {
                Act::Add(id) => {
                    prop_assert_eq!(registry.add(source(&id)).is_ok(), !model.contains_key(&id));
                    let enabled = remembered.get(&id).copied().unwrap_or(true);
                    model.entry(id).or_insert(enabled);
                }
                Act::Remove(id) => prop_assert_eq!(registry.remove(&id).is_ok(), model.remove(&id).is_some()),
                Act::Replace(id) => prop_assert_eq!(registry.replace(source(&id)).is_ok(), model.contains_key(&id)),
                Act::Enable(id) | Act::Disable(id) if !model.contains_key(&id) => {
                    prop_assert_eq!(code(registry.enable(&id)), "source.unknown");
                }
                Act::Enable(id) => {
                    prop_assert!(registry.enable(&id).is_ok());
                    remembered.insert(id.clone(), true);
                    model.insert(id, true);
                }
                Act::Disable(id) => {
                    prop_assert!(registry.disable(&id).is_ok());
                    remembered.insert(id.clone(), false);
                    model.insert(id, false);
                }
            }
            let snapshot = registry.snapshot();
            let seen: Vec<(String, bool)> =
                snapshot.iter().map(|entry| (entry.id().to_string(), entry.source().is_enabled())).collect();
            prop_assert_eq!(seen, model.iter().map(|(id, enabled)| (id.clone(), *enabled)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_owner_is_the_longest_prefix(ids in prop::collection::btree_set("[ab](\\.[ab]){0,2}", 0..8), name in "[ab](\\.[ab]){0,4}") {
        let registry = SourceRegistry::<Secret>::new();
        for id in &ids {
            registry.add(source(id)).expect("a new id");
        }
        let snapshot = registry.snapshot();
        let expected = ids.iter().filter(|id| name.starts_with(&format!("{id}."))).max_by_key(|id| id.len());
        prop_assert_eq!(snapshot.owner(&name).map(|(owner, _)| owner.id().to_string()), expected.cloned());
    }

    #[test]
    fn reading_an_id_never_panics(text in ".{0,40}") {
        let _ = SourceId::parse(&text);
    }
}

#[test]
fn manuals_of_the_platform_may_be_named_after_what_they_explain() {
    use wf_platform::capability::{Entry, ResourceContract};
    let mut buckets = CapabilityBuckets::default();
    buckets.resources.insert("wf.skills.start", Entry::contract_only(ResourceContract::default()));
    let registry = registry(&["a.b"]);
    registry
        .add_builtin(Source::new(id("wf.docs"), SourceKind::System).with_capabilities(buckets))
        .expect("the platform may");
    let snapshot = registry.snapshot();
    assert_eq!(snapshot.resource("wf.skills.start").expect("found").entry.id().as_str(), "wf.docs");
    assert_eq!(snapshot.resource("wf.skills.stop").expect_err("unknown").code(), "capability.unknown");
    assert!(
        snapshot
            .get("wf.docs")
            .expect("known")
            .source()
            .capabilities()
            .contains(CapabilityKind::Resource, "wf.skills.start")
    );
}
