"""The build hook that checks the knowledge base and puts its compiled form into the wheel."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledKnowledge(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles `knowledge/` beside its files; an editable install reads the files and caches for itself."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the compiled file to a wheel. A mistake in an entry fails the build with its trail."""
        if self.target_name != "wheel" or version == "editable":
            return
        sys.path.insert(0, str(Path(self.root) / "src"))
        from errtriage import __version__, knowledge, knowledge_cache
        from errtriage.errors import KnowledgeError

        compiled = knowledge.compile_folders([])
        if compiled["mistakes"]:
            raise KnowledgeError(compiled["mistakes"])
        target = Path(tempfile.mkdtemp()) / knowledge_cache.SHIPPED
        knowledge_cache.write_shipped(target, compiled, __version__)
        build_data["force_include"][str(target)] = f"errtriage/_knowledge/{knowledge_cache.SHIPPED}"
