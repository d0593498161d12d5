"""Beside setup.cfg instead of a pyproject.toml: pip then builds with the setuptools that is there, without a network."""

import setuptools

setuptools.setup()
