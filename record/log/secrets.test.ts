import { expect, test } from "vitest";
import { HarnessFault, NotApplicable, Unmet } from "../outcome.ts";
import { SecretMasks, headersLoosely, loosely } from "./secrets.ts";
import { decodeValue, encodeValue } from "./values.ts";

const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";

test("the same secret has the same mask wherever it stands, another one another, and masking twice changes nothing", () => {
  const masks = new SecretMasks(["x-own"]);
  const body = masks.text('{"password":"first","token":"second"}');
  const [, first = "", second = ""] = /"password":"(\*{8}\w{12})","token":"(\*{8}\w{12})"/.exec(body) ?? [];
  expect(first).not.toBe(second);
  expect(masks.headers({ "X-Own": "first", Authorization: "Bearer second", accept: "first" })).toEqual({
    "X-Own": first,
    Authorization: `Bearer ${second}`,
    accept: "first",
  });
  expect(masks.text(body)).toBe(body);
  expect(new SecretMasks([]).text('{"password":"first"}')).not.toContain(first);
});

test("of a JSON Web Token the claims stay and the signature is masked", () => {
  const masks = new SecretMasks([]);
  const text = masks.text(`{"token":"${jwt}","other":"${jwt}"}`);
  expect(text).not.toContain("c2lnbmF0dXJl");
  const [one, two] = [...text.matchAll(/eyJhbGciOiJIUzI1NiJ9\.eyJzdWIiOiIxIn0\.(\*{8}\w{12})/g)].map(
    ([whole]) => whole,
  );
  expect(one).toBeDefined();
  expect(one).toBe(two);
  expect(masks.text(text)).toBe(text);
});

test("a request with masks has the same loose text as the one with the secrets", () => {
  const masks = new SecretMasks([]);
  const body = `{"password":"p","token":"${jwt}"}`;
  expect(loosely(masks.text(body)).text).toBe(loosely(body).text);
  expect(loosely(body).secrets.slice(0, 2)).toEqual(["p", "c2lnbmF0dXJl"]);
  const headers = { b: "1", authorization: "Bearer abc" };
  expect(headersLoosely(masks.headers(headers), []).text).toBe(headersLoosely(headers, []).text);
  expect(headersLoosely({ ...headers, b: "2" }, []).text).not.toBe(headersLoosely(headers, []).text);
});

test("values that JSON has no word for survive a log", () => {
  const value = {
    big: 2n ** 64n - 1n,
    bytes: Buffer.from([0, 255]),
    map: new Map([["a", new Set([1, Number.NaN])]]),
    open: Number.POSITIVE_INFINITY,
    list: [undefined, null, "text"],
  };
  expect(decodeValue(encodeValue(value))).toEqual(value);
  for (const thrown of [new Unmet("a", "deadline"), new NotApplicable("b", "level"), new HarnessFault("c")]) {
    const read = decodeValue(encodeValue(thrown));
    expect(read).toBeInstanceOf(thrown.constructor);
    expect(read).toMatchObject({ message: thrown.message });
  }
});
