"""Clusters as people had them, rebuilt, each with what was wrong and what mended it."""
