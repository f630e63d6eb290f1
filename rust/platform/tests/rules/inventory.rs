//! Statuses, inventories and paging.

use proptest::prelude::*;
use wf_core::document::Document;
use wf_platform::capability::CapabilityBuckets;
use wf_platform::inventory::{SourcePage, SourceStatus, inspect_source, list_sources};
use wf_platform::page::{page_items, page_range};
use wf_platform::registry::SourceRegistry;
use wf_platform::source::{SourceKind, SourcePermissions, SourcePolicy, SourceVisibility};

use crate::support::{Secret, Source, add_reducer, id, source};

fn json(document: &impl Document) -> String {
    document.dump().to_json()
}

fn std_source() -> Source {
    let std = id("wf.std");
    let mut buckets = CapabilityBuckets::default();
    for name in ["set_union", "replace", "append", "max", "merge_object", "add"] {
        add_reducer(&mut buckets, &std, name);
    }
    Source::new(std, SourceKind::System)
        .with_capabilities(buckets)
        .with_visibility(SourceVisibility::EVERYWHERE)
        .with_permissions(SourcePermissions { safe_for_workflow: true, ..SourcePermissions::default() })
        .with_policy(SourcePolicy::Platform)
        .with_description("The standard library.")
}

#[test]
fn a_status_has_the_documented_shape() {
    let expected = concat!(
        r#"{"id":"wf.std","kind":"system","enabled":true,"#,
        r#""visibility":{"planner":true,"client":true,"admin_dashboard":true},"#,
        r#""permissions":{"safe_for_workflow":true,"calls_upstream":false,"mutates_config":false,"mutates_auth":false},"#,
        r#""policy":{"platform":true,"binding_required":false},"description":"The standard library.","#,
        r#""tool_count":0,"node_spec_count":0,"reducer_count":6,"prompt_count":0,"resource_count":0,"#,
        r#""preview":{"tools":[],"node_specs":[],"reducers":["wf.std.add","wf.std.append","wf.std.max"],"prompts":[],"resources":[]},"#,
        r#""has_more":{"tools":false,"node_specs":false,"reducers":true,"prompts":false,"resources":false}}"#,
    );
    assert_eq!(json(&SourceStatus::of(&std_source())), expected);
}

#[test]
fn an_inventory_adds_contracts_and_never_a_handle() {
    let registry = SourceRegistry::<Secret>::new();
    registry.add_builtin(std_source()).expect("the platform may");
    registry.add(source("a.b")).expect("a source");
    let snapshot = registry.snapshot();
    let found = snapshot.reducer("wf.std.add").expect("known");
    assert_eq!(found.capability.handle().map(|secret| secret.0), Some("reducer handle"), "the handle is there");
    let inventory = json(&inspect_source(&snapshot, "wf.std").expect("known"));
    assert!(inventory.contains(
        r#""reducer_details":[{"name":"wf.std.add","ref":{"source":"wf.std","capability_key":"add"},"description":null,"config_schema":{}},"#
    ), "{inventory}");
    let all = inventory + &json(&inspect_source(&snapshot, "a.b").expect("known"));
    assert!(!all.contains("handle"));
    assert_eq!(inspect_source(&snapshot, "a.c").expect_err("unknown").to_string(), "unknown source 'a.c'");
}

#[test]
fn sources_are_listed_by_id_in_pages_with_disabled_and_hidden_ones() {
    let registry = SourceRegistry::<Secret>::new();
    for name in ["c.x", "a.x", "b.x"] {
        registry.add(source(name).with_visibility(SourceVisibility::default())).expect("a source");
    }
    registry.disable("b.x").expect("known");
    let snapshot = registry.snapshot();
    let first = list_sources(&snapshot, None, 2).expect("a page");
    let ids = |page: &SourcePage| -> Vec<String> { page.sources.iter().map(|row| row.id.to_string()).collect() };
    assert_eq!(ids(&first), ["a.x", "b.x"]);
    assert_eq!((first.next_cursor.as_deref(), first.total), (Some("2"), 3));
    let second = list_sources(&snapshot, Some("2"), 2).expect("a page");
    assert_eq!((ids(&second), second.next_cursor), (vec!["c.x".to_owned()], None));
}

#[test]
fn bad_pages_are_refused_each_with_its_own_code() {
    let code = |cursor, limit| page_range(10, cursor, limit).expect_err("bad").code();
    assert_eq!(code(None, 0), "page.limit_out_of_range");
    assert_eq!(code(None, -5), "page.limit_out_of_range");
    assert_eq!(code(Some("-1"), 5), "page.negative_cursor");
    for foreign in ["", "x", "1.5", "0x1", "١", "--1", "1 2"] {
        assert_eq!(code(Some(foreign), 5), "page.foreign_cursor", "{foreign}");
    }
    assert_eq!(page_range(10, Some("99999999999999999999999"), 5), Ok((10..10, None)));
    assert_eq!(page_range(10, Some("-0"), i64::MAX), Ok((0..10, None)));
}

proptest! {
    #[test]
    fn following_the_cursors_visits_every_item_once(total in 0_usize..200, limit in 1_i64..50) {
        let items: Vec<usize> = (0..total).collect();
        let mut seen = Vec::new();
        let mut cursor = None;
        loop {
            let page = page_items(&items, cursor.as_deref(), limit).expect("a page");
            prop_assert_eq!(page.total, total);
            seen.extend(page.items);
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        prop_assert_eq!(seen, items);
    }

    #[test]
    fn any_cursor_gives_a_page_or_an_error(cursor in ".{0,30}", limit in any::<i64>()) {
        let _ = page_range(10, Some(&cursor), limit);
    }
}
