"""`SourceResourceRef`."""

import pickle

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from wf_api.source_refs import SourceResourceRef
from wf_platform.resources import SourceResourceRef as SameRef


def test_a_ref_has_a_source_and_a_uri() -> None:
    ref = SourceResourceRef(
        logical_source="drive", uri="gdrive://file/abc", mime_type="application/pdf", name="Report.pdf"
    )
    assert (ref.kind, ref.logical_source, ref.uri) == ("source_resource_ref", "drive", "gdrive://file/abc")
    assert ref.model_dump(mode="json") == {
        "kind": "source_resource_ref",
        "logical_source": "drive",
        "uri": "gdrive://file/abc",
        "mime_type": "application/pdf",
        "name": "Report.pdf",
    }
    assert SourceResourceRef is SameRef


@pytest.mark.parametrize("fields", [{"logical_source": "", "uri": "u"}, {"logical_source": "d", "uri": ""}, {}])
def test_an_incomplete_ref_is_a_value_error(fields: dict[str, str]) -> None:
    with pytest.raises(ValueError):
        SourceResourceRef(**fields)


def test_unknown_fields_are_ignored_and_another_kind_is_refused() -> None:
    ref = SourceResourceRef.model_validate({"logical_source": "d", "uri": "u", "size": 3})
    assert "size" not in ref.model_dump()
    with pytest.raises(ValueError, match="source_resource_ref"):
        SourceResourceRef.model_validate({"kind": "file", "logical_source": "d", "uri": "u"})


def test_a_ref_is_a_value() -> None:
    ref = SourceResourceRef(logical_source="d", uri="u")
    assert ref == SourceResourceRef.model_validate_json(ref.model_dump_json())
    assert len({ref, ref.model_copy()}) == 1
    assert ref.model_copy(update={"uri": "v"}).uri == "v"
    assert pickle.loads(pickle.dumps(ref)) == ref
    with pytest.raises(AttributeError):
        ref.uri = "v"  # type: ignore[misc]


def test_a_ref_is_a_field_type_of_pydantic_models() -> None:
    class Payload(BaseModel):
        ref: SourceResourceRef
        max_chars: int = 4000

    payload = Payload.model_validate({"ref": {"logical_source": "drive", "uri": "u"}})
    assert isinstance(payload.ref, SourceResourceRef)
    assert payload.model_dump(mode="json")["ref"]["kind"] == "source_resource_ref"
    schema = Payload.model_json_schema()
    assert "logical_source" in str(schema)
    with pytest.raises(ValidationError):
        Payload.model_validate({"ref": {"logical_source": "", "uri": "u"}})
    many = TypeAdapter(list[SourceResourceRef]).validate_python([{"logical_source": "a", "uri": "b"}])
    assert many[0].logical_source == "a"
