//! Loop bodies, branches and gathers: what keeps to its region and what does not.

use std::fmt::Write as _;

use wf_core::document::{Document, Workflow};
use wf_core::validation::{Checks, validate};
use wf_core::value::Value;

/// A workflow in a short notation: `fork:a,b`, `gather:fork`, `foreach`, `join`, `end`, `cond` steps, then edges.
fn workflow(steps: &str, edges: &str) -> Workflow {
    let mut nodes = Vec::new();
    for step in steps.split_whitespace() {
        let (id, kind) = step.split_once('=').expect("id=kind");
        let (kind, rest) = kind.split_once(':').unwrap_or((kind, ""));
        nodes.push(match kind {
            "fork" => {
                let branches: Vec<String> = rest.split(',').map(|branch| format!("\"{branch}\"")).collect();
                format!(r#"{{"id": "{id}", "type": "fork", "branches": [{}]}}"#, branches.join(", "))
            }
            "gather" => {
                let (of, more) = rest.split_once('/').unwrap_or((rest, ""));
                let more = if more.is_empty() { String::new() } else { format!(", {}", more.replace('!', "\"")) };
                format!(r#"{{"id": "{id}", "type": "gather", "of": "{of}"{more}}}"#)
            }
            "foreach" => format!(r#"{{"id": "{id}", "type": "foreach", "over": "input.items", "as": "{id}_item"}}"#),
            "work" => format!(r#"{{"id": "{id}", "type": "node", "node": "demo.work"}}"#),
            "cond" => {
                format!(r#"{{"id": "{id}", "type": "condition", "check": {{"op": "exists", "path": "input.items"}}}}"#)
            }
            kind => format!(r#"{{"id": "{id}", "type": "{kind}"}}"#),
        });
    }
    let start = steps.split('=').next().expect("a first step").to_owned();
    let edges: Vec<String> = edges
        .split_whitespace()
        .map(|edge| {
            let [from, outcome, to] = edge.split(':').collect::<Vec<_>>().try_into().expect("from:outcome:to");
            format!(r#"{{"from": "{from}", "outcome": "{outcome}", "to": "{to}"}}"#)
        })
        .collect();
    let text = format!(
        r#"{{"name": "demo", "input_schema": {{"properties": {{"items": {{"type": "array"}}}}}},
            "state_schema": {{"properties": {{"errors": {{"type": "array"}}, "count": {{"type": "integer"}}}}}}, "output_schema": {{}},
            "node_defs": [{{"name": "demo.work", "input_schema": {{}}, "output_schema": {{}}, "outcomes": ["ok"]}}],
            "start": "{start}", "nodes": [{}], "edges": [{}]}}"#,
        nodes.join(", "),
        edges.join(", ")
    );
    Workflow::parse(&Value::parse_json(&text).unwrap_or_else(|error| panic!("{error} in {text}")))
        .unwrap_or_else(|error| panic!("{error} in {text}"))
}

#[track_caller]
fn finds<const N: usize>(steps: &str, edges: &str, issues: [&str; N]) {
    let report = validate(&workflow(steps, edges), &Checks::default());
    let found: Vec<String> = report.issues.iter().map(ToString::to_string).collect();
    assert_eq!(found, issues);
}

#[test]
fn a_fork_with_a_gather_is_sound() {
    finds(
        "f=fork:a,b l=work r=work g=gather:f after=work",
        "f:a:l f:b:r l:ok:g r:ok:g g:done:after after:ok:__end__",
        [],
    );
}

#[test]
fn branches_may_end_early_lead_straight_to_the_gather_or_share_steps() {
    finds("f=fork:a,b g=gather:f", "f:a:g f:b:__end__ g:done:__end__", []);
    finds("f=fork:a,b x=work g=gather:f", "f:a:x f:b:x x:ok:g g:done:__end__", []);
    finds("f=fork:a,b x=work e=end g=gather:f", "f:a:x f:b:e x:ok:e g:done:e", []);
}

#[test]
fn a_fork_needs_no_gather() {
    finds("f=fork:a,b l=work r=work", "f:a:l f:b:r l:ok:__end__ r:ok:__end__", []);
}

#[test]
fn forks_nest() {
    finds(
        "f=fork:a,b i=fork:c,d x=work y=work ig=gather:i z=work g=gather:f",
        "f:a:i f:b:z i:c:x i:d:y x:ok:ig y:ok:ig ig:done:z z:ok:g g:done:__end__",
        [],
    );
}

#[test]
fn every_branch_needs_an_edge() {
    finds(
        "f=fork:a,b g=gather:f",
        "f:a:g g:done:__end__",
        ["[missing_outcome_edge] nodes[f]: reachable node is missing edges for outcomes ['b']"],
    );
}

#[test]
fn a_gather_names_a_fork() {
    finds("f=fork:a g=gather:fo", "f:a:g g:done:__end__", ["[unknown_fork] nodes[1].of: gather names no fork: 'fo'"]);
    finds("f=work g=gather:f", "f:ok:g g:done:__end__", ["[unknown_fork] nodes[1].of: gather names no fork: 'f'"]);
}

#[test]
fn a_fork_has_one_gather() {
    finds(
        "f=fork:a,b g=gather:f h=gather:f",
        "f:a:g f:b:h g:done:__end__ h:done:__end__",
        ["[duplicate_gather] nodes[2].of: fork 'f' has a gather already, 'g'"],
    );
}

#[test]
fn a_gather_waits_for_at_most_all_branches() {
    finds("f=fork:a,b g=gather:f/!wait!:2", "f:a:g f:b:g g:done:__end__", []);
    finds("f=fork:a,b g=gather:f/!wait!:!any!", "f:a:g f:b:g g:done:__end__", []);
    finds(
        "f=fork:a,b g=gather:f/!wait!:3",
        "f:a:g f:b:g g:done:__end__",
        ["[invalid_gather_wait] nodes[1].wait: gather waits for 3 branches, but fork 'f' has 2"],
    );
}

#[test]
fn a_tolerant_gather_has_an_outcome_for_failures() {
    finds(
        "f=fork:a g=gather:f/!branch_error!:!skip!",
        "f:a:g g:done:__end__",
        ["[missing_outcome_edge] nodes[g]: reachable node is missing edges for outcomes ['completed_with_errors']"],
    );
    finds(
        "f=fork:a g=gather:f/!branch_error!:{!action!:!collect!,!collect_to!:!state.count!}",
        "f:a:g g:done:__end__ g:completed_with_errors:__end__",
        [
            "[invalid_gather_collect_destination] nodes[1].branch_error.collect_to: collect_to must reference a declared array state field",
        ],
    );
}

#[test]
fn only_branches_of_its_fork_reach_a_gather() {
    finds(
        "c=cond f=fork:a g=gather:f",
        "c:true:f c:false:g f:a:g g:done:__end__",
        ["[gather_outside_fork] edges[1].to: gather 'g' is reached by something else than a branch of fork 'f'"],
    );
    finds(
        "f=fork:a,b each=foreach x=work g=gather:f",
        "f:a:each f:b:g each:loop:x each:done:g x:ok:g g:done:__end__",
        ["[gather_outside_fork] edges[4].to: gather 'g' is reached by something else than a branch of fork 'f'"],
    );
    finds(
        "g=gather:f f=fork:a",
        "f:a:g g:done:f",
        [
            "[gather_outside_fork] start: gather 'g' is reached by something else than a branch of fork 'f'",
            "[unreachable_step] nodes[0]: node 'g' is never reached",
            "[unreachable_step] nodes[1]: node 'f' is never reached",
        ],
    );
}

#[test]
fn a_branch_does_not_go_on_behind_its_gather() {
    finds(
        "f=fork:a,b x=work g=gather:f after=work",
        "f:a:x f:b:g x:ok:after g:done:after after:ok:__end__",
        ["[edge_leaves_region] edges[2].to: edge leaves a branch of fork 'f' for node 'after', which lies outside"],
    );
}

#[test]
fn a_branch_is_entered_through_its_fork() {
    finds(
        "c=cond f=fork:a i=fork:b x=work ig=gather:i",
        "c:true:f c:false:i f:a:x i:b:x x:ok:__end__ ig:done:__end__",
        ["[edge_leaves_region] edges[3].to: edge enters a branch of fork 'f' at node 'x' from outside"],
    );
}

#[test]
fn a_branch_that_circles_for_ever_is_an_error() {
    finds(
        "f=fork:a,b x=work y=work g=gather:f",
        "f:a:x f:b:g x:ok:y y:ok:x g:done:__end__",
        [
            "[branch_never_arrives] nodes[1]: from node 'x', a branch of fork 'f' can reach neither its gather nor an end",
        ],
    );
    finds("f=fork:a,b x=cond g=gather:f", "f:a:x f:b:g x:true:x x:false:g g:done:__end__", []);
}

#[test]
fn a_loop_body_ends_at_the_end_and_not_at_its_loop() {
    finds(
        "each=foreach x=work",
        "each:loop:x each:done:__end__ x:ok:each",
        ["[edge_leaves_region] edges[2].to: edge leads from the body of foreach 'each' back to 'each'"],
    );
}

#[test]
fn a_loop_body_does_not_go_on_behind_its_loop() {
    finds(
        "each=foreach x=work after=work",
        "each:loop:x each:done:after x:ok:after after:ok:__end__",
        [
            "[edge_leaves_region] edges[2].to: edge leaves the body of foreach 'each' for node 'after', which lies outside",
        ],
    );
}

#[test]
fn ends_belong_to_everybody() {
    finds("each=foreach x=work j=join e=end", "each:loop:x each:done:j x:ok:j j:done:e", []);
}

#[test]
fn two_loops_may_share_a_body() {
    finds("a=foreach x=work b=foreach", "a:loop:x a:done:b b:loop:x b:done:__end__ x:ok:__end__", []);
}

#[test]
fn loops_and_forks_nest_in_each_other() {
    finds(
        "each=foreach f=fork:a,b inner=foreach x=work g=gather:f y=work",
        "each:loop:f each:done:__end__ f:a:inner f:b:g inner:loop:x inner:done:g x:ok:__end__ g:done:y y:ok:__end__",
        [],
    );
}

/// The processor time this thread has used; other load on the machine must not fail a test.
#[cfg(target_os = "linux")]
#[expect(clippy::disallowed_methods, reason = "a test may look at the clock of its own thread")]
fn used() -> std::time::Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").expect("the kernel counts processor time");
    let nanoseconds = stat.split_whitespace().next().and_then(|count| count.parse().ok());
    std::time::Duration::from_nanos(nanoseconds.expect("a count of nanoseconds"))
}

#[test]
#[cfg(target_os = "linux")]
fn ten_thousand_steps_validate_in_linear_time() {
    let time = |steps: usize| {
        let mut nodes = String::new();
        let mut edges = String::new();
        for index in 0..steps {
            let next = if index + 1 == steps { "__end__".to_owned() } else { format!("n{}", index + 1) };
            write!(nodes, "n{index}=work ").expect("strings take everything");
            write!(edges, "n{index}:ok:{next} ").expect("strings take everything");
        }
        let workflow = workflow(&nodes, &edges);
        let best = (0..5)
            .map(|_| {
                let start = used();
                assert!(validate(&workflow, &Checks::default()).issues.is_empty());
                used().saturating_sub(start)
            })
            .min();
        best.expect("five runs")
    };
    // A few milliseconds in truth; quadratic work over 40,000 steps would take seconds.
    for (steps, limit) in [(10_000, 100), (40_000, 400)] {
        let taken = time(steps);
        assert!(taken.as_millis() < limit, "{steps} steps took {taken:?}");
    }
}
