//! Projections: which capabilities each surface shows and lets call, computed from the sources alone.
//!
//! [`verdict`] is the one rule. Listing asks it for every capability, calling asks it for one, so what is listed is
//! what can be called.

use std::sync::Arc;

use crate::capability::{
    CapabilityKind, NodeContract, PromptContract, ReducerContract, ResourceContract, ToolContract,
};
use crate::error::PlatformError;
use crate::id::SourceId;
use crate::registry::{Found, Snapshot, SourceEntry};
use crate::source::{SourcePermissions, SourceVisibility};

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// Authors and models that plan workflows, and the runs of those workflows.
    Planner,
    /// A client of the public MCP server.
    Client(AdminExposure),
    /// The admin page.
    Admin,
}

impl Surface {
    /// The name in messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Planner => "planner",
            Self::Client(_) => "client",
            Self::Admin => "admin dashboard",
        }
    }
}

/// Whether the public MCP server shows what is for operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AdminExposure {
    /// It does not.
    #[default]
    Hidden,
    /// The server was started with admin exposure.
    Shown,
}

/// What the rule needs to know about a source and one of its capabilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Whether the source is enabled.
    pub enabled: bool,
    /// Which surfaces show the source.
    pub visibility: SourceVisibility,
    /// What the source's capabilities may do.
    pub permissions: SourcePermissions,
    /// Whether the source is the control plane.
    pub role: Role,
    /// What the operator's patterns say about this capability.
    pub listed: Listed,
}

/// Whether a source is the control plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is.
    ControlPlane,
    /// It is any other source.
    Ordinary,
}

/// What the operator's patterns say about a capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// A deny pattern covers it.
    Denied,
    /// An allow pattern covers it, and no deny pattern does.
    Allowed,
    /// No pattern covers it.
    Unlisted,
}

/// Why a surface does not show a capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The surface has no place for the kind.
    NotProjected,
    /// The source is disabled.
    Disabled,
    /// The surface does not show the source.
    NotVisible,
    /// A deny pattern covers it.
    Denied,
    /// It is for operators, and admin exposure is off.
    AdminOnly,
    /// The source is not safe for workflows, and no allow pattern covers the capability.
    NotSafe,
}

/// The rule of every surface.
///
/// # Errors
/// The first reason not to show the capability.
pub fn verdict(surface: Surface, kind: CapabilityKind, facts: Facts) -> Result<(), Refusal> {
    use CapabilityKind::{NodeSpec, Prompt, Reducer, Resource, Tool, Workflow};
    let projected = match surface {
        Surface::Planner => matches!(kind, NodeSpec | Reducer),
        Surface::Client(_) => matches!(kind, Tool | Prompt | Resource),
        Surface::Admin => kind != Workflow,
    };
    if !projected {
        return Err(Refusal::NotProjected);
    }
    match surface {
        // The admin page is where a source is switched on again, so it shows what is off and what is denied.
        Surface::Admin => facts.visibility.admin_dashboard.then_some(()).ok_or(Refusal::NotVisible),
        Surface::Planner => planner(facts),
        Surface::Client(exposure) => client(exposure, kind, facts),
    }
}

fn planner(facts: Facts) -> Result<(), Refusal> {
    if !facts.enabled {
        return Err(Refusal::Disabled);
    }
    if !facts.visibility.planner {
        return Err(Refusal::NotVisible);
    }
    match facts.listed {
        Listed::Denied => Err(Refusal::Denied),
        Listed::Allowed => Ok(()),
        Listed::Unlisted if facts.permissions.safe_for_workflow => Ok(()),
        Listed::Unlisted => Err(Refusal::NotSafe),
    }
}

fn client(exposure: AdminExposure, kind: CapabilityKind, facts: Facts) -> Result<(), Refusal> {
    if !facts.enabled {
        return Err(Refusal::Disabled);
    }
    // The switch stands for the control plane's own visibility, in both directions.
    let control_plane = facts.role == Role::ControlPlane;
    let operators_only = control_plane || (kind == CapabilityKind::Tool && facts.permissions.privileged());
    if operators_only && exposure == AdminExposure::Hidden {
        return Err(Refusal::AdminOnly);
    }
    if !control_plane && !facts.visibility.client {
        return Err(Refusal::NotVisible);
    }
    if facts.listed == Listed::Denied {
        return Err(Refusal::Denied);
    }
    Ok(())
}

/// What the rule needs to know about a capability of a source in the registry.
pub fn facts<H>(entry: &SourceEntry<H>, name: &str) -> Facts {
    let source = entry.source();
    let local_name = source.id().local_name(name).unwrap_or(name);
    let overrides = entry.overrides();
    let listed = if overrides.deny.matches(local_name) {
        Listed::Denied
    } else if overrides.allow.matches(local_name) {
        Listed::Allowed
    } else {
        Listed::Unlisted
    };
    Facts {
        enabled: source.is_enabled(),
        visibility: source.visibility(),
        permissions: source.permissions(),
        role: role(source.id()),
        listed,
    }
}

fn role(id: &SourceId) -> Role {
    if id.is_admin() { Role::ControlPlane } else { Role::Ordinary }
}

/// Whether the surface shows this capability of this source.
///
/// # Errors
/// The reason why not, as an error that names the capability.
pub fn admit<H>(
    surface: Surface,
    kind: CapabilityKind,
    entry: &SourceEntry<H>,
    name: &str,
) -> Result<(), PlatformError> {
    verdict(surface, kind, facts(entry, name)).map_err(|refusal| refused(refusal, surface, kind, entry.id(), name))
}

fn refused(refusal: Refusal, surface: Surface, kind: CapabilityKind, id: &SourceId, name: &str) -> PlatformError {
    let source_id = Arc::clone(id.as_shared());
    let name: Arc<str> = name.into();
    match refusal {
        Refusal::NotProjected => PlatformError::NotProjected { kind, surface: surface.as_str() },
        Refusal::Disabled => PlatformError::SourceDisabled { source_id, name },
        Refusal::NotVisible => PlatformError::NotVisible { name, surface: surface.as_str() },
        Refusal::Denied => PlatformError::Denied { source_id, name },
        Refusal::AdminOnly => PlatformError::AdminOnly { name },
        Refusal::NotSafe => PlatformError::NotSafe { name },
    }
}

/// One capability as a surface shows it.
pub type Shown<'a, C, H> = (&'a Arc<str>, Found<'a, C, H>);

macro_rules! projection {
    ($(#[$doc:meta])* $list:ident, $(#[$find_doc:meta])* $find:ident, $lookup:ident, $bucket:ident, $contract:ty, $kind:expr) => {
        $(#[$doc])*
        pub fn $list<H>(
            snapshot: &Snapshot<H>,
            surface: Surface,
        ) -> impl Iterator<Item = Shown<'_, $contract, H>> {
            snapshot.iter().flat_map(move |entry| {
                entry.source().capabilities().$bucket.iter_sorted().filter_map(move |(name, capability)| {
                    verdict(surface, $kind, facts(entry, name)).ok()?;
                    // A name that a source with a longer id owns is not reachable here either.
                    if let Some(local_name) = entry.id().local_name(name) {
                        snapshot.owner(name).filter(|(owner, _)| owner.id() == entry.id())?;
                        return Some((name, Found { entry, local_name, capability }));
                    }
                    Some((name, Found { entry, local_name: name, capability }))
                })
            })
        }

        $(#[$find_doc])*
        ///
        /// # Errors
        /// An unknown name, or the reason why the surface does not show it.
        pub fn $find<'a, H>(
            snapshot: &'a Snapshot<H>,
            surface: Surface,
            name: &'a str,
        ) -> Result<Found<'a, $contract, H>, PlatformError> {
            let found = snapshot.$lookup(name)?;
            admit(surface, $kind, found.entry, name)?;
            Ok(found)
        }
    };
}

projection!(
    /// The node specs a surface shows, sorted by source and name.
    node_specs,
    /// The node spec of that name, if the surface shows it.
    find_node_spec, node_spec, node_specs, NodeContract, CapabilityKind::NodeSpec
);
projection!(
    /// The reducers a surface shows, sorted by source and name.
    reducers,
    /// The reducer of that name, if the surface shows it.
    find_reducer, reducer, reducers, ReducerContract, CapabilityKind::Reducer
);
projection!(
    /// The tools a surface shows, sorted by source and name.
    tools,
    /// The tool of that name, if the surface shows it.
    find_tool, tool, tools, ToolContract, CapabilityKind::Tool
);
projection!(
    /// The prompts a surface shows, sorted by source and name.
    prompts,
    /// The prompt of that name, if the surface shows it.
    find_prompt, prompt, prompts, PromptContract, CapabilityKind::Prompt
);
projection!(
    /// The resources a surface shows, sorted by source and name.
    resources,
    /// The resource of that name, if the surface shows it.
    find_resource, resource, resources, ResourceContract, CapabilityKind::Resource
);

/// The sources the admin page shows, sorted by id.
pub fn admin_sources<H>(snapshot: &Snapshot<H>) -> impl Iterator<Item = &Arc<SourceEntry<H>>> {
    snapshot.iter().filter(|entry| entry.source().visibility().admin_dashboard)
}
