"""Measurements of speed, apart from the tests: timings prove nothing about correctness."""
