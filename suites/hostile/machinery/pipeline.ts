// Several requests written to one connection before the first answer.
import type { Socket } from "node:net";
import { AnswerReader, type ReadAnswer } from "./answerReader.ts";

/** The answers in order of arrival; fewer than requested when the connection ended or the time was up. */
export function pipelined(
  socket: Socket,
  requests: readonly Buffer[],
  patienceMs: number,
): Promise<ReadAnswer[]> {
  const { promise, resolve } = Promise.withResolvers<ReadAnswer[]>();
  const answers: ReadAnswer[] = [];
  let reader = new AnswerReader(false);
  const finish = (): void => {
    clearTimeout(timer);
    socket.destroy();
    resolve(answers);
  };
  const timer = setTimeout(finish, patienceMs);
  const take = (bytes: Buffer): void => {
    let progress = reader.take(bytes);
    while (progress === "whole") {
      const answer = reader.answer();
      answers.push(answer);
      // Bytes after an answer that ends the connection do not belong to a request.
      if (answers.length === requests.length || answer.isLast) return finish();
      const { rest } = reader;
      reader = new AnswerReader(false);
      progress = rest.length === 0 ? "no-head" : reader.take(rest);
    }
    if (progress === "not-http") finish();
  };
  socket.on("data", take).once("close", finish);
  socket.write(Buffer.concat(requests));
  return promise;
}
