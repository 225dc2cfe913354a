from __future__ import annotations

import pytest

from kexplain.objects.quantity import parse
from kexplain.objects.request_slips import cpu_slip, memory_slip


@pytest.mark.parametrize(
    ("raw", "milli", "largest", "text"),
    [
        pytest.param("1000", 1_000_000, 4_000, "1000 means 1000 whole CPUs; did you mean 1000m?", id="a thousand"),
        pytest.param("500", 500_000, 0, "500 means 500 whole CPUs; did you mean 500m?", id="a round hundred"),
        pytest.param("1234", 1_234_000, 0, "1234 means 1234 whole CPUs; did you mean 1234m?", id="beyond any node"),
        pytest.param("120", 120_000, 0, "", id="not round"),
        pytest.param("50", 50_000, 0, "", id="not many"),
        pytest.param("200", 200_000, 256_000, "", id="a node is that large"),
        pytest.param("500m", 500, 0, "", id="thousandths"),
        pytest.param("1000500m", 1_000_500, 0, "", id="thousandths beside whole ones"),
        pytest.param(
            "500M", 5 * 10**11, 0, "500M means 500000000 whole CPUs; did you mean 500m?", id="a million thousandths"
        ),
        pytest.param("2Mi", 2_097_152_000, 0, "2Mi means 2097152 whole CPUs; did you mean 2m?", id="a binary million"),
        pytest.param(8 * 10**9, 8 * 10**12, 0, "8000000000 means 8000000000 whole CPUs", id="without any unit"),
        pytest.param("2G", 2 * 10**12, 0, "2G means 2000000000 whole CPUs", id="too much to be thousandths"),
        pytest.param(8e9, 8 * 10**12, 0, "8000000000.0 means 8000000000 whole CPUs", id="another resource's amount"),
    ],
)
def test_cpu(raw: object, milli: int, largest: int, text: str) -> None:
    slip = cpu_slip(raw, milli, largest)
    assert (slip.message if slip else "") == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        pytest.param("512G", "512G is 16 times what any node has; did you mean 512M?", id="decimal"),
        pytest.param("1Ti", "1Ti is 34 times what any node has; did you mean 1Gi?", id="tebibytes"),
        pytest.param("298Gi", "", id="nine times a node"),
        pytest.param("299Gi", "299Gi is 10 times what any node has; did you mean 299Mi?", id="ten times a node"),
        pytest.param("512000Mi", "", id="nobody slips by that"),
    ],
)
def test_memory_beyond_every_node(raw: str, text: str) -> None:
    slip = memory_slip(raw, parse(raw), 32 * 10**9)
    assert (slip.message if slip else "") == text


@pytest.mark.parametrize(
    ("raw", "nanos", "text"),
    [
        pytest.param("128m", 128 * 10**6, "128m means less than a byte; did you mean 128Mi?", id="thousandths"),
        pytest.param("1000m", 10**9, "1000m means 1 byte; did you mean 1000Mi?", id="thousandths that make a byte"),
        pytest.param(512, 512 * 10**9, "512 means 512 bytes; did you mean 512Mi?", id="bytes"),
        pytest.param("64Ki", 65536 * 10**9, "64Ki means 65536 bytes; did you mean a larger unit?", id="a small unit"),
        pytest.param("1Mi", (1 << 20) * 10**9, "", id="enough"),
        pytest.param("0", 0, "", id="none at all"),
    ],
)
def test_memory(raw: object, nanos: int, text: str) -> None:
    slip = memory_slip(raw, nanos)
    assert (slip.message if slip else "") == text
