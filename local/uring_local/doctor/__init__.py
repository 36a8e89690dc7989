"""`uring doctor`: a deployed stack examined as an operator would, each finding with its remedy."""
