"""python -m clatter: sweeps, and the commands of the program."""

import sys

if __name__ == "__main__":
    if sys.argv[1:2] == ["sweep"]:
        from clatter._sweep_command import main

        sys.exit(main(sys.argv[2:]))
    from clatter._program import main as run_program

    run_program()
