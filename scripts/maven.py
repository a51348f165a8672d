"""Files from Maven Central, for the scripts beside this one."""

import hashlib
import sys
import urllib.request

CENTRAL = "https://repo.maven.apache.org/maven2"


def download(path, sha256):
    """The content of a file there, which must be the one that was meant."""
    url = f"{CENTRAL}/{path}"
    with urllib.request.urlopen(url, timeout=60) as answer:
        content = answer.read()
    if hashlib.sha256(content).hexdigest() != sha256:
        sys.exit(f"{url}: this is not the file that was expected")
    return content
