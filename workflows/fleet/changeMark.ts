import Type from "typebox";
import type { Queries } from "./database.ts";

/** A text that differs when the page of the fleet may differ: nights, turns, labs, and the hour for stale gateways. */
export async function changeMark(queries: Queries): Promise<string> {
  const [row] = await queries.rows(
    Type.Object({ mark: Type.String() }),
    `WITH latest AS (SELECT id, state FROM rackproof.night ORDER BY id DESC LIMIT 10)
     SELECT concat_ws(' ', date_trunc('hour', clock_timestamp()),
       (SELECT string_agg(id || state, ',' ORDER BY id) FROM latest),
       (SELECT concat_ws(' ', max(ended_at), max(begun_at), count(*) FILTER (WHERE state = 'running'),
          count(*) FILTER (WHERE state = 'queued'))
        FROM rackproof.turn WHERE night IN (SELECT id FROM latest)),
       (SELECT string_agg(concat_ws(' ', name, state, expires_at > clock_timestamp()), ',' ORDER BY name) FROM rackproof.lab),
       (SELECT count(*) FROM rackproof.gateway WHERE state <> 'removed')) AS mark`,
  );
  return row?.mark ?? "";
}
