"""The literature behind the methods: one entry for each paper, spelled as BibTeX when it is cited."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reference:
    """One publication.

    Attributes
    ----------
    authors : tuple of str
        As BibTeX wants them, last name first.
    venue : str
        Journal, proceedings or publisher, as ``kind`` says.
    volume : str
        With its number in parentheses, for example ``"44(3)"``; empty if there is none.
    """

    authors: tuple[str, ...]
    year: int
    title: str
    venue: str
    volume: str = ""
    pages: str = ""
    doi: str = ""
    kind: str = "article"

    @property
    def short(self) -> str:
        """How a text names it.

        Examples
        --------
        >>> REFERENCES["delong1988"].short
        'DeLong, DeLong & Clarke-Pearson (1988)'
        """
        names = [author.split(",")[0] for author in self.authors]
        if len(names) > 4:
            return f"{names[0]} et al. ({self.year})"
        last = names[-1]
        return f"{', '.join(names[:-1])} & {last} ({self.year})" if names[:-1] else f"{last} ({self.year})"

    def bibtex(self, key: str) -> str:
        """The entry as BibTeX reads it."""
        venue = {"article": "journal", "inproceedings": "booktitle", "book": "publisher"}[self.kind]
        volume, _, number = self.volume.rstrip(")").partition("(")
        fields = {
            "author": " and ".join(self.authors),
            "title": f"{{{self.title}}}",
            venue: self.venue,
            "year": str(self.year),
            "volume": volume,
            "number": number,
            "pages": self.pages.replace("-", "--"),
            "doi": self.doi,
        }
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
        return "\n".join([f"@{self.kind}{{{key},", *lines, "}"]).replace(" & ", r" \& ")


_MEDICINE = "Statistics in Medicine"
_RADIOLOGY = "Academic Radiology"
_BIOMETRICS = "Biometrics"

REFERENCES: dict[str, Reference] = {
    # Curves and areas
    "fawcett2006": Reference(
        ("Fawcett, Tom",),
        2006,
        "An introduction to ROC analysis",
        "Pattern Recognition Letters",
        "27(8)",
        "861-874",
        "10.1016/j.patrec.2005.10.010",
    ),
    "delong1988": Reference(
        ("DeLong, Elizabeth R.", "DeLong, David M.", "Clarke-Pearson, Daniel L."),
        1988,
        "Comparing the areas under two or more correlated receiver operating characteristic curves: a "
        "nonparametric approach",
        _BIOMETRICS,
        "44(3)",
        "837-845",
        "10.2307/2531595",
    ),
    "sun2014": Reference(
        ("Sun, Xu", "Xu, Weichao"),
        2014,
        "Fast implementation of DeLong's algorithm for comparing the areas under correlated receiver "
        "operating characteristic curves",
        "IEEE Signal Processing Letters",
        "21(11)",
        "1389-1393",
        "10.1109/LSP.2014.2337313",
    ),
    "hanley1982": Reference(
        ("Hanley, James A.", "McNeil, Barbara J."),
        1982,
        "The meaning and use of the area under a receiver operating characteristic (ROC) curve",
        "Radiology",
        "143(1)",
        "29-36",
        "10.1148/radiology.143.1.7063747",
    ),
    "mcclish1989": Reference(
        ("McClish, Donna K.",),
        1989,
        "Analyzing a portion of the ROC curve",
        "Medical Decision Making",
        "9(3)",
        "190-195",
        "10.1177/0272989X8900900307",
    ),
    "hand2009": Reference(
        ("Hand, David J.",),
        2009,
        "Measuring classifier performance: a coherent alternative to the area under the ROC curve",
        "Machine Learning",
        "77(1)",
        "103-123",
        "10.1007/s10994-009-5119-5",
    ),
    "hand2001": Reference(
        ("Hand, David J.", "Till, Robert J."),
        2001,
        "A simple generalisation of the area under the ROC curve for multiple class classification problems",
        "Machine Learning",
        "45(2)",
        "171-186",
        "10.1023/A:1010920819831",
    ),
    "dorfman1969": Reference(
        ("Dorfman, Donald D.", "Alf, Edward"),
        1969,
        "Maximum-likelihood estimation of parameters of signal-detection theory and determination of "
        "confidence intervals: rating-method data",
        "Journal of Mathematical Psychology",
        "6(3)",
        "487-496",
        "10.1016/0022-2496(69)90019-4",
    ),
    "youden1950": Reference(
        ("Youden, W. J.",), 1950, "Index for rating diagnostic tests", "Cancer", "3(1)", "32-35"
    ),
    # Averages and operating points
    "hogan2023": Reference(
        ("Hogan, Jack", "Adams, Niall M."),
        2023,
        "On averaging ROC curves",
        "Transactions on Machine Learning Research",
    ),
    "chen2014": Reference(
        ("Chen, Weijie", "Samuelson, Frank W."),
        2014,
        "The average receiver operating characteristic curve in multireader multicase imaging studies",
        "British Journal of Radiology",
        "87(1040)",
        "20140016",
        "10.1259/bjr.20140016",
    ),
    "paclik2008": Reference(
        ("Paclik, Pavel", "Lai, Carmen", "Novovicova, Jana", "Duin, Robert P. W."),
        2008,
        "Variance estimation for two-class and multi-class ROC analysis using operating point averaging",
        "International Conference on Pattern Recognition",
        kind="inproceedings",
    ),
    "klement2011": Reference(
        ("Klement, William", "Flach, Peter", "Japkowicz, Nathalie", "Matwin, Stan"),
        2011,
        "Smooth receiver operating characteristics (smROC) curves",
        "European Conference on Machine Learning and Knowledge Discovery in Databases (ECML PKDD)",
        kind="inproceedings",
    ),
    # Many datasets
    "holm1979": Reference(
        ("Holm, Sture",),
        1979,
        "A simple sequentially rejective multiple test procedure",
        "Scandinavian Journal of Statistics",
        "6(2)",
        "65-70",
    ),
    "benjamini1995": Reference(
        ("Benjamini, Yoav", "Hochberg, Yosef"),
        1995,
        "Controlling the false discovery rate: a practical and powerful approach to multiple testing",
        "Journal of the Royal Statistical Society, Series B",
        "57(1)",
        "289-300",
    ),
    "westfall1993": Reference(
        ("Westfall, Peter H.", "Young, S. Stanley"),
        1993,
        "Resampling-based multiple testing",
        "Wiley",
        kind="book",
    ),
    "nadeau2003": Reference(
        ("Nadeau, Claude", "Bengio, Yoshua"),
        2003,
        "Inference for the generalization error",
        "Machine Learning",
        "52(3)",
        "239-281",
        "10.1023/A:1024068626366",
    ),
    "ledell2015": Reference(
        ("LeDell, Erin", "Petersen, Maya", "van der Laan, Mark"),
        2015,
        "Computationally efficient confidence intervals for cross-validated area under the ROC "
        "curve estimates",
        "Electronic Journal of Statistics",
        "9(1)",
        "1583-1607",
        "10.1214/15-EJS1035",
    ),
    "dersimonian1986": Reference(
        ("DerSimonian, Rebecca", "Laird, Nan"),
        1986,
        "Meta-analysis in clinical trials",
        "Controlled Clinical Trials",
        "7(3)",
        "177-188",
        "10.1016/0197-2456(86)90046-2",
    ),
    "hartung2001": Reference(
        ("Hartung, Joachim", "Knapp, Guido"),
        2001,
        "A refined method for the meta-analysis of controlled clinical trials with binary outcome",
        _MEDICINE,
        "20(24)",
        "3875-3889",
        "10.1002/sim.1009",
    ),
    "efron1983": Reference(
        ("Efron, Bradley", "Gong, Gail"),
        1983,
        "A leisurely look at the bootstrap, the jackknife, and cross-validation",
        "The American Statistician",
        "37(1)",
        "36-48",
        "10.1080/00031305.1983.10483087",
    ),
    "korn1998": Reference(
        ("Korn, Edward L.", "Graubard, Barry I."),
        1998,
        "Confidence intervals for proportions with small expected number of positive counts estimated from "
        "survey data",
        "Survey Methodology",
        "24(2)",
        "193-201",
    ),
    "efron1993": Reference(
        ("Efron, Bradley", "Tibshirani, Robert J."),
        1993,
        "An introduction to the bootstrap",
        "Chapman & Hall",
        kind="book",
    ),
    "venkatraman1996": Reference(
        ("Venkatraman, E. S.", "Begg, Colin B."),
        1996,
        "A distribution-free procedure for comparing receiver operating characteristic curves from a paired "
        "experiment",
        "Biometrika",
        "83(4)",
        "835-848",
        "10.1093/biomet/83.4.835",
    ),
    "venkatraman2000": Reference(
        ("Venkatraman, E. S.",),
        2000,
        "A permutation test to compare receiver operating characteristic curves",
        _BIOMETRICS,
        "56(4)",
        "1134-1138",
        "10.1111/j.0006-341X.2000.01134.x",
    ),
    # Reader studies
    "obuchowski1995": Reference(
        ("Obuchowski, Nancy A.", "Rockette, Howard E."),
        1995,
        "Hypothesis testing of diagnostic accuracy for multiple readers and multiple tests: an ANOVA "
        "approach with dependent observations",
        "Communications in Statistics - Simulation and Computation",
        "24(2)",
        "285-308",
        "10.1080/03610919508813243",
    ),
    "hillis2007": Reference(
        ("Hillis, Stephen L.",),
        2007,
        "A comparison of denominator degrees of freedom methods for multiple observer ROC analysis",
        _MEDICINE,
        "26(3)",
        "596-619",
        "10.1002/sim.2532",
    ),
    "hillis2014": Reference(
        ("Hillis, Stephen L.",),
        2014,
        "A marginal-mean ANOVA approach for analyzing multireader multicase radiological imaging data",
        _MEDICINE,
        "33(2)",
        "330-360",
        "10.1002/sim.5926",
    ),
    "hillis2011": Reference(
        ("Hillis, Stephen L.", "Obuchowski, Nancy A.", "Berbaum, Kevin S."),
        2011,
        "Power estimation for multireader ROC methods: an updated and unified approach",
        _RADIOLOGY,
        "18(2)",
        "129-142",
        "10.1016/j.acra.2010.09.007",
    ),
    "welch1951": Reference(
        ("Welch, B. L.",),
        1951,
        "On the comparison of several mean values: an alternative approach",
        "Biometrika",
        "38(3/4)",
        "330-336",
        "10.1093/biomet/38.3-4.330",
    ),
    "gallas2006": Reference(
        ("Gallas, Brandon D.",),
        2006,
        "One-shot estimate of MRMC variance: AUC",
        _RADIOLOGY,
        "13(3)",
        "353-362",
        "10.1016/j.acra.2005.11.030",
    ),
    "gallas2009": Reference(
        ("Gallas, Brandon D.", "Bandos, Andriy", "Samuelson, Frank W.", "Wagner, Robert F."),
        2009,
        "A framework for random-effects ROC analysis: biases with the bootstrap and other variance "
        "estimators",
        "Communications in Statistics - Theory and Methods",
        "38(15)",
        "2586-2603",
        "10.1080/03610920802610084",
    ),
    "obuchowski1997": Reference(
        ("Obuchowski, Nancy A.",),
        1997,
        "Nonparametric analysis of clustered ROC curve data",
        _BIOMETRICS,
        "53(2)",
        "567-578",
        "10.2307/2533958",
    ),
    "schuirmann1987": Reference(
        ("Schuirmann, Donald J.",),
        1987,
        "A comparison of the two one-sided tests procedure and the power approach for assessing the "
        "equivalence of average bioavailability",
        "Journal of Pharmacokinetics and Biopharmaceutics",
        "15(6)",
        "657-680",
        "10.1007/BF01068419",
    ),
}
