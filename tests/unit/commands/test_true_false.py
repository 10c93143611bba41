import pytest


@pytest.mark.parametrize(("name", "status"), [("true", 0), ("false", 1)])
def test_status(utility, name, status):
    assert utility(name, "ignored").status == status
