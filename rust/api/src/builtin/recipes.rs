//! `wf.recipes.extract_text_content`.

use wf_core::document::NodeResult;
use wf_core::value::{Object, Value};

use crate::handler::{HandlerError, HandlerResult, NodeContext, NodeHandler};
use crate::std_nodes::payload::{objects, optional, unexpected};

/// Joins the texts of all text blocks in a list of content blocks; blocks of other types are left out, and so are
/// text blocks without a text.
#[derive(Clone, Copy, Debug)]
pub struct ExtractTextContent;

impl NodeHandler for ExtractTextContent {
    fn call(&self, input: &Object, _context: &NodeContext<'_>) -> HandlerResult {
        let separator = optional(input, "separator");
        let separator = if separator.is_null() { "" } else { separator.as_str().unwrap_or_default() };
        let mut texts = Vec::new();
        for block in objects(input, "content")? {
            if optional(block, "type").as_str() != Some("text") {
                continue;
            }
            match block.get("text") {
                None => {}
                Some(Value::String(text)) => texts.push(&**text),
                Some(other) => return Err(text_expected(other)),
            }
        }
        let output = [("text", texts.join(separator))].into_iter().collect();
        Ok(NodeResult { outcome: "ok".into(), output, meta: Object::new(), extra: Vec::new() })
    }
}

fn text_expected(found: &Value) -> HandlerError {
    unexpected("content[].text", "a string", found)
}
