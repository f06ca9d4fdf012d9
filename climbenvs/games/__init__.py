"""The games, a folder each; called, it lists their names, as `climbenvs.games()` promises.

Importing a game makes Python bind this package to the name `climbenvs.games`, where the function of
that name was before; so the package answers the call too.
"""

import sys
from types import ModuleType

from climbenvs import registry


class _Games(ModuleType):
    def __call__(self) -> list[str]:
        """Names of the games, in order of registration."""
        return registry.games()


sys.modules[__name__].__class__ = _Games
