"""The pictures of the README, drawn from a scenario; `python -m tests.pictures` draws them anew."""
