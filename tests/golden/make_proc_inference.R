# The numbers of test_proc_inference.py, by pROC and metafor.
#
#   Rscript tests/golden/make_proc_inference.R FOLDER_OF_SCORES > proc_inference.json
#
# FOLDER_OF_SCORES has proc_asah.csv (pROC's aSAH) and rocr_hiv.csv (ROCR's ROCR.hiv, one row per fold and case).
# Made with R 4.2.2, pROC 1.18.0, metafor 3.8-1. B resamples: a bootstrap standard deviation then has a relative
# Monte-Carlo error of about 1 / sqrt(2 B), a permutation p-value one of sqrt(p (1 - p) / B).

suppressMessages({library(pROC); library(metafor)})
options(pROCProgress = list(name = "none"))
folder <- commandArgs(trailingOnly = TRUE)[1]
B <- 20000
number <- function(x) format(as.numeric(x), digits = 15)
say <- function(key, ...) {
  cat(sprintf('  "%s": [%s],\n', key, paste(sapply(c(...), number), collapse = ", ")))
  flush(stdout())
}
cat("{\n")

asah <- read.csv(file.path(folder, "proc_asah.csv"))
curve <- function(score, label, ...) roc(label, score, levels = c(0, 1), direction = "<", quiet = TRUE, ...)
markers <- list(s100b = asah$s100b, wfns = asah$wfns, ndka = asah$ndka)
curves <- lapply(markers, curve, label = asah$label)

hiv <- read.csv(file.path(folder, "rocr_hiv.csv"))
hiv <- hiv[hiv$fold == 1, ]
stopifnot(all(hiv$label[hiv$model == "nn"] == hiv$label[hiv$model == "svm"]))
truth <- as.integer(hiv$label[hiv$model == "nn"] == 1)
curves$hiv_nn <- curve(hiv$score[hiv$model == "nn"], truth)
curves$hiv_svm <- curve(hiv$score[hiv$model == "svm"], truth)
pairs <- list(c("wfns", "s100b"), c("wfns", "ndka"), c("s100b", "ndka"), c("hiv_svm", "hiv_nn"))

# Venkatraman: E first, which is not random with ties broken by order of rows (pROC's default), then p.
for (p in pairs) {
  x <- curves[[p[1]]]; y <- curves[[p[2]]]; key <- paste(p, collapse = "_")
  for (paired in c(TRUE, FALSE)) {
    set.seed(1)
    t <- roc.test(x, y, method = "venkatraman", paired = paired, boot.n = if (p[1] == "hiv_svm") 4000 else B)
    say(paste0("venkatraman_", if (paired) "paired_" else "unpaired_", key), t$statistic, t$p.value)
  }
}

# Bootstrap tests: D, p. The area, the area of FPR 0 to 0.1, and the sensitivity at specificity 0.9.
for (p in pairs) {
  key <- paste(p, collapse = "_"); n <- if (p[1] == "hiv_svm") 10000 else B
  for (paired in c(TRUE, FALSE)) {
    how <- if (paired) "paired_" else "unpaired_"
    set.seed(2)
    t <- roc.test(curves[[p[1]]], curves[[p[2]]], method = "bootstrap", paired = paired, boot.n = n)
    say(paste0("boot_auc_", how, key), t$statistic, t$p.value)
  }
  set.seed(3)
  t <- roc.test(curves[[p[1]]], curves[[p[2]]], method = "specificity", specificity = 0.9, paired = TRUE, boot.n = n)
  say(paste0("boot_tpr_paired_", key), t$statistic, t$p.value)
  set.seed(4)
  t <- roc.test(curves[[p[1]]], curves[[p[2]]], method = "sensitivity", sensitivity = 0.9, paired = TRUE, boot.n = n)
  say(paste0("boot_fpr_paired_", key), t$statistic, t$p.value)
  set.seed(5)
  partial <- lapply(curves[p], function(r) {r$auc <- auc(r, partial.auc = c(1, 0.9)); r})
  t <- roc.test(partial[[1]], partial[[2]], method = "bootstrap", paired = TRUE, boot.n = n, reuse.auc = TRUE)
  say(paste0("boot_pauc_paired_", key), t$statistic, t$p.value)
}
for (side in c("less", "greater")) {
  set.seed(6)
  t <- roc.test(curves$wfns, curves$ndka, method = "bootstrap", boot.n = B, alternative = side)
  say(paste0("boot_auc_", side, "_wfns_ndka"), t$statistic, t$p.value)
}

# Intervals: low, median of the resamples, high.
for (name in names(curves)) {
  n <- if (startsWith(name, "hiv")) 10000 else B
  set.seed(7)
  say(paste0("ci_auc_", name), ci.auc(curves[[name]], method = "bootstrap", boot.n = n))
  set.seed(8)
  se <- ci.se(curves[[name]], specificities = c(0.95, 0.9, 0.7), boot.n = n)
  for (i in 1:3) say(paste0("ci_se_", c("0.95", "0.9", "0.7")[i], "_", name), se[i, ])
  set.seed(9)
  sp <- ci.sp(curves[[name]], sensitivities = c(0.9, 0.7), boot.n = n)
  for (i in 1:2) say(paste0("ci_sp_", c("0.9", "0.7")[i], "_", name), sp[i, ])
  set.seed(10)
  r <- curves[[name]]; r$auc <- auc(r, partial.auc = c(1, 0.9))
  say(paste0("ci_pauc_", name), ci.auc(r, method = "bootstrap", boot.n = n, reuse.auc = TRUE))
}

# Smoothed by pROC's binormal: a straight line through the quantiles of the observed rates, not a likelihood.
for (name in names(curves)) say(paste0("smooth_auc_", name), auc(smooth(curves[[name]], method = "binormal")))

# Power: cases and controls for a power, and the power of a size (Obuchowski & McClish 1997).
t <- power.roc.test(auc = 0.8, sig.level = 0.05, power = 0.9, kappa = 2); say("power_one_cases_0.8", t$ncases, t$ncontrols)
t <- power.roc.test(auc = 0.8, ncases = 41, ncontrols = 72, sig.level = 0.05); say("power_one_0.8_41_72", t$power)
t <- power.roc.test(auc = 0.6, ncases = 41, ncontrols = 72, sig.level = 0.05); say("power_one_0.6_41_72", t$power)
t <- power.roc.test(auc = 0.95, ncases = 20, ncontrols = 20, sig.level = 0.01); say("power_one_0.95_20_20_at_0.01", t$power)
for (method in c("delong", "obuchowski")) {
  t <- power.roc.test(curves$ndka, curves$wfns, method = method); say(paste0("power_two_ndka_wfns_", method), t$power)
  t <- power.roc.test(curves$ndka, curves$wfns, power = 0.9, method = method); say(paste0("power_two_cases_ndka_wfns_", method), t$ncases, t$ncontrols)
}

# Random effects on the logit scale: the ten folds of ROCR.hiv, and five made-up studies with much heterogeneity.
hiv <- read.csv(file.path(folder, "rocr_hiv.csv"))
random_effects <- function(key, yi, vi) {
  for (m in c("REML", "DL")) for (test in c("knha", "z")) {
    f <- rma(yi = yi, vi = vi, method = m, test = test, control = list(threshold = 1e-12, maxiter = 1000))
    pi <- predict(f)
    say(paste("rma", key, m, test, sep = "_"), f$b, f$se, f$ci.lb, f$ci.ub, f$tau2, f$I2, f$QE, f$QEp, pi$pi.lb, pi$pi.ub)
  }
}
for (model in c("svm", "nn")) {
  a <- v <- numeric(10)
  for (k in 1:10) {
    own <- hiv[hiv$fold == k & hiv$model == model, ]
    r <- curve(own$score, as.integer(own$label == 1)); a[k] <- as.numeric(auc(r)); v[k] <- as.numeric(var(r))
  }
  random_effects(paste0("hiv_", model), log(a / (1 - a)), v / (a * (1 - a))^2)
}
a <- c(0.71, 0.82, 0.90, 0.77, 0.64); se <- c(0.04, 0.03, 0.02, 0.05, 0.06)
random_effects("five", log(a / (1 - a)), (se / (a * (1 - a)))^2)
cat('  "end": [0]\n}\n')
