"""Each marked line is wrong, and both type checkers say so."""

from wf_authoring import WorkflowBuilder, exists, input_from, node, output_to, reducer, state, state_field


@node
def split(text: str) -> list[str]:
    return text.split()


def plain(text: str) -> str:
    return text


builder = WorkflowBuilder("demo", {}, {}, {})
WorkflowBuilder()  # wrong
builder.use(plain)  # wrong
builder.use(split, inputs=[])  # wrong
builder.use(split, retry="often")  # wrong
builder.use(split, input=input_from("input.text", "text"))  # wrong
builder.foreach(over="state.words")  # wrong
builder.foreach(over="state.words", as_=3)  # wrong
builder.condition(check="state.a")  # wrong
builder.interrupt(kind=3)  # wrong
builder.end(outcome=3)  # wrong
builder.when(state("a"), then="b")  # wrong
builder.run()  # wrong
input_from("state.a")  # wrong
output_to(target="state.a")  # wrong
exists("state.a")  # wrong
exists(state("a")) & True  # wrong
state_field("wf.std.add")  # wrong
state_field(reducer=3)  # wrong
reducer(plain)  # wrong
