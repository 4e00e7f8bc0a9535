"""Make the data files of Table 1, and the digits of Paclik and others, from the originals at UCI.

    python -m papers.smroc.fetching DIR [SET ...]

downloads the originals, makes ``DIR/uci/<set>.csv`` of each and checks it against its stored checksum.
``python -m papers all --data DIR`` then reads them. With ``--from FOLDER`` the originals are taken from
a folder instead. It needs the network, so it is no part of the automatic tests: those give it short pieces of
the originals.
"""
