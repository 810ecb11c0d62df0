// The tables of a fleet. A step that was published is never changed; the next one is appended.

export const schemaSteps: readonly string[] = [
  `CREATE SEQUENCE rackproof.fence;

   CREATE TABLE rackproof.lab (
     name text PRIMARY KEY, session uuid NOT NULL, host text NOT NULL, suite_version text NOT NULL,
     parallel integer NOT NULL, started_at timestamptz NOT NULL, seen_at timestamptz NOT NULL,
     expires_at timestamptz NOT NULL, beats bigint NOT NULL DEFAULT 0,
     state text NOT NULL CHECK (state IN ('running', 'stopped')));

   CREATE TABLE rackproof.gateway (
     id text PRIMARY KEY, lab text NOT NULL REFERENCES rackproof.lab, name text NOT NULL,
     labels jsonb NOT NULL, equipment jsonb NOT NULL, capabilities jsonb,
     state text NOT NULL CHECK (state IN ('listed', 'unusable', 'removed')), health text, seen_at timestamptz NOT NULL,
     UNIQUE (lab, name));
   CREATE INDEX gateway_labels ON rackproof.gateway USING gin (labels);

   CREATE TABLE rackproof.hold (
     wire text PRIMARY KEY, id text NOT NULL, gateway text NOT NULL, owner text NOT NULL, purpose text NOT NULL,
     fence bigint NOT NULL, taken_at timestamptz NOT NULL, expires_at timestamptz NOT NULL,
     limit_at timestamptz NOT NULL);
   CREATE INDEX hold_id ON rackproof.hold (id);

   CREATE TABLE rackproof.past_hold (
     wire text NOT NULL, fence bigint NOT NULL, id text NOT NULL, gateway text NOT NULL, owner text NOT NULL,
     purpose text NOT NULL, taken_at timestamptz NOT NULL, ended_at timestamptz NOT NULL, ending text NOT NULL,
     PRIMARY KEY (wire, fence));

   CREATE TABLE rackproof.night (
     id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, started_at timestamptz NOT NULL, ended_at timestamptz,
     started_by text NOT NULL, level text NOT NULL, selection text NOT NULL, seed bigint NOT NULL,
     retries integer NOT NULL, limit_ms double precision NOT NULL, suite_version text NOT NULL,
     state text NOT NULL CHECK (state IN ('running', 'finished', 'interrupted', 'killed')),
     exit_code integer, expires_at timestamptz NOT NULL);

   CREATE TABLE rackproof.turn (
     night integer NOT NULL REFERENCES rackproof.night, gateway text NOT NULL REFERENCES rackproof.gateway,
     lab text NOT NULL, expected jsonb NOT NULL, left_out jsonb NOT NULL,
     state text NOT NULL CHECK (state IN ('queued', 'running', 'done', 'set-aside')),
     note text, session uuid, fence bigint, begun_at timestamptz, ended_at timestamptz,
     outcome text, reason text, exit_code integer, conclusions jsonb,
     PRIMARY KEY (night, gateway));

   CREATE TABLE rackproof.result (
     night integer NOT NULL, lab text NOT NULL, gateway text NOT NULL, attempt integer NOT NULL,
     fence bigint NOT NULL, started_at timestamptz NOT NULL, ended_at timestamptz NOT NULL, ending text NOT NULL,
     selection text NOT NULL, concluded jsonb NOT NULL, evidence text NOT NULL, sha256 text,
     received_at timestamptz NOT NULL,
     PRIMARY KEY (night, lab, gateway, attempt),
     FOREIGN KEY (night, gateway) REFERENCES rackproof.turn);

   CREATE TABLE rackproof.act (
     gateway text NOT NULL, fence bigint NOT NULL, number integer NOT NULL, what text NOT NULL, at timestamptz NOT NULL,
     PRIMARY KEY (gateway, fence, number));

   -- Takes all the wires or none. One lock for all: fences grow in the order of the holds.
   CREATE FUNCTION rackproof.take_hold(
     wanted text[], p_id text, p_gateway text, p_owner text, p_purpose text,
     ttl_ms double precision, limit_ms double precision)
   RETURNS SETOF rackproof.hold LANGUAGE plpgsql AS $$
   DECLARE
     moment timestamptz;
     next_fence bigint;
   BEGIN
     PERFORM pg_advisory_xact_lock(hashtext('rackproof.hold'));
     moment := clock_timestamp();
     WITH ended AS (DELETE FROM rackproof.hold WHERE wire = ANY (wanted) AND expires_at <= moment RETURNING *)
     INSERT INTO rackproof.past_hold
       SELECT wire, fence, id, gateway, owner, purpose, taken_at, expires_at, 'expired' FROM ended;
     RETURN QUERY SELECT * FROM rackproof.hold WHERE wire = ANY (wanted) ORDER BY wire LIMIT 1;
     IF FOUND THEN
       RETURN;
     END IF;
     next_fence := nextval('rackproof.fence');
     RETURN QUERY INSERT INTO rackproof.hold
       SELECT one, p_id, p_gateway, p_owner, p_purpose, next_fence, moment,
         moment + least(ttl_ms, limit_ms) * interval '1 millisecond', moment + limit_ms * interval '1 millisecond'
       FROM unnest(wanted) AS one RETURNING *;
   END $$;`,

  // A hold that is revoked ends when its holder has ended the run, or at its expiry: it is never free while it is used.
  `ALTER TABLE rackproof.hold ADD COLUMN revoked boolean NOT NULL DEFAULT false;`,
  `CREATE INDEX past_hold_id ON rackproof.past_hold (id);`,

  // One line of letters a result, a place for each requirement: what the page reads of years of nights.
  `CREATE TABLE rackproof.requirement (number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE);

   CREATE TABLE rackproof.verdicts (
     night integer NOT NULL, gateway text NOT NULL, line text NOT NULL, firmware text,
     PRIMARY KEY (night, gateway), FOREIGN KEY (night, gateway) REFERENCES rackproof.turn);

   CREATE TABLE rackproof.verdict_reasons (
     night integer NOT NULL, gateway text NOT NULL, reasons jsonb NOT NULL,
     PRIMARY KEY (night, gateway), FOREIGN KEY (night, gateway) REFERENCES rackproof.turn);

   CREATE INDEX turn_gateway ON rackproof.turn (gateway, night DESC);

   INSERT INTO rackproof.requirement (id)
     SELECT DISTINCT key FROM rackproof.turn, jsonb_object_keys(conclusions -> 'requirements') AS key ORDER BY key;

   INSERT INTO rackproof.verdicts
     SELECT night, gateway, string_agg(
         CASE conclusions -> 'requirements' -> id ->> 'outcome'
           WHEN 'pass' THEN 'p' WHEN 'flaky' THEN 'y' WHEN 'fail' THEN 'f' WHEN 'error' THEN 'e'
           WHEN 'inconclusive' THEN 'i' WHEN 'not-applicable' THEN 'n' WHEN 'not-concluded' THEN 'o' ELSE '-' END,
         '' ORDER BY number), conclusions ->> 'firmware'
     FROM rackproof.turn CROSS JOIN rackproof.requirement WHERE conclusions IS NOT NULL
     GROUP BY night, gateway;

   INSERT INTO rackproof.verdict_reasons
     SELECT night, gateway, jsonb_object_agg(key, left(value ->> 'reason', 500))
     FROM rackproof.turn, jsonb_each(conclusions -> 'requirements')
     WHERE value ->> 'outcome' IN ('flaky', 'fail', 'error', 'inconclusive') AND value ? 'reason'
     GROUP BY night, gateway;`,

  // Requirements that are quarantined in the night, with reason, owner and expiry.
  `ALTER TABLE rackproof.night ADD COLUMN quarantined jsonb NOT NULL DEFAULT '[]';`,
];
