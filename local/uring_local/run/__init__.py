"""`uring run`: a run from tick to push, its view and its verdict."""
