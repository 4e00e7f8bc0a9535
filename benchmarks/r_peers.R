# Times of pROC and ROCR. NOT INTERLEAVED with rocsteady: another process, so read them as orders of magnitude.
# Untested so far. Usage: Rscript benchmarks/r_peers.R [size, 1e6 unless given]
arguments <- commandArgs(trailingOnly = TRUE)
size <- if (length(arguments)) as.numeric(arguments[1]) else 1e6
set.seed(20260901)
labels <- as.integer(runif(size) < 0.3)
scores <- rnorm(size) + labels

best_of_three <- function(work) min(replicate(3, system.time(work())[["elapsed"]]))
report <- function(package, work, call) {
  seconds <- if (requireNamespace(package, quietly = TRUE)) sprintf("%.3f s", best_of_three(call)) else "not installed"
  cat(sprintf("%-6s %-12s n = %g: %s (not interleaved)\n", package, work, size, seconds))
}

report("pROC", "curve", function() pROC::roc(labels, scores, levels = c(0, 1), direction = "<", auc = FALSE))
report("pROC", "DeLong of 1", function() {
  pROC::ci.auc(pROC::roc(labels, scores, levels = c(0, 1), direction = "<"), method = "delong")
})
report("ROCR", "curve", function() ROCR::performance(ROCR::prediction(scores, labels), "tpr", "fpr"))
