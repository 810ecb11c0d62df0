// Texts that a store, an encoding or a form would change, by the kind of member that contains them.
import type { CaseContext } from "../../harness/index.ts";

/** What a member contains: the harness must recognise names as its own, and some kinds have limits. */
export type TextKind =
  | "free"
  | "name"
  | "address"
  | "unit"
  | "tag name"
  /** A name that is the profile's unless a form has another. */
  | "given name"
  | "keyword"
  | "host";

/** One form of a text in every kind of member; a kind without it keeps an ordinary text. */
export interface OddForm {
  /** A noun phrase for checks. */
  readonly what: string;
  /** `own` is unique to the member and the step. */
  readonly texts: Readonly<Partial<Record<TextKind, (own: string) => string>>>;
  /** Whether things with such names must be removable, because nobody would recognise their names as the suite's. */
  readonly hidesOwn?: boolean;
}

const astral = "\u{1F600}\u{10348}";
const longestName = 64;
const longestTagName = 1024;

/** Ordinary texts; every gateway accepts them. */
const ordinary: Readonly<Partial<Record<TextKind, (own: string) => string>>> = {
  free: (own) => `text ${own}`,
  name: (own) => own,
  address: (own) => `${own}@example.org`,
  unit: () => "kPa",
  "tag name": (own) => own,
  keyword: (own) => own,
  host: () => "192.0.2.7",
};

export const oddForms: readonly OddForm[] = [
  {
    what: "capital letters and signs",
    texts: {
      free: (own) => `Text ${own} 100% %41%2F + <b>B</b> &amp; 'a'="b" c\\d`,
      name: (own) => `${own}+=,.@_-Ab`,
      address: (own) => `First.Last+${own}@example.org`,
      unit: () => "A+%41<b>&'\"",
      "tag name": (own) => `${own} A+%41 <b>&amp;'"`,
      "given name": (own) => `${own} A+%41 <b>&amp;'"`,
      keyword: (own) => `${own} A+%41 <b>&amp;'"`,
      host: () => "2001:DB8::7+A",
    },
  },
  {
    what: "characters outside ASCII",
    texts: {
      free: (own) => `Détail 説明 ${astral} ${own}`,
      // Letters only, which the published rule for names permits.
      name: (own) => `${own}-é説\u{20BB7}`,
      address: (own) => `é説${astral}.${own}@example.org`,
      unit: () => `°C/h ${astral}`,
      "tag name": (own) => `${own} é説${astral}`,
      "given name": (own) => `${own} é説${astral}`,
      keyword: (own) => `${own} é説${astral}`,
      host: () => `é説${astral}`,
    },
  },
  {
    what: "an ampersand and an apostrophe",
    texts: {
      name: (own) => `${own}&'a'`,
      address: (own) => `o'neil&sons+${own}@example.org`,
      host: (own) => `<${own}>&'a'`,
    },
  },
  {
    what: "many characters",
    texts: {
      free: (own) => `${own} ${"0123456789 説é".repeat(90)} end`,
      name: (own) => own.padEnd(longestName, "é"),
      address: (own) => `${`${own}x`.padEnd(longestName, "y")}@example.org`,
      unit: () => "説é".repeat(8),
      "tag name": (own) => own.padEnd(longestTagName, "0123456789説é"),
      "given name": (own) => own.padEnd(longestTagName, "0123456789説é"),
      // More than 255 bytes of fewer than 255 characters.
      keyword: (own) => `${own} ${"0123456789 説é説é".repeat(12)} end`,
      host: () => `${"läbel.".repeat(38)}example.org`,
    },
  },
  {
    what: "blanks around them",
    texts: { free: (own) => `  text ${own}  `, unit: () => "  m/s  " },
  },
  {
    what: "digits alone",
    texts: {
      free: () => "0070",
      name: digits,
      unit: () => "007",
      "tag name": digits,
      "given name": digits,
      keyword: digits,
      host: () => "0070",
    },
    hidesOwn: true,
  },
];

/** A number with leading zeros that nobody else uses. */
function digits(own: string): string {
  return `00${BigInt(`0x${Buffer.from(own).subarray(-8).toString("hex")}`)}`;
}

/** Ordinary texts for the members, and those of the form for some of them. Each is unique. */
export function textsOf(
  { scratch }: CaseContext,
  members: Readonly<Record<string, TextKind>>,
  form?: OddForm,
  odd: readonly string[] = Object.keys(members),
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([member, kind]) => {
      const make = (odd.includes(member) ? form?.texts[kind] : undefined) ?? ordinary[kind];
      return make === undefined ? [] : [[member, make(scratch.name("text"))]];
    }),
  );
}
