"""The build hook that checks the knowledge base and puts its compiled form into the wheel."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledKnowledge(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles `knowledge/` and its translations; an editable install reads the files and caches for itself."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the compiled files to a wheel. A mistake in an entry fails the build with its trail."""
        if self.target_name != "wheel" or version == "editable":
            return
        sys.path.insert(0, str(Path(self.root) / "src"))
        from errtriage import knowledge, language
        from errtriage.errors import KnowledgeError
        from errtriage.knowledge import cache as knowledge_cache

        compiled = knowledge.compile_folders([])
        if compiled["mistakes"]:
            raise KnowledgeError(compiled["mistakes"])
        folder = Path(tempfile.mkdtemp())
        self._ship(compiled, folder, knowledge_cache.SHIPPED, build_data)
        for lang in language.LANGUAGES[1:]:  # English is the language of the entries themselves
            texts = knowledge.compile_texts(compiled, [knowledge.knowledge_dir()], lang)
            if texts["mistakes"]:
                raise KnowledgeError(texts["mistakes"])
            self._ship(texts, folder, knowledge_cache.SHIPPED_TEXTS.format(lang=lang), build_data)

    def _ship(self, value: Any, folder: Path, name: str, build_data: dict[str, Any]) -> None:
        from errtriage import __version__
        from errtriage.knowledge import cache as knowledge_cache

        knowledge_cache.write_shipped(folder / name, value, __version__)
        build_data["force_include"][str(folder / name)] = f"errtriage/_knowledge/{name}"
