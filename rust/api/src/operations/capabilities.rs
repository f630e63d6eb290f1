//! Listing, inspecting and calling capabilities.

use std::sync::Arc;

use wf_core::document::Document as _;
use wf_core::schema::CompiledSchema;
use wf_core::value::{Object, Value};
use wf_platform::artifact::{SavedSubgraphTree, WorkflowArtifact, WorkflowCapabilityRef};
use wf_platform::capability::{NodeContract, SchemaSide};
use wf_platform::deployment::{
    DependencyDiagnostic, DiagnosticSeverity, DriftPolicy, SourceBinding, WorkflowDeployment,
};
use wf_platform::guidance::wrapper_hints_for_capability;
use wf_platform::listing::matches_query;
use wf_platform::page::page_range;
use wf_platform::projection::{Surface, find_node_spec, node_specs};
use wf_platform::registry::Snapshot;

use super::deployments::{dumped, validate};
use super::prepare::Prepared;
use super::{Application, OperationResult, count};
use crate::error::ApiError;
use crate::store::ArtifactHead;

/// The source id that saved wrappers are listed under.
const WORKFLOW_SOURCE_ID: &str = "workflow";

/// What a capability call executes.
#[derive(Debug)]
pub enum CallTarget<H> {
    /// A node, once.
    Node {
        /// Its contract.
        contract: Arc<NodeContract>,
        /// What executes it.
        handle: H,
        /// What each logical source means during the call.
        bindings: Vec<(Arc<str>, Arc<str>)>,
        /// The sources that always mean themselves.
        platform_sources: Vec<Arc<str>>,
    },
    /// A saved workflow.
    Workflow(Box<Prepared<H>>),
    /// Nothing: this is the result.
    Refused(Object),
}

/// How a capability call ended.
#[derive(Clone, Debug)]
pub enum CallEnd {
    /// With an outcome and an output.
    Returned {
        /// The outcome.
        outcome: Arc<str>,
        /// The output.
        output: Object,
    },
    /// With an error.
    Failed {
        /// Its code, when it is one of ours.
        code: Option<Arc<str>>,
        /// Its text.
        message: String,
    },
}

/// A row of the listing before it is written out.
enum Row<'a, H> {
    Node(&'a Arc<str>, wf_platform::registry::Found<'a, NodeContract, H>),
    Wrapper(ArtifactHead),
}

impl<H> Row<'_, H> {
    fn name(&self) -> String {
        match self {
            Self::Node(name, _) => name.to_string(),
            Self::Wrapper(head) => format!("workflow.{}.v{}", head.artifact_id, head.version),
        }
    }
}

impl<H: Clone> Application<H> {
    /// What a workflow may use: node specs that the planner sees, and saved wrappers.
    ///
    /// # Errors
    /// A cursor or a limit that is none.
    pub fn list_capabilities(
        &self,
        query: Option<&str>,
        source_id: Option<&str>,
        cursor: Option<&str>,
        limit: i64,
    ) -> OperationResult {
        let snapshot = self.registry.snapshot();
        let mut rows: Vec<Row<'_, H>> = node_specs(&snapshot, Surface::Planner)
            .filter(|(_, found)| source_id.is_none_or(|id| found.entry.id().as_str() == id))
            .filter(|(name, found)| {
                matches_query([Some(&***name), found.capability.contract().description.as_deref()], query)
            })
            .map(|(name, found)| Row::Node(name, found))
            .collect();
        if source_id.is_none_or(|id| id == WORKFLOW_SOURCE_ID) {
            let wrappers =
                self.store.artifact_heads()?.into_iter().filter(|head| &*head.kind == "wrapper").filter(|head| {
                    let name = format!("workflow.{}.v{}", head.artifact_id, head.version);
                    matches_query([Some(&*name), head.description.as_deref(), Some(&*head.title)], query)
                });
            rows.extend(wrappers.map(Row::Wrapper));
        }
        rows.sort_by_cached_key(Row::name);
        let (range, next_cursor) = page_range(rows.len(), cursor, limit)?;
        let shown = rows[range].iter().map(|row| self.row_json(row)).collect::<Result<Vec<Value>, ApiError>>()?;
        let mut page = Object::with_capacity(3);
        page.insert("capabilities", shown);
        page.insert("next_cursor", next_cursor);
        page.insert("total", count(rows.len() as u64));
        Ok(page)
    }

    fn row_json(&self, row: &Row<'_, H>) -> Result<Value, ApiError> {
        let mut object = Object::with_capacity(11);
        match row {
            Row::Node(name, found) => {
                let contract = found.capability.contract();
                object.insert("name", Arc::clone(name));
                object.insert("source_id", found.entry.id().as_str());
                object.insert("kind", "node_spec");
                object.insert("description", contract.description.clone());
                object.insert("outcomes", contract.def.outcomes.clone());
                object.insert("is_async", contract.is_async);
                object.insert("input_fields", fields(contract.schema(SchemaSide::Input)));
                object.insert("output_fields", fields(contract.schema(SchemaSide::Output)));
            }
            Row::Wrapper(head) => {
                let artifact = self.artifact(&head.artifact_id, head.version)?;
                object.insert("name", artifact.reference().to_string());
                object.insert("source_id", WORKFLOW_SOURCE_ID);
                object.insert("kind", "wrapper_artifact");
                object.insert("description", artifact.description);
                object.insert("outcomes", artifact.outcomes);
                object.insert("is_async", true);
                object.insert("input_fields", fields(&artifact.input_schema));
                object.insert("output_fields", fields(&artifact.output_schema));
                object.insert("artifact_id", artifact.id);
                object.insert("version", Value::from(artifact.version));
                object.insert("title", artifact.title);
            }
        }
        Ok(object.into())
    }

    /// The contract of one capability, with hints how to wrap it.
    ///
    /// # Errors
    /// A name that is unknown or that the planner does not see.
    pub fn inspect_capability(&self, qualified_name: &str) -> OperationResult {
        if let Some(artifact) = self.named_artifact(qualified_name) {
            return Ok(artifact_detail(qualified_name, &artifact));
        }
        let snapshot = self.registry.snapshot();
        let found = match snapshot.node_spec(qualified_name) {
            Ok(_) => find_node_spec(&snapshot, Surface::Planner, qualified_name)?,
            Err(_) => return Err(snapshot.unknown_capability(None, qualified_name).into()),
        };
        let contract = found.capability.contract();
        let (input, output) = (contract.schema(SchemaSide::Input), contract.schema(SchemaSide::Output));
        let hints = wrapper_hints_for_capability(qualified_name, input, output, &contract.def.outcomes);
        let mut detail = Object::with_capacity(10);
        detail.insert("name", qualified_name);
        detail.insert("source_id", found.entry.id().as_str());
        detail.insert("kind", "node_spec");
        detail.insert("description", contract.description.clone());
        detail.insert("outcomes", contract.def.outcomes.clone());
        detail.insert("is_async", contract.is_async);
        detail.insert("accepts_context", contract.accepts_context);
        detail.insert("input_schema", input.clone());
        detail.insert("output_schema", output.clone());
        detail.insert("wrapper_hints", hints.dump());
        Ok(detail)
    }

    /// Finds what a capability call executes, and checks the payload of a node.
    ///
    /// # Errors
    /// A name or a deployment that is unknown, and a capability that the planner does not see.
    pub fn begin_call(
        &self,
        qualified_name: &str,
        payload: &Object,
        deployment_id: Option<&str>,
    ) -> Result<CallTarget<H>, ApiError> {
        let deployment = deployment_id.map(|id| self.deployment(id)).transpose()?;
        let snapshot = self.registry.snapshot();
        if let Some(artifact) = self.named_artifact(qualified_name) {
            return self.begin_workflow_call(qualified_name, artifact, deployment, &snapshot);
        }
        let found = find_node_spec(&snapshot, Surface::Planner, qualified_name)?;
        let source_id = found.entry.id().as_str();
        let contract = Arc::clone(found.capability.contract());
        let refuse = |code: Option<&str>, message: String| {
            let end = CallEnd::Failed { code: code.map(Arc::from), message };
            CallTarget::Refused(call_json(qualified_name, source_id, deployment_id, &end))
        };
        let Some(handle) = found.capability.handle().cloned() else {
            let message = "only its contract is known, nothing here executes it".to_owned();
            return Ok(refuse(Some("capability_not_executable"), message));
        };
        let label = format!("payload of {qualified_name}");
        let checked = CompiledSchema::compile(contract.schema(SchemaSide::Input))
            .map_err(|error| error.to_string())
            .and_then(|schema| schema.check(&payload.clone().into(), &label).map_err(|error| error.to_string()));
        if let Err(message) = checked {
            return Ok(refuse(Some("node.input_invalid"), message));
        }
        Ok(CallTarget::Node {
            contract,
            handle,
            bindings: deployment.map(|deployment| bindings(&deployment.bindings)).unwrap_or_default(),
            platform_sources: platform_sources(&snapshot),
        })
    }

    /// A saved workflow runs under the bindings of the deployment, if there is one, and its own version.
    fn begin_workflow_call(
        &self,
        qualified_name: &str,
        artifact: WorkflowArtifact,
        deployment: Option<WorkflowDeployment>,
        snapshot: &Snapshot<H>,
    ) -> Result<CallTarget<H>, ApiError> {
        if let Some(deployment) = &deployment
            && (&deployment.artifact_id, deployment.artifact_version) != (&artifact.id, artifact.version)
        {
            return Err(ApiError::DeploymentTarget {
                deployment_id: Arc::clone(&deployment.id),
                target: qualified_name.to_owned(),
            });
        }
        let deployment_id = deployment.as_ref().map(|deployment| Arc::clone(&deployment.id));
        let deployment = deployment.unwrap_or_else(|| WorkflowDeployment {
            id: "call".into(),
            artifact_id: Arc::clone(&artifact.id),
            artifact_version: artifact.version,
            bindings: Vec::new(),
            drift_policy: DriftPolicy::Block,
        });
        let tree = SavedSubgraphTree::resolve(&artifact, &mut |child| self.find_artifact(child));
        let validation = validate(deployment, artifact, tree, snapshot);
        if let Some(prepared) = validation.prepared {
            return Ok(CallTarget::Workflow(Box::new(prepared)));
        }
        let mut result = call_frame(qualified_name, WORKFLOW_SOURCE_ID, deployment_id.as_deref());
        result.insert("outcome", "unrunnable");
        result.insert("output", Value::Null);
        result.insert("diagnostics", dumped(&validation.diagnostics));
        Ok(CallTarget::Refused(result))
    }

    /// The result of a capability call.
    pub fn finish_call(&self, qualified_name: &str, deployment_id: Option<&str>, end: &CallEnd) -> Object {
        let snapshot = self.registry.snapshot();
        let source_id = match snapshot.owner(qualified_name) {
            Some((entry, _)) if self.named_artifact(qualified_name).is_none() => entry.id().as_str(),
            _ => WORKFLOW_SOURCE_ID,
        };
        call_json(qualified_name, source_id, deployment_id, end)
    }

    /// The saved workflow that a name means, if it means one that is there.
    fn named_artifact(&self, name: &str) -> Option<WorkflowArtifact> {
        let reference = WorkflowCapabilityRef::from_text(name).ok()?;
        self.artifact(&reference.artifact_id, reference.version).ok()
    }
}

/// What each logical source means.
pub(super) fn bindings(bindings: &[SourceBinding]) -> Vec<(Arc<str>, Arc<str>)> {
    let pair = |binding: &SourceBinding| (Arc::clone(&binding.logical_source), Arc::clone(&binding.concrete_source));
    bindings.iter().map(pair).collect()
}

/// The sources that always mean themselves.
pub(super) fn platform_sources<H>(snapshot: &Snapshot<H>) -> Vec<Arc<str>> {
    let platform = snapshot.iter().filter(|entry| entry.source().policy().platform());
    platform.map(|entry| Arc::clone(entry.id().as_shared())).collect()
}

fn call_frame(qualified_name: &str, source_id: &str, deployment_id: Option<&str>) -> Object {
    let kind = if source_id == WORKFLOW_SOURCE_ID { "wrapper_artifact" } else { "node_spec" };
    let mut result = Object::with_capacity(7);
    result.insert("qualified_name", qualified_name);
    result.insert("source_id", source_id);
    result.insert("kind", kind);
    result.insert("deployment_id", deployment_id);
    result
}

fn call_json(qualified_name: &str, source_id: &str, deployment_id: Option<&str>, end: &CallEnd) -> Object {
    let mut result = call_frame(qualified_name, source_id, deployment_id);
    match end {
        CallEnd::Returned { outcome, output } => {
            result.insert("outcome", Arc::clone(outcome));
            result.insert("output", output.clone());
            result.insert("diagnostics", Vec::<Value>::new());
        }
        CallEnd::Failed { code, message } => {
            let code = code.as_deref().map_or_else(String::new, |code| format!(" [{code}]"));
            let diagnostic = DependencyDiagnostic {
                severity: DiagnosticSeverity::Error,
                code: "capability_call_failed".into(),
                logical_ref: qualified_name.into(),
                bound_source: Some(source_id.into()),
                message: format!("calling {qualified_name} failed{code}: {message}").into(),
                repair_hint: None,
            };
            result.insert("outcome", "runtime_error");
            result.insert("output", Value::Null);
            result.insert("diagnostics", dumped(&[diagnostic]));
        }
    }
    result
}

fn artifact_detail(qualified_name: &str, artifact: &WorkflowArtifact) -> Object {
    let hints = wrapper_hints_for_capability(
        qualified_name,
        &artifact.input_schema,
        &artifact.output_schema,
        &artifact.outcomes,
    );
    let mut requirements: Vec<_> = artifact.required_capabilities.iter().collect();
    requirements.sort_by_key(|requirement| requirement.display());
    let requirements: Object =
        requirements.into_iter().map(|requirement| (requirement.display(), requirement.dump())).collect();
    let mut detail = Object::with_capacity(13);
    detail.insert("name", qualified_name);
    detail.insert("source_id", WORKFLOW_SOURCE_ID);
    detail.insert("kind", "wrapper_artifact");
    detail.insert("artifact_id", Arc::clone(&artifact.id));
    detail.insert("version", Value::from(artifact.version));
    detail.insert("title", Arc::clone(&artifact.title));
    detail.insert("description", artifact.description.clone());
    detail.insert("outcomes", artifact.outcomes.clone());
    detail.insert("is_async", true);
    detail.insert("input_schema", artifact.input_schema.clone());
    detail.insert("output_schema", artifact.output_schema.clone());
    detail.insert("required_capabilities", requirements);
    detail.insert("wrapper_hints", hints.dump());
    detail
}

/// The names of a schema's properties, sorted.
fn fields(schema: &Object) -> Vec<Arc<str>> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut names: Vec<Arc<str>> =
        properties.map(|properties| properties.keys().cloned().collect()).unwrap_or_default();
    names.sort_unstable();
    names
}
