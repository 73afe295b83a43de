"""Copy the picture that the README shows from the latest results to docs/figures.

Usage: copy_pictures.py [benchmark=NAME] [results=FOLDER] [study=NAME], where config.yaml would be overruled.
"""

import shutil

from latest import ROOT, latest

_, _, folder = latest()
target = ROOT / "docs/figures"
target.mkdir(exist_ok=True)
shutil.copyfile(folder / "figures/comparison.png", target / "comparison.png")
print(f"{folder}/figures/comparison.png is now {target}/comparison.png")
