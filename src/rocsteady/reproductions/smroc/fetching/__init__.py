"""Make the data files of Table 1 from the originals of the UCI repository.

    python -m rocsteady.reproductions.smroc.fetching DIR [SET ...]

downloads the originals, makes ``DIR/uci/<set>.csv`` of each and checks it against its stored checksum.
``rocsteady reproduce smroc --data DIR`` then reads them. With ``--from FOLDER`` the originals are taken from
a folder instead. It needs the network, so it is no part of the automatic tests: those give it short pieces of
the originals.
"""
