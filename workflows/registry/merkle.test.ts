// The tree of RFC 6962 against the vectors of the Certificate Transparency implementations, and against itself.
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isConsistent, isIncluded, leafHash, MerkleTree } from "./merkle.ts";

const inputs = [
  "",
  "00",
  "10",
  "2021",
  "3031",
  "40414243",
  "5051525354555657",
  "606162636465666768696a6b6c6d6e6f",
];
const leaves = inputs.map((hex) => leafHash(Buffer.from(hex, "hex")));
const tree = new MerkleTree(leaves);
const hex = (hashes: readonly Buffer[]): string[] => hashes.map((hash) => hash.toString("hex"));

const roots = [
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];
const left = "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e";
const fifth = "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b";
const lastPair = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0";
const second = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7";
const rightHalf = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4";

test("roots of 0 to 8 leaves", () => {
  expect(roots.map((_, size) => tree.root(size).toString("hex"))).toEqual(roots);
});

test("inclusion proofs", () => {
  expect(hex(tree.inclusionProof(0, 1))).toEqual([]);
  expect(hex(tree.inclusionProof(0, 8))).toEqual([second, left, rightHalf]);
  expect(hex(tree.inclusionProof(5, 8))).toEqual([fifth, lastPair, roots[4]]);
  expect(hex(tree.inclusionProof(2, 3))).toEqual([roots[2]]);
  expect(hex(tree.inclusionProof(1, 5))).toEqual([roots[1], left, fifth]);
});

test("consistency proofs", () => {
  expect(hex(tree.consistencyProof(1, 1))).toEqual([]);
  expect(hex(tree.consistencyProof(1, 8))).toEqual([second, left, rightHalf]);
  expect(hex(tree.consistencyProof(6, 8))).toEqual([
    "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
    lastPair,
    roots[4],
  ]);
  expect(hex(tree.consistencyProof(2, 5))).toEqual([left, fifth]);
});

describe("every tree of up to 40 leaves", () => {
  const many = new MerkleTree(Array.from({ length: 40 }, (_, index) => leafHash(`leaf ${index}`)));
  const head = (size: number) => ({ size, root: many.root(size) });
  const wrong = createHash("sha256").update("wrong").digest();

  test("proves the inclusion of each leaf, and of no other leaf, place or root", () => {
    const mistakes: string[] = [];
    for (let size = 1; size <= 40; size++)
      for (let index = 0; index < size; index++) {
        const proof = many.inclusionProof(index, size);
        const leaf = leafHash(`leaf ${index}`);
        const found = [
          !isIncluded(leaf, index, head(size), proof),
          isIncluded(wrong, index, head(size), proof),
          isIncluded(leaf, index, { size, root: wrong }, proof),
          isIncluded(leaf, index, head(size), [...proof, wrong]),
          isIncluded(leaf, index + 1, head(size), proof),
          proof.length > 0 && isIncluded(leaf, index, head(size), proof.slice(1)),
        ];
        if (found.includes(true)) mistakes.push(`leaf ${index} of ${size}: ${found.join()}`);
      }
    expect(mistakes).toEqual([]);
  });

  test("proves that it continues each smaller tree, and no other tree", () => {
    const mistakes: string[] = [];
    for (let size = 0; size <= 40; size++)
      for (let older = 0; older <= size; older++) {
        const proof = many.consistencyProof(older, size);
        const found = [
          !isConsistent(head(older), head(size), proof),
          older > 0 && isConsistent({ size: older, root: wrong }, head(size), proof),
          older > 0 && older < size && isConsistent(head(older), { size, root: wrong }, proof),
          isConsistent(head(older), head(size), [...proof, wrong]),
          older < size && isConsistent(head(size), head(older), proof),
        ];
        if (found.includes(true)) mistakes.push(`${older} to ${size}: ${found.join()}`);
      }
    expect(mistakes).toEqual([]);
  });
});
