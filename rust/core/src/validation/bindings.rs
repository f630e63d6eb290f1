//! Where bindings read and write.

use super::place::Place;
use super::{IssueCode, Validator, repr};
use crate::document::{Expression, InputBinding, InputSource, OutputBinding, SchemaRef};
use crate::path::{GraphRoot, GraphSourcePath, LocalPath, StatePath, first_overlap};

/// What a list of input bindings is called, and how its issues are called.
pub(super) struct InputRules<'r> {
    /// The schema that must have the targets; `None` when any target will do.
    pub(super) schema: Option<&'r SchemaRef>,
    pub(super) target_code: IssueCode,
    pub(super) target_message: fn(&LocalPath) -> String,
    pub(super) overlap_code: IssueCode,
    pub(super) overlap_message: &'r str,
    pub(super) source_code: IssueCode,
    pub(super) source_message: &'r str,
}

/// A field that does not exist, and the one that was probably meant.
pub(super) struct Undeclared {
    pub(super) hint: Option<String>,
}

const STATE_FIELDS: &str = "declared state fields";

impl Validator<'_> {
    pub(super) fn workflow_output(&mut self) {
        let workflow = self.workflow;
        let rules = InputRules {
            schema: Some(&workflow.output_schema),
            target_code: IssueCode::InvalidWorkflowOutputField,
            target_message: |_| "destination field is not declared in workflow output schema".to_owned(),
            overlap_code: IssueCode::InvalidWorkflowOutputField,
            overlap_message: "workflow output has overlapping output payload paths",
            source_code: IssueCode::InvalidSourcePath,
            source_message: SOURCE,
        };
        self.input_bindings(&workflow.output, &Place::root("output"), &rules);
    }

    pub(super) fn input_bindings(&mut self, bindings: &[InputBinding], place: &Place<'_>, rules: &InputRules<'_>) {
        for (index, binding) in bindings.iter().enumerate() {
            let here = place.item(index);
            if let Some(schema) = rules.schema
                && let Some(root) = binding.target.parts().first()
                && !schema.has_property(root)
            {
                let hint = self.hints.nearest_or_all("declared fields", root, schema.property_names());
                self.error(rules.target_code, &here.field("target"), (rules.target_message)(&binding.target), hint);
            }
            match &binding.source {
                InputSource::Value(_) => {}
                InputSource::Path(path) => {
                    self.source(path, &here.field("path"), rules.source_code, rules.source_message);
                }
                InputSource::Expression(expression) => {
                    self.expression(expression, &here.field("expression"), rules);
                }
            }
        }
        let overlap = first_overlap(bindings.iter().map(|binding| binding.target.parts()));
        if let Some((first, second)) = overlap {
            let hint = overlap_hint(&bindings[first].target.to_string(), &bindings[second].target.to_string());
            self.error(rules.overlap_code, place, rules.overlap_message, Some(hint));
        }
    }

    /// Checks the paths in an expression; its depth has been limited when it was read.
    fn expression(&mut self, expression: &Expression, place: &Place<'_>, rules: &InputRules<'_>) {
        match expression {
            Expression::Literal(_) => {}
            Expression::Path(path) => self.source(path, &place.field("path"), rules.source_code, rules.source_message),
            Expression::Array(items) => {
                let list = place.field("items");
                for (index, item) in items.iter().enumerate() {
                    self.expression(item, &list.item(index), rules);
                }
            }
            Expression::Object(fields) => {
                let object = place.field("fields");
                for (name, field) in fields {
                    self.expression(field, &object.field(name), rules);
                }
            }
        }
    }

    /// Notes a source path whose root field does not exist.
    pub(super) fn source(&mut self, path: &GraphSourcePath, place: &Place<'_>, code: IssueCode, message: &str) {
        if let Some(Undeclared { hint }) = self.undeclared(path) {
            self.error(code, place, message, hint);
        }
    }

    /// Says what was probably meant, if a source path names a root field that does not exist.
    pub(super) fn undeclared(&mut self, path: &GraphSourcePath) -> Option<Undeclared> {
        let root = path.parts().first()?;
        let (input, state) = (&self.workflow.input_schema, &self.workflow.state_schema);
        let hint = match path.root() {
            GraphRoot::Context => return None,
            GraphRoot::Input if input.has_property(root) => return None,
            GraphRoot::State if state.has_root_field(root) => return None,
            GraphRoot::Input => self.hints.nearest_or_all("declared input fields", root, input.property_names()),
            GraphRoot::State => self.hints.nearest_or_all(STATE_FIELDS, root, state.root_fields()),
        };
        Some(Undeclared { hint })
    }

    /// Checks the bindings that write a step's output.
    pub(super) fn output_bindings(&mut self, bindings: &[OutputBinding], place: &Place<'_>, schema: &SchemaRef) {
        for (index, binding) in bindings.iter().enumerate() {
            let here = place.item(index);
            if let Some(root) = binding.source.parts().first()
                && !schema.has_property(root)
            {
                let hint = self.hints.nearest_or_all("declared fields", root, schema.property_names());
                let source = repr(&binding.source.to_string());
                let message = format!("source field {source} is not declared in node output schema");
                self.error(IssueCode::InvalidNodeOutputField, &here.field("source"), message, hint);
            }
            if let Some(Undeclared { hint }) = self.undeclared_state(&binding.target) {
                let message = "destination path must start with state. and reference a declared root field";
                self.error(IssueCode::InvalidDestinationPath, &here.field("target"), message, hint);
            }
        }
        let message = "output has overlapping state destination paths";
        self.target_overlap(bindings, place, IssueCode::InvalidDestinationPath, message);
    }

    /// Notes that two bindings write into each other's place.
    pub(super) fn target_overlap(
        &mut self,
        bindings: &[OutputBinding],
        place: &Place<'_>,
        code: IssueCode,
        message: &str,
    ) {
        if let Some((first, second)) = first_overlap(bindings.iter().map(|binding| binding.target.parts())) {
            let hint = overlap_hint(&bindings[first].target.to_string(), &bindings[second].target.to_string());
            self.error(code, place, message, Some(hint));
        }
    }

    /// Says what was probably meant, if a state path names a root field that does not exist.
    pub(super) fn undeclared_state(&mut self, path: &StatePath) -> Option<Undeclared> {
        let root = path.parts().first()?;
        let state = &self.workflow.state_schema;
        if state.has_root_field(root) {
            return None;
        }
        Some(Undeclared { hint: self.hints.nearest_or_all(STATE_FIELDS, root, state.root_fields()) })
    }

    /// Checks where an error policy collects its records: a declared list in the state.
    pub(super) fn collect_target(&mut self, target: &StatePath, place: &Place<'_>, code: IssueCode) {
        if let Some(Undeclared { hint }) = self.undeclared_state(target) {
            let message = "collect_to must start with state. and reference a declared state field";
            return self.error(code, place, message, hint);
        }
        let array = self.graph.state_field(target).is_some_and(|field| field.declared_type() == Some("array"));
        if !array {
            let hint = format!(r#"declare {target} with "type": "array""#);
            self.error(code, place, "collect_to must reference a declared array state field", Some(hint));
        }
    }
}

/// Why a source path is refused.
pub(super) const SOURCE: &str =
    "source path must start with input., state., or context. and reference a declared root field";

fn overlap_hint(first: &str, second: &str) -> String {
    format!("{} and {} overlap", repr(first), repr(second))
}
