//! Laws of every run, tried on random workflows: the order in which calls finish does not matter, a snapshot loses
//! nothing, a journal leads to the same bytes, and nothing that comes in breaks a run.

mod support;

use std::sync::Arc;

use proptest::prelude::*;
use support::object;
use support::random::{Block, Sketch, answer, input, merge, plan_of, sketch, sketch_without_races};
use wf_core::plan::Plan;
use wf_core::run::{Call, CallError, CallId, CallResult, Effect, Event, Reduce, Run, RunStatus, StartOptions};
use wf_core::value::{Object, Value};

/// What a test does to a run between events.
#[derive(Clone, Copy, PartialEq)]
enum Between {
    Nothing,
    /// Replace the run by what its snapshot holds.
    Restore,
}

/// A run that was driven to its end, with the events that led there.
struct Driven {
    run: Run,
    events: Vec<Event>,
}

fn options() -> StartOptions {
    StartOptions { max_steps: Some(5_000), ..StartOptions::default() }
}

/// Drives a run; `pick` chooses which of the calls in flight is answered next.
fn drive(plan: &Arc<Plan>, mut pick: impl FnMut(usize) -> usize, between: Between) -> Driven {
    let mut run = Run::start(Arc::clone(plan), input(), options());
    let mut events = vec![Event::Start { input: input(), options: options() }];
    let mut waiting: Vec<Asked> = Vec::new();
    let mut now = 0;
    loop {
        let event = match run.poll() {
            Effect::Call(call) => {
                waiting.push(Asked::Call(call));
                continue;
            }
            Effect::Reduce(reduce) => {
                waiting.push(Asked::Merge(reduce));
                continue;
            }
            Effect::Cancel(gone) => {
                waiting.retain(|asked| asked.id() != gone);
                continue;
            }
            Effect::Idle { .. } => {
                now += 1;
                waiting.remove(pick(waiting.len())).answered(now)
            }
            Effect::Wait { until } => {
                now = now.max(until);
                Event::Tick { now }
            }
            Effect::Interrupted => resume(now),
            _ => return Driven { run, events },
        };
        run.apply(event.clone()).unwrap_or_else(|error| panic!("{error}: {event:?}"));
        events.push(event);
        if between == Between::Restore {
            let snapshot = run.snapshot().to_json();
            let value = Value::parse_json(&snapshot).expect("a snapshot is JSON");
            let restored = Run::restore(Arc::clone(plan), &value).unwrap_or_else(|error| panic!("{error}\n{snapshot}"));
            assert_eq!(restored.snapshot().to_json(), snapshot);
            run = restored;
            // A restarted driver has nothing in flight; what still matters is asked for again.
            waiting.clear();
        }
    }
}

/// What a run has asked for.
enum Asked {
    Call(Call),
    Merge(Reduce),
}

impl Asked {
    fn id(&self) -> CallId {
        match self {
            Self::Call(call) => call.id,
            Self::Merge(reduce) => reduce.id,
        }
    }

    fn answered(self, now: u64) -> Event {
        match self {
            Self::Call(call) => Event::Resolve { call: call.id, result: answer(&call), now },
            Self::Merge(reduce) => {
                let merged = reduce.folds.iter().map(merge).collect();
                Event::ResolveReduce { reduce: reduce.id, merged, now }
            }
        }
    }
}

fn resume(now: u64) -> Event {
    Event::Resume { interrupt: None, outcome: "submitted".into(), payload: object(r#"{"sum": 2}"#), now }
}

/// Everything about a run's end that must not depend on who was faster.
fn result(run: &Run) -> (RunStatus, Option<Arc<str>>, String, String) {
    let mut state = run.state();
    // Of several steps of one item or branch that fail, the first to fail is the one that is told of.
    let errors = state.get("errors").and_then(Value::as_list).cloned().unwrap_or_default();
    let records = errors.iter().filter_map(Value::as_object).map(|record| {
        let told = |key: &str| matches!(key, "node_id" | "message");
        Value::Object(
            record.iter().filter(|(key, _)| !told(key)).map(|(key, value)| (key.clone(), value.clone())).collect(),
        )
    });
    state.insert("errors", Value::List(records.collect()));
    (run.status(), run.outcome().cloned(), run.output().clone().to_json(), state.to_json())
}

trait ToJson {
    fn to_json(self) -> String;
}

impl ToJson for Object {
    fn to_json(self) -> String {
        Value::Object(self).to_json()
    }
}

/// Choices from a seed.
fn choices(mut seed: u64) -> impl FnMut(usize) -> usize {
    move |count| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((seed >> 33) % count as u64).unwrap_or(0)
    }
}

/// A run that stands somewhere in the middle.
fn somewhere(plan: &Arc<Plan>, events: &[Event], at: usize) -> Run {
    let count = 1 + at % events.len();
    Run::replay(Arc::clone(plan), events[..count].iter().cloned()).expect("events of a run fit")
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_in_which_calls_finish_changes_nothing_but_the_trace(sketch in sketch_without_races(), seed in any::<u64>()) {
        let plan = plan_of(&sketch);
        let first = drive(&plan, |_| 0, Between::Nothing);
        let last = drive(&plan, |count| count - 1, Between::Nothing);
        let any = drive(&plan, choices(seed), Between::Nothing);
        prop_assert_eq!(result(&first.run), result(&last.run));
        prop_assert_eq!(result(&first.run), result(&any.run));
    }

    #[test]
    fn a_snapshot_and_restore_after_any_event_changes_nothing(sketch in sketch(), seed in any::<u64>()) {
        let plan = plan_of(&sketch);
        let straight = drive(&plan, choices(seed), Between::Nothing);
        let restored = drive(&plan, choices(seed), Between::Restore);
        prop_assert_eq!(straight.run.snapshot().to_json(), restored.run.snapshot().to_json());
    }

    #[test]
    fn replaying_the_events_gives_the_same_bytes(sketch in sketch(), seed in any::<u64>()) {
        let plan = plan_of(&sketch);
        let driven = drive(&plan, choices(seed), Between::Nothing);
        let read = driven.events.iter().map(|event| {
            let text = event.to_value().to_json();
            Event::from_value(&Value::parse_json(&text).expect("an event is JSON")).expect("an event reads back")
        });
        let replayed = Run::replay(Arc::clone(&plan), read).expect("a journal replays");
        prop_assert_eq!(replayed.snapshot().to_json(), driven.run.snapshot().to_json());
    }

    #[test]
    fn a_failed_run_is_retried_from_where_it_stands(sketch in sketch(), seed in any::<u64>()) {
        let plan = plan_of(&sketch);
        let mut run = drive(&plan, choices(seed), Between::Nothing).run;
        if run.status() == RunStatus::Failed {
            let entries = run.trace().len();
            run.retry(100_000).expect("a failed run takes a retry");
            // Whoever failed stands at its step again, and nothing before it is executed again.
            let failed_again = run.trace().iter().skip(entries).all(|entry| entry.error.is_none())
                || run.status() == RunStatus::Failed;
            prop_assert!(failed_again);
            prop_assert!(run.status() != RunStatus::Running || run.in_flight() > 0 || run.ready().next().is_some());
        }
    }

    #[test]
    fn any_event_is_accepted_or_refused_without_a_change(
        sketch in sketch(),
        at in any::<usize>(),
        events in prop::collection::vec(any_event(), 1..12),
    ) {
        let plan = plan_of(&sketch);
        let driven = drive(&plan, |_| 0, Between::Nothing);
        let mut run = somewhere(&plan, &driven.events, at);
        for event in events {
            let before = run.snapshot().to_json();
            if run.apply(event).is_err() {
                prop_assert_eq!(run.snapshot().to_json(), before);
            }
            while matches!(run.poll(), Effect::Call(_) | Effect::Reduce(_) | Effect::Cancel(_)) {}
            let _ = (run.trace().iter().count(), run.frames().count(), run.lineages().count(), run.interrupt());
        }
    }

    #[test]
    fn a_damaged_snapshot_is_refused_or_runs_on_without_breaking(
        sketch in sketch(),
        at in any::<usize>(),
        damages in prop::collection::vec((any::<u64>(), damage()), 1..4),
    ) {
        let plan = plan_of(&sketch);
        let driven = drive(&plan, |_| 0, Between::Nothing);
        let run = somewhere(&plan, &driven.events, at);
        let mut snapshot = run.snapshot();
        for (place, damage) in damages {
            snapshot = damaged(&snapshot, place, &damage);
        }
        if let Ok(mut run) = Run::restore(Arc::clone(&plan), &snapshot) {
            run_on(&mut run);
        }
    }
}

/// Drives a run for a while, whatever state it is in.
fn run_on(run: &mut Run) {
    for now in 1..200 {
        let event = match run.poll() {
            Effect::Call(call) => Asked::Call(call).answered(now),
            Effect::Reduce(reduce) => Asked::Merge(reduce).answered(now),
            Effect::Interrupted => resume(now),
            Effect::Failed => Event::Retry { now },
            Effect::Wait { .. } | Effect::Idle { .. } => Event::Tick { now: now * 100_000 },
            Effect::Cancel(_) => continue,
            _ => break,
        };
        let _ = run.apply(event);
        let _ = run.snapshot();
    }
    let _ = (run.trace().iter().count(), run.frames().count(), run.scopes().count(), run.interrupt(), run.error());
}

fn any_event() -> impl Strategy<Value = Event> {
    let call = (0_u64..12).prop_map(CallId::new);
    let result = prop_oneof![
        4 => (0_i64..9).prop_map(|sum| {
            let output = object(&format!(r#"{{"sum": {sum}, "log": "x", "turn": {sum}}}"#));
            CallResult::Returned(support::result("ok", output))
        }),
        1 => Just(CallResult::Returned(support::result("maybe", Object::new()))),
        1 => Just(CallResult::Returned(support::result("ok", Object::new()))),
        1 => Just(CallResult::Failed(CallError::new("ValueError", "no"))),
        1 => Just(CallResult::TimedOut),
        1 => Just(CallResult::Cancelled),
    ];
    let now = 0_u64..1_000;
    prop_oneof![
        8 => (call.clone(), result, now.clone()).prop_map(|(call, result, now)| Event::Resolve { call, result, now }),
        2 => (call, now.clone()).prop_map(|(reduce, now)| Event::ResolveReduce { reduce, merged: vec![Ok(Value::from(3_i64))], now }),
        2 => now.clone().prop_map(resume),
        1 => now.clone().prop_map(|now| Event::Resume {
            interrupt: Some("interrupt:ask1".into()), outcome: "maybe".into(), payload: Object::new(), now,
        }),
        1 => now.clone().prop_map(|now| Event::Cancel { reason: "enough".into(), now }),
        2 => now.clone().prop_map(|now| Event::Retry { now }),
        2 => now.prop_map(|now| Event::Tick { now }),
        1 => Just(Event::Start { input: Object::new(), options: StartOptions::default() }),
    ]
}

/// What happens to one place of a document.
#[derive(Clone, Debug)]
enum Damage {
    Put(Value),
    Remove,
    Repeat,
    Add(i64),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        Just(Damage::Remove),
        Just(Damage::Repeat),
        (-2_i64..3).prop_map(Damage::Add),
        prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-1_i64..6).prop_map(Value::from),
            Just(Value::from(i64::MAX)),
            Just(Value::from("pending")),
            Just(Value::from("running")),
            Just(Value::from("failed")),
            Just(Value::from("completed")),
            Just(Value::Object(Object::new())),
            Just(Value::List(Vec::new().into())),
        ]
        .prop_map(Damage::Put),
    ]
}

/// A copy of a document with one place damaged; `place` chooses among all of them but the digest of the plan.
fn damaged(snapshot: &Value, place: u64, damage: &Damage) -> Value {
    let mut root = snapshot.as_object().expect("a snapshot is an object").clone();
    let run = root.get("run").expect("a snapshot holds a run").clone();
    let count = places(&run);
    let mut left = place % count;
    root.insert("run", change(&run, &mut left, damage).unwrap_or_default());
    Value::Object(root)
}

fn places(value: &Value) -> u64 {
    1 + match value {
        Value::Object(object) => object.values().map(places).sum(),
        Value::List(list) => list.iter().map(places).sum(),
        _ => 0,
    }
}

/// The value with its `left`-th place changed, or nothing where that place is the value and is removed.
fn change(value: &Value, left: &mut u64, damage: &Damage) -> Option<Value> {
    if *left == 0 {
        *left = u64::MAX;
        return match (damage, value) {
            (Damage::Put(put), _) => Some(put.clone()),
            (Damage::Remove, _) => None,
            (Damage::Add(number), Value::Int(value)) => Some(Value::from(value.saturating_add(*number))),
            (Damage::Repeat, Value::List(list)) => Some(Value::List(list.iter().chain(list.iter()).cloned().collect())),
            _ => Some(value.clone()),
        };
    }
    *left = left.saturating_sub(u64::from(*left != u64::MAX));
    Some(match value {
        Value::Object(object) => {
            let entries = object.iter().filter_map(|(key, value)| Some((key.clone(), change(value, left, damage)?)));
            Value::Object(entries.collect())
        }
        Value::List(list) => Value::List(list.iter().filter_map(|value| change(value, left, damage)).collect()),
        other => other.clone(),
    })
}

#[test]
fn random_workflows_hold_every_step_type() {
    let blocks = vec![
        Block::If(vec![Block::Ask], vec![Block::Loop { times: 2 }]),
        Block::Sub(vec![Block::Node { fails: 0, retries: 0 }]),
    ];
    let sketch = Sketch { blocks, custom: true };
    let driven = drive(&plan_of(&sketch), |_| 0, Between::Restore);
    assert_eq!(driven.run.status(), RunStatus::Completed, "{:?}", driven.run.error());
}
