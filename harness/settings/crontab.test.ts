import { expect, test } from "vitest";
import { crontabShownFor } from "./crontab.ts";

const shown = (text: string) => {
  const [minute = "", hour = "", day = "", month = "", dayOfWeek = ""] = text.split(" ");
  return { minute, hour, day, month, dayOfWeek };
};

test.each([
  ["*/20 4 1-3 7 *", "0,20,40 04 1,2,3 JUL *"],
  ["*/20 4 1-3 7 *", "0-59/20 4 1-3 07 *"],
  ["5 4 * 7 1-5", "05 04 * 7 MON,TUE,WED,THU,FRI"],
  ["5 4 * 7 7", "5 4 * 7 SUN"],
  ["5 */1 1 * *", "5 * 1 1-12 *"],
  ["30/10 4 1 7 *", "30,40,50 4 1 7 *"],
  ["5 4 * 7 0-6", "5 4 * 7 *"],
  ["5 4 * 7 *", "5 4 1-31 7 0-6"],
])("%s may be shown as %s", (expression, text) => {
  expect(crontabShownFor(expression, shown(text))).toBe(expression);
});

test.each([
  ["*/20 4 1-3 7 *", "0,20 4 1-3 7 *"],
  ["5 4 * 7 1-5", "5 4 1-31 7 1-5"],
  ["5 4 1 7 *", "5 4 1 7 0-6"],
  ["5 4 1-31 7 1", "5 4 * 7 1"],
  ["5 4 1 7 *", "5 4 1 8 *"],
  ["5 4 1-9 7 *", "5 4 1 7 *"],
  ["5 4 1 7 *", "5 4  7 *"],
  ["5 4 1 7 *", "five 4 1 7 *"],
])("%s must not be shown as %s", (expression, text) => {
  expect(crontabShownFor(expression, shown(text))).not.toBe(expression);
});
