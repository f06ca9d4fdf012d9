"""The faces of a game: vectors, PettingZoo, Gymnasium, Stable-Baselines3."""
