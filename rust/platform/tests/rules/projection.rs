//! The rule of every surface as a truth table over all combinations, and its use on a registry.

use wf_platform::capability::CapabilityKind;
use wf_platform::glob::Globs;
use wf_platform::projection::{self, AdminExposure, Facts, Listed, Refusal, Role, Surface, facts, verdict};
use wf_platform::registry::SourceRegistry;
use wf_platform::source::{SourceKind, SourceOverrides, SourcePermissions, SourceVisibility};

use crate::support::{Secret, Source, id, source};

const FLAGS: [bool; 2] = [false, true];
const SURFACES: [Surface; 4] =
    [Surface::Planner, Surface::Client(AdminExposure::Hidden), Surface::Client(AdminExposure::Shown), Surface::Admin];

/// Every combination of what the rule looks at.
fn all_facts() -> Vec<Facts> {
    let mut all = Vec::new();
    for bits in 0..256_u32 {
        let bit = |place: u32| bits & (1 << place) != 0;
        for role in [Role::Ordinary, Role::ControlPlane] {
            for listed in [Listed::Denied, Listed::Allowed, Listed::Unlisted] {
                all.push(Facts {
                    enabled: bit(0),
                    visibility: SourceVisibility { planner: bit(1), client: bit(2), admin_dashboard: bit(3) },
                    permissions: SourcePermissions {
                        safe_for_workflow: bit(4),
                        calls_upstream: bit(5),
                        mutates_config: bit(6),
                        mutates_auth: bit(7),
                    },
                    role,
                    listed,
                });
            }
        }
    }
    all
}

#[test]
fn d25_the_planner_sees_what_is_enabled_visible_and_safe_or_allowed() {
    for facts in all_facts() {
        let Facts { enabled, visibility, permissions, listed, .. } = facts;
        let safe_or_allowed = permissions.safe_for_workflow || listed == Listed::Allowed;
        let expected = enabled && visibility.planner && safe_or_allowed && listed != Listed::Denied;
        for &kind in CapabilityKind::ALL {
            let planned = matches!(kind, CapabilityKind::NodeSpec | CapabilityKind::Reducer);
            assert_eq!(verdict(Surface::Planner, kind, facts).is_ok(), expected && planned, "{kind} {facts:?}");
        }
    }
}

#[test]
fn d26_a_client_sees_operators_tools_only_with_admin_exposure() {
    for facts in all_facts() {
        let Facts { enabled, visibility, permissions, role, listed, .. } = facts;
        for exposure in [AdminExposure::Hidden, AdminExposure::Shown] {
            let exposed = exposure == AdminExposure::Shown;
            for &kind in CapabilityKind::ALL {
                let expected = match kind {
                    CapabilityKind::Tool | CapabilityKind::Prompt | CapabilityKind::Resource => {
                        let privileged = permissions.mutates_config || permissions.mutates_auth;
                        let shown = if role == Role::ControlPlane {
                            exposed
                        } else {
                            visibility.client && (exposed || kind != CapabilityKind::Tool || !privileged)
                        };
                        enabled && shown && listed != Listed::Denied
                    }
                    _ => false,
                };
                let verdict = verdict(Surface::Client(exposure), kind, facts);
                assert_eq!(verdict.is_ok(), expected, "{exposure:?} {kind} {facts:?}");
            }
        }
    }
}

#[test]
fn the_admin_page_goes_by_its_own_visibility_only() {
    for facts in all_facts() {
        for &kind in CapabilityKind::ALL {
            let expected = facts.visibility.admin_dashboard && kind != CapabilityKind::Workflow;
            assert_eq!(verdict(Surface::Admin, kind, facts).is_ok(), expected);
        }
    }
}

#[test]
fn turning_a_flag_on_never_takes_anything_away_except_by_privilege() {
    for surface in SURFACES {
        for &kind in CapabilityKind::ALL {
            for facts in all_facts().into_iter().filter(|facts| verdict(surface, kind, *facts).is_ok()) {
                let mut more = facts;
                more.enabled = true;
                more.visibility = SourceVisibility::EVERYWHERE;
                more.permissions.safe_for_workflow = true;
                more.permissions.calls_upstream = true;
                assert_eq!(verdict(surface, kind, more), Ok(()), "{surface:?} {kind} {facts:?}");
            }
        }
    }
}

#[test]
fn each_reason_has_its_own_refusal() {
    let open = Facts {
        enabled: true,
        visibility: SourceVisibility::EVERYWHERE,
        permissions: SourcePermissions { safe_for_workflow: true, ..SourcePermissions::default() },
        role: Role::Ordinary,
        listed: Listed::Unlisted,
    };
    let planner = |facts| verdict(Surface::Planner, CapabilityKind::NodeSpec, facts);
    assert_eq!(planner(open), Ok(()));
    assert_eq!(planner(Facts { enabled: false, ..open }), Err(Refusal::Disabled));
    assert_eq!(planner(Facts { visibility: SourceVisibility::default(), ..open }), Err(Refusal::NotVisible));
    assert_eq!(planner(Facts { listed: Listed::Denied, ..open }), Err(Refusal::Denied));
    assert_eq!(planner(Facts { permissions: SourcePermissions::default(), ..open }), Err(Refusal::NotSafe));
    assert_eq!(verdict(Surface::Planner, CapabilityKind::Tool, open), Err(Refusal::NotProjected));
    let client = |facts| verdict(Surface::Client(AdminExposure::Hidden), CapabilityKind::Tool, facts);
    assert_eq!(client(Facts { role: Role::ControlPlane, ..open }), Err(Refusal::AdminOnly));
}

#[test]
fn listing_and_calling_go_by_the_same_rule_on_a_registry() {
    for enabled in FLAGS {
        for planner in FLAGS {
            for safe in FLAGS {
                for allow in FLAGS {
                    for deny in FLAGS {
                        let registry = SourceRegistry::<Secret>::new();
                        let permissions = SourcePermissions { safe_for_workflow: safe, ..SourcePermissions::default() };
                        let visibility = SourceVisibility { planner, ..SourceVisibility::EVERYWHERE };
                        registry
                            .add(source("a.b").with_permissions(permissions).with_visibility(visibility))
                            .expect("a source");
                        let globs = |on: bool| if on { Globs::from_iter(["s?m"]) } else { Globs::none() };
                        let overrides = SourceOverrides {
                            enabled: Some(enabled),
                            allow: globs(allow),
                            deny: globs(deny),
                            ..SourceOverrides::default()
                        };
                        registry.set_overrides(&id("a.b"), overrides).expect("known");
                        let snapshot = registry.snapshot();
                        let expected = enabled && planner && (safe || allow) && !deny;
                        let listed = projection::reducers(&snapshot, Surface::Planner).count() == 1;
                        let callable = projection::find_reducer(&snapshot, Surface::Planner, "a.b.sum").is_ok();
                        assert_eq!((listed, callable), (expected, expected));
                    }
                }
            }
        }
    }
}

#[test]
fn refusals_name_the_capability_and_say_what_to_do() {
    let registry = SourceRegistry::<Secret>::new();
    registry.add(source("a.b")).expect("a source");
    let refusal = |registry: &SourceRegistry<Secret>| {
        let snapshot = registry.snapshot();
        projection::find_reducer(&snapshot, Surface::Planner, "a.b.sum").map(|_| ()).expect_err("a refusal")
    };
    let error = refusal(&registry);
    assert_eq!(error.code(), "capability.not_safe");
    assert_eq!(error.hint().as_deref(), Some("add its name to the allow list of its source"));
    registry.disable("a.b").expect("known");
    let error = refusal(&registry);
    assert_eq!((error.code(), error.hint().as_deref()), ("capability.disabled", Some("enable source `a.b`")));
    assert!(error.to_string().contains("'a.b.sum'"));
}

#[test]
fn the_control_plane_is_shown_to_clients_by_the_switch_alone() {
    let registry = SourceRegistry::<Secret>::new();
    let mut admin = Source::new(id("wf.admin"), SourceKind::System);
    let mut buckets = wf_platform::capability::CapabilityBuckets::default();
    crate::support::add_tool(&mut buckets, &id("wf.admin"), "list_sources");
    admin = admin.with_capabilities(buckets);
    registry.add_builtin(admin).expect("the platform may");
    let snapshot = registry.snapshot();
    let names = |exposure| -> Vec<String> {
        projection::tools(&snapshot, Surface::Client(exposure)).map(|(name, _)| name.to_string()).collect()
    };
    assert!(names(AdminExposure::Hidden).is_empty());
    assert_eq!(names(AdminExposure::Shown), ["wf.admin.list_sources"]);
    assert_eq!(facts(snapshot.get("wf.admin").expect("known"), "wf.admin.list_sources").role, Role::ControlPlane);
}

#[test]
fn a_shadowed_capability_is_neither_listed_nor_found() {
    let registry = SourceRegistry::<Secret>::new();
    let mut buckets = wf_platform::capability::CapabilityBuckets::default();
    crate::support::add_tool(&mut buckets, &id("ops"), "team.run");
    registry
        .add(
            Source::new(id("ops"), SourceKind::Python)
                .with_capabilities(buckets)
                .with_visibility(SourceVisibility::EVERYWHERE),
        )
        .expect("a source");
    registry.add(source("ops.team")).expect("a source");
    let snapshot = registry.snapshot();
    let names: Vec<_> = projection::tools(&snapshot, Surface::Client(AdminExposure::Hidden))
        .map(|(name, _)| name.to_string())
        .collect();
    assert_eq!(names, ["ops.team.echo"]);
}
