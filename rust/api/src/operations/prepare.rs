//! From a deployment to something that runs: every name resolved, every workflow with its contracts, one plan.

use std::sync::Arc;

use wf_core::document::{Document as _, NodeDef, ReducerSpec, Workflow};
use wf_core::plan::{Plan, PreparedSubgraph, ReducerTable, SubgraphTable};
use wf_core::reducer::BuiltinReducer;
use wf_core::value::{Object, Value};
use wf_platform::PlatformError;
use wf_platform::artifact::{SavedSubgraphTree, WorkflowArtifact};
use wf_platform::deployment::{
    DependencyDiagnostic, DiagnosticSeverity, WorkflowDeployment, resolve_runtime_dependencies,
};
use wf_platform::registry::Snapshot;

use super::capabilities::{bindings, platform_sources};

/// A workflow with what executes its nodes and its custom reducers.
#[derive(Clone, Debug)]
pub struct Executable<H> {
    /// The workflow, with the contracts of its nodes.
    pub workflow: Arc<Workflow>,
    /// What executes each node, by its name in the workflow.
    pub nodes: Vec<(Arc<str>, H)>,
    /// The custom reducers, by the names that the workflow uses.
    pub reducers: Vec<(ReducerSpec, H)>,
}

/// A deployment that is ready to run.
#[derive(Clone, Debug)]
pub struct Prepared<H> {
    /// The workflow.
    pub root: Executable<H>,
    /// The saved workflows below it, by their refs.
    pub children: Vec<(Arc<str>, Executable<H>)>,
    /// The compiled plan of all of them.
    pub plan: Arc<Plan>,
    /// What each logical source means.
    pub bindings: Vec<(Arc<str>, Arc<str>)>,
    /// The sources that always mean themselves.
    pub platform_sources: Vec<Arc<str>>,
}

impl<H> Prepared<H> {
    /// Goes back to the plan that a run was started with; only what executes it is of today.
    pub(super) fn pin(&mut self, plan: &Arc<Plan>) {
        for workflow in plan.workflows() {
            let executable = match workflow.reference().map(ToString::to_string) {
                None => Some(&mut self.root),
                Some(name) => self.children.iter_mut().find(|(known, _)| **known == *name).map(|(_, child)| child),
            };
            if let Some(executable) = executable {
                executable.workflow = Arc::clone(workflow.document());
            }
        }
        self.plan = Arc::clone(plan);
    }

    /// The workflows as JSON, from which the very same plan can be compiled again.
    pub(super) fn workflows_json(&self) -> Object {
        let one = |executable: &Executable<H>| {
            let reducers: Vec<Value> = executable.reducers.iter().map(|(spec, _)| spec.dump()).collect();
            let mut object = Object::with_capacity(2);
            object.insert("workflow", executable.workflow.dump());
            object.insert("reducers", reducers);
            object
        };
        let children: Object = self.children.iter().map(|(name, child)| (Arc::clone(name), one(child))).collect();
        let mut object = one(&self.root);
        object.insert("children", children);
        object
    }
}

/// Compiles the plan that [`Prepared::workflows_json`] describes.
pub(super) fn compile_again(workflows: &Object) -> Result<Arc<Plan>, String> {
    let one = |value: &Value| -> Result<PreparedSubgraph, String> {
        let object = value.as_object().ok_or("a pinned workflow is no object")?;
        let workflow =
            Workflow::parse(object.get("workflow").unwrap_or(&Value::Null)).map_err(|error| error.to_string())?;
        let reducers = object.get("reducers").and_then(Value::as_list).ok_or("a pinned workflow has no reducers")?;
        let reducers =
            reducers.iter().map(ReducerSpec::parse).collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        Ok(PreparedSubgraph { workflow: Arc::new(workflow), reducers })
    };
    let root = one(&Value::Object(workflows.clone()))?;
    let mut subgraphs = SubgraphTable::new();
    if let Some(children) = workflows.get("children").and_then(Value::as_object) {
        for (name, child) in children {
            subgraphs.insert(Arc::clone(name), one(child)?);
        }
    }
    Plan::compile(root.workflow, &root.reducers, &subgraphs).map_err(|error| error.to_string())
}

/// Resolves everything that a deployment runs.
///
/// # Errors
/// Everything that keeps it from running.
pub(super) fn prepare<H: Clone>(
    deployment: &WorkflowDeployment,
    artifact: &WorkflowArtifact,
    tree: &SavedSubgraphTree,
    snapshot: &Snapshot<H>,
) -> Result<Prepared<H>, Vec<DependencyDiagnostic>> {
    let mut problems = Vec::new();
    let root = executable(artifact, deployment, snapshot, &mut problems);
    let children: Vec<_> = tree
        .artifacts()
        .filter_map(|(reference, child)| {
            let child = executable(child, deployment, snapshot, &mut problems)?;
            Some((Arc::<str>::from(reference.to_string()), child))
        })
        .collect();
    let Some(root) = root.filter(|_| problems.is_empty()) else { return Err(problems) };
    let table = |executable: &Executable<H>| -> ReducerTable {
        executable.reducers.iter().map(|(spec, _)| spec.clone()).collect()
    };
    let mut subgraphs = SubgraphTable::new();
    for (name, child) in &children {
        let workflow = Arc::clone(&child.workflow);
        subgraphs.insert(Arc::clone(name), PreparedSubgraph { workflow, reducers: table(child) });
    }
    let plan = Plan::compile(Arc::clone(&root.workflow), &table(&root), &subgraphs).map_err(|error| {
        error
            .problems
            .iter()
            .map(|problem| {
                let message = format!("[{}] {}: {}", problem.code, problem.path, problem.message);
                diagnostic("workflow_invalid", &artifact.reference().to_string(), message, None)
            })
            .collect::<Vec<_>>()
    })?;
    Ok(Prepared {
        root,
        children,
        plan,
        bindings: bindings(&deployment.bindings),
        platform_sources: platform_sources(snapshot),
    })
}

fn executable<H: Clone>(
    artifact: &WorkflowArtifact,
    deployment: &WorkflowDeployment,
    snapshot: &Snapshot<H>,
    problems: &mut Vec<DependencyDiagnostic>,
) -> Option<Executable<H>> {
    let name = artifact.reference().to_string();
    let mut workflow = match Workflow::parse(&Value::Object(artifact.plan.clone())) {
        Ok(workflow) => workflow,
        Err(error) => {
            problems.push(diagnostic("workflow_invalid", &name, error.to_string(), None));
            return None;
        }
    };
    let found = match resolve_runtime_dependencies(artifact, &workflow, deployment, snapshot) {
        Ok(found) => found,
        Err(errors) => {
            problems.extend(errors.iter().map(|error| refused(error, &name)));
            return None;
        }
    };
    let before = problems.len();
    let mut nodes = Vec::with_capacity(found.nodes.len());
    workflow.node_defs = Vec::with_capacity(found.nodes.len());
    for node in found.nodes {
        workflow.node_defs.push(NodeDef { name: Arc::clone(&node.name), ..node.contract.def.clone() });
        match node.handle {
            Some(handle) => nodes.push((node.name, handle)),
            None => problems.push(not_executable(&node.name, &node.source_id, &node.concrete_name)),
        }
    }
    let mut reducers = Vec::new();
    for reducer in found.reducers {
        let name: Arc<str> = reducer.reference.to_string().into();
        if BuiltinReducer::from_name(&name).is_some() {
            continue;
        }
        match reducer.handle {
            Some(handle) => reducers.push((ReducerSpec { name, ..(*reducer.contract).clone() }, handle)),
            None => problems.push(not_executable(&name, &reducer.source_id, &reducer.concrete_name)),
        }
    }
    (problems.len() == before).then(|| Executable { workflow: Arc::new(workflow), nodes, reducers })
}

fn refused(error: &PlatformError, artifact: &str) -> DependencyDiagnostic {
    let logical_ref = match error {
        PlatformError::UnboundSource { name, .. }
        | PlatformError::UnknownCapability { name, .. }
        | PlatformError::SourceDisabled { name, .. }
        | PlatformError::NotVisible { name, .. }
        | PlatformError::NotSafe { name }
        | PlatformError::Denied { name, .. } => name,
        _ => artifact,
    };
    DependencyDiagnostic {
        repair_hint: error.hint().map(Into::into),
        ..diagnostic(error.code(), logical_ref, error.to_string(), None)
    }
}

fn not_executable(name: &str, source_id: &Arc<str>, concrete_name: &str) -> DependencyDiagnostic {
    DependencyDiagnostic {
        repair_hint: Some("connect or refresh the source".into()),
        ..diagnostic(
            "capability_not_executable",
            name,
            format!("only the contract of `{concrete_name}` is known, nothing here executes it"),
            Some(source_id),
        )
    }
}

fn diagnostic(code: &str, logical_ref: &str, message: String, bound_source: Option<&Arc<str>>) -> DependencyDiagnostic {
    DependencyDiagnostic {
        severity: DiagnosticSeverity::Error,
        code: code.into(),
        logical_ref: logical_ref.into(),
        bound_source: bound_source.cloned(),
        message: message.into(),
        repair_hint: None,
    }
}
