import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";

/** Number of clients, and actions of each. */
export interface Effort {
  readonly clients: number;
  readonly rounds: number;
}

export const efforts: Readonly<Record<CampaignLevel, Effort>> = {
  smoke: { clients: 4, rounds: 3 },
  nightly: { clients: 6, rounds: 12 },
  certification: { clients: 10, rounds: 120 },
};

/** Runs all clients at the same time, each with its rounds in sequence. */
export async function sideBySide(
  clients: number,
  rounds: number,
  act: (client: number, round: number) => Promise<void>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let round = 0; round < rounds; round++) await act(client, round);
    }),
  );
}
