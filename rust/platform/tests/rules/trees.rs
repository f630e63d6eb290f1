//! Trees of saved workflows: depth, sharing, cycles, what is missing.

use std::collections::BTreeMap;
use std::sync::Arc;

use wf_core::value::Object;
use wf_platform::artifact::{SavedSubgraphTree, WorkflowArtifact, WorkflowCapabilityRef};
use wf_platform::deployment::{SourceBinding, WorkflowDeployment};

use crate::support::{document, object, registry_with};

/// A workflow that runs these children one after the other; each name is a workflow ref.
fn artifact(artifact_id: &str, children: &[String]) -> Arc<WorkflowArtifact> {
    let steps: Vec<String> = children
        .iter()
        .enumerate()
        .map(|(index, child)| {
            format!(r#"{{"id": "s{index}", "type": "subgraph", "workflow": "{child}", "input_schema": {{}}, "output_schema": {{}}}}"#)
        })
        .collect();
    let plan: Object = object(&format!(
        r#"{{"name": "x", "start": "s0", "input_schema": {{}}, "state_schema": {{}}, "output_schema": {{}}, "nodes": [{}], "edges": []}}"#,
        steps.join(",")
    ));
    let base: WorkflowArtifact = document(&format!(
        r#"{{"id": "{artifact_id}", "version": 1, "title": "T", "input_schema": {{}}, "output_schema": {{}}, "outcomes": ["ok"], "plan": {{}},
            "required_capabilities": [{{"ref": "{artifact_id}.x", "kind": "tool"}}]}}"#
    ));
    Arc::new(WorkflowArtifact { plan, ..base })
}

fn refs(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|id| format!("workflow.{id}.v1")).collect()
}

/// The tree below `root` among these workflows.
fn tree(root: &str, workflows: &[(&str, &[&str])]) -> SavedSubgraphTree {
    let saved: BTreeMap<String, Arc<WorkflowArtifact>> =
        workflows.iter().map(|(id, children)| ((*id).to_owned(), artifact(id, &refs(children)))).collect();
    let mut lookup = |reference: &WorkflowCapabilityRef| saved.get(&*reference.artifact_id).cloned();
    SavedSubgraphTree::resolve(&saved[root], &mut lookup)
}

fn seen(tree: &SavedSubgraphTree) -> Vec<String> {
    tree.artifacts().map(|(reference, _)| reference.artifact_id.to_string()).collect()
}

fn codes(tree: &SavedSubgraphTree) -> Vec<(String, String)> {
    tree.diagnostics().iter().map(|one| (one.code.to_string(), one.logical_ref.to_string())).collect()
}

#[test]
fn children_are_found_depth_first_and_each_once() {
    let tree = tree("root", &[("root", &["a", "b"]), ("a", &["c"]), ("b", &["c", "d"]), ("c", &[]), ("d", &[])]);
    assert_eq!(seen(&tree), ["a", "c", "b", "d"]);
    assert_eq!(codes(&tree), []);
}

#[test]
fn a_cycle_is_named_with_its_whole_round() {
    let tree = tree("root", &[("root", &["a"]), ("a", &["b"]), ("b", &["a", "root", "b"])]);
    assert_eq!(seen(&tree), ["a", "b"]);
    let cycle = |id: &str| ("workflow_dependency_cycle".to_owned(), format!("workflow.{id}.v1"));
    assert_eq!(codes(&tree), [cycle("a"), cycle("root"), cycle("b")]);
    assert!(tree.diagnostics()[0].message.contains("`workflow.a.v1` runs `workflow.b.v1` runs `workflow.a.v1`"));
}

#[test]
fn a_missing_child_is_named_once_and_the_rest_is_still_seen() {
    let tree = tree("root", &[("root", &["gone", "a"]), ("a", &["gone"])]);
    assert_eq!(seen(&tree), ["a"]);
    assert_eq!(codes(&tree), [("workflow_dependency_missing".to_owned(), "workflow.gone.v1".to_owned())]);
}

#[test]
fn a_child_by_name_cannot_be_found() {
    let root = artifact("root", &["child".to_owned()]);
    let tree = SavedSubgraphTree::resolve(&root, &mut |_| panic!("there is nothing to look up"));
    assert_eq!(codes(&tree), [("workflow_dependency_missing".to_owned(), "child".to_owned())]);
}

#[test]
fn a_long_chain_needs_no_deep_stack() {
    let chain = |id: usize| artifact(&format!("w{id}"), &refs(&[&format!("w{}", id + 1)]));
    let tree = SavedSubgraphTree::resolve(&chain(0), &mut |reference| {
        let id: usize = reference.artifact_id[1..].parse().expect("a number");
        (id < 5_000).then(|| chain(id))
    });
    assert_eq!(tree.artifacts().len(), 4_999);
    assert_eq!(codes(&tree), [("workflow_dependency_missing".to_owned(), "workflow.w5000.v1".to_owned())]);
}

#[test]
fn d24_requirements_of_children_are_checked_under_the_same_deployment() {
    let tree = tree("root", &[("root", &["a", "b"]), ("a", &[]), ("b", &[])]);
    let deployment = WorkflowDeployment {
        bindings: vec![SourceBinding { logical_source: "a".into(), concrete_source: "nowhere".into() }],
        ..document(r#"{"id": "d", "artifact_id": "root", "artifact_version": 1}"#)
    };
    let found: Vec<(String, String)> = tree
        .validate(&deployment, &*registry_with(vec![]).snapshot())
        .iter()
        .map(|one| (one.code.to_string(), one.logical_ref.to_string()))
        .collect();
    assert_eq!(
        found,
        [("source_missing".to_owned(), "a.x".to_owned()), ("binding_missing".to_owned(), "b.x".to_owned())]
    );
}

#[test]
fn snapshots_that_were_kept_together_make_a_tree_without_looking_anything_up() {
    let tree = SavedSubgraphTree::of_snapshots([artifact("a", &[]), artifact("b", &[])]);
    assert_eq!((seen(&tree), codes(&tree)), (vec!["a".to_owned(), "b".to_owned()], vec![]));
}
