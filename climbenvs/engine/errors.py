"""The errors climbenvs raises; each also is the built-in error one would expect."""


class ClimbenvsError(Exception):
    """Base of every error raised by climbenvs itself."""


class UnknownGameError(ClimbenvsError, KeyError):
    """No game of that name is registered."""

    def __str__(self) -> str:
        return str(self.args[0])


class OptionError(ClimbenvsError, ValueError):
    """A game option is unknown or has a value outside its range."""


class IllegalActionError(ClimbenvsError, ValueError):
    """An action is not legal now; nothing has been changed."""


class GameOverError(ClimbenvsError, RuntimeError):
    """A decision was offered to a game that has ended; nothing has been changed."""


class DeckError(ClimbenvsError, ValueError):
    """A deck file is damaged or breaks the rulebook's component counts."""


class SnapshotError(ClimbenvsError, ValueError):
    """A snapshot is damaged or describes an impossible position."""
