"""Builds the wheel and the source archive of this pure Python package with the standard library alone (PEP 517, PEP 427, PEP 376)."""

import base64
import hashlib
import io
import pathlib
import tarfile
import zipfile

NAME, VERSION = "tabcast", "0.1.0"
ROOT = pathlib.Path(__file__).resolve().parent
METADATA = f"""\
Metadata-Version: 2.1
Name: {NAME}
Version: {VERSION}
Summary: Client of tabcast: forecasts of time series and predictions for tables from your own machines
License: Apache-2.0
Requires-Python: >=3.9
Provides-Extra: pandas
Requires-Dist: pandas; extra == "pandas"
Requires-Dist: pyarrow; extra == "pandas"
Provides-Extra: polars
Requires-Dist: polars; extra == "polars"
Description-Content-Type: text/markdown

"""
WHEEL = "Wheel-Version: 1.0\nGenerator: build_wheel\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def _metadata() -> bytes:
    return (METADATA + (ROOT / "README.md").read_text("utf-8")).encode()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    info = f"{NAME}-{VERSION}.dist-info"
    package = ROOT / "src" / NAME
    files = {f"{NAME}/{path.name}": path.read_bytes() for path in sorted(package.iterdir()) if path.suffix in (".py", ".typed")}
    files.update({f"{info}/METADATA": _metadata(), f"{info}/WHEEL": WHEEL.encode()})
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    filename = f"{NAME}-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / filename, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in files.items():
            wheel.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return filename


def build_sdist(sdist_directory, config_settings=None):
    folder = f"{NAME}-{VERSION}"
    with tarfile.open(pathlib.Path(sdist_directory) / f"{folder}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name in ("pyproject.toml", "build_wheel.py", "README.md"):
            archive.add(ROOT / name, f"{folder}/{name}")
        for path in sorted((ROOT / "src" / NAME).iterdir()):
            if path.suffix in (".py", ".typed"):
                archive.add(path, f"{folder}/src/{NAME}/{path.name}")
        metadata = _metadata()
        entry = tarfile.TarInfo(f"{folder}/PKG-INFO")
        entry.size = len(metadata)
        archive.addfile(entry, io.BytesIO(metadata))
    return f"{folder}.tar.gz"
