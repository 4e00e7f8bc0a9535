"""``python -m papers [PAPER]``: compute a paper again, or all of them, and check every number."""

from papers.cli import main

if __name__ == "__main__":
    main()
