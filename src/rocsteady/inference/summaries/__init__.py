"""One AUC for many datasets: its interval, and what that interval takes to be random."""
