"""The plugin under test, also where the package is not installed but only on the path."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Load the plugin that an installed package brings by its entry point."""
    if not config.pluginmanager.has_plugin("lda-wf"):
        config.pluginmanager.import_plugin("wf_authoring.testing.plugin")
