"""Two raters of the same items: do they really disagree?"""
