"""Tests of the law's language, on tiny rulesets of their own."""
