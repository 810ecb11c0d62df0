// Merkle tree of RFC 6962: root, inclusion proof and consistency proof, and their verification (RFC 9162, 2.1).
import { createHash } from "node:crypto";

/** Hash of a leaf. */
export function leafHash(data: string | Uint8Array): Buffer {
  return createHash("sha256").update(Buffer.of(0)).update(data).digest();
}

function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return createHash("sha256").update(Buffer.of(1)).update(left).update(right).digest();
}

/** A tree over leaf hashes. Complete subtrees are hashed once, which makes every proof a matter of lookups. */
export class MerkleTree {
  /** `[k][i]`: root of the i-th complete subtree of 2^k leaves. */
  readonly #levels: Buffer[][];

  constructor(leaves: readonly Buffer[]) {
    this.#levels = [[...leaves]];
    for (let level = this.#levels[0] ?? []; level.length > 1;) {
      const above: Buffer[] = [];
      for (let index = 0; index + 1 < level.length; index += 2)
        above.push(nodeHash(level[index] ?? Buffer.of(), level[index + 1] ?? Buffer.of()));
      this.#levels.push(above);
      level = above;
    }
  }

  get size(): number {
    return this.#levels[0]?.length ?? 0;
  }

  /** Root of the first `size` leaves. */
  root(size = this.size): Buffer {
    return size === 0 ? createHash("sha256").digest() : this.#range(0, size);
  }

  /** PATH of RFC 6962, 2.1.1, in the tree of the first `size` leaves. */
  inclusionProof(index: number, size = this.size): Buffer[] {
    const path = (start: number, end: number): Buffer[] => {
      if (end - start === 1) return [];
      const middle = start + splitOf(end - start);
      return index < middle
        ? [...path(start, middle), this.#range(middle, end)]
        : [...path(middle, end), this.#range(start, middle)];
    };
    return path(0, size);
  }

  /** PROOF of RFC 6962, 2.1.2, from the first `older` leaves to the first `size` leaves. */
  consistencyProof(older: number, size = this.size): Buffer[] {
    const part = (start: number, end: number, isOwnRoot: boolean): Buffer[] => {
      if (older === end) return isOwnRoot ? [] : [this.#range(start, end)];
      const middle = start + splitOf(end - start);
      return older <= middle
        ? [...part(start, middle, isOwnRoot), this.#range(middle, end)]
        : [...part(middle, end, false), this.#range(start, middle)];
    };
    return older === 0 || older === size ? [] : part(0, size, true);
  }

  #range(start: number, end: number): Buffer {
    const count = end - start;
    const level = Math.log2(count);
    const complete = Number.isInteger(level) ? this.#levels[level]?.[start / count] : undefined;
    if (complete !== undefined) return complete;
    const middle = start + splitOf(count);
    return nodeHash(this.#range(start, middle), this.#range(middle, end));
  }
}

/** The largest power of two below the count. */
function splitOf(count: number): number {
  return 2 ** (Math.ceil(Math.log2(count)) - 1);
}

export interface Head {
  readonly size: number;
  readonly root: Uint8Array;
}

/** Whether the leaf is in the tree (RFC 9162, 2.1.3.2). */
export function isIncluded(
  leaf: Uint8Array,
  index: number,
  { size, root }: Head,
  proof: readonly Uint8Array[],
): boolean {
  if (index < 0 || index >= size) return false;
  let [place, last] = [index, size - 1];
  let hash: Uint8Array = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      hash = nodeHash(sibling, hash);
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else hash = nodeHash(hash, sibling);
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && Buffer.compare(hash, root) === 0;
}

/** Whether the newer tree begins with the older one (RFC 9162, 2.1.4.2). */
export function isConsistent(older: Head, newer: Head, proof: readonly Uint8Array[]): boolean {
  if (older.size > newer.size) return false;
  if (older.size === newer.size) return proof.length === 0 && Buffer.compare(older.root, newer.root) === 0;
  if (older.size === 0) return proof.length === 0;
  const nodes = [...(Number.isInteger(Math.log2(older.size)) ? [older.root] : []), ...proof];
  let [place, last] = [older.size - 1, newer.size - 1];
  while (place % 2 === 1) [place, last] = [half(place), half(last)];
  const [first, ...rest] = nodes;
  if (first === undefined) return false;
  let [olderHash, newerHash] = [first, first];
  for (const node of rest) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      olderHash = nodeHash(node, olderHash);
      newerHash = nodeHash(node, newerHash);
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else newerHash = nodeHash(newerHash, node);
    [place, last] = [half(place), half(last)];
  }
  return (
    last === 0 && Buffer.compare(olderHash, older.root) === 0 && Buffer.compare(newerHash, newer.root) === 0
  );
}

function half(value: number): number {
  return Math.floor(value / 2);
}
