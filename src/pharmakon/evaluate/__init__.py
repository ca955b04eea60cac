"""Suites, metrics, runner, builders and reports. A system under test is a callable from prescription to report."""
