"""The project around a file: its modules, the names it declares, and the releases that it must run on."""
