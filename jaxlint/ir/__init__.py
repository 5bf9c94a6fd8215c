"""The intermediate representation, and the two front ends that lower Python to it."""
