"""Codes of operating points of several classes."""

from __future__ import annotations

from rocsteady.codes.entry import Entry

ENTRIES: dict[str, Entry] = {
    "RS076": Entry(
        "outputs are negative and cannot be weighted",
        "A class weight multiplies the output of its class, and a larger weight shall mean more decisions "
        "for it. That holds for posteriors, votes and densities, which are not negative; a negative output "
        "would turn it around. Turn log-densities into densities by exp, distances into posteriors by "
        "calibration.",
    ),
    "RS077": Entry(
        "class weights cannot be used",
        "There is one weight per class, each a positive number; only their ratios matter. A weight of zero "
        "would mean that its class is never decided for: leave that class out instead.",
    ),
    "RS078": Entry(
        "a class has no rows",
        "Without rows of a class its error rate is 0/0. In a fold: make the folds stratified, use fewer of "
        "them, or say what shall happen: undefined='drop' leaves such folds out, undefined='keep' leaves "
        "them out of the figures of that class only, and counts.",
    ),
    "RS250": Entry(
        "class weights cannot move many of the decisions",
        "A row in which a single output is above zero is decided for that class under all weights. Trees and "
        "votes of few neighbours give many such rows; smoothed or calibrated posteriors give none.",
    ),
    "RS251": Entry(
        "columns of outputs may stand for other classes",
        "Without names the columns are taken to be the sorted labels, as scikit-learn has it. Here the "
        "outputs of two or more classes are clearly smaller for their own rows than for those of other "
        "classes, which is what exchanged columns look like. Say which column is which.",
    ),
}
