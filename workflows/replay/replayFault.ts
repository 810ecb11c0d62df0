/** Why a log cannot be replayed at all, in words. */
export class ReplayFault extends Error {
  override readonly name = "ReplayFault";
}
