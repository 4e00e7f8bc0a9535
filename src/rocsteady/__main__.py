"""``python -m rocsteady`` is the command ``rocsteady``."""

from rocsteady.cli import main

if __name__ == "__main__":
    main()
