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

  // Further turns that look for the cause of a new failure: each is a night of its own, with one turn.
  `ALTER TABLE rackproof.night ADD COLUMN cause_of integer REFERENCES rackproof.night;
   ALTER TABLE rackproof.turn ADD COLUMN conditions jsonb NOT NULL DEFAULT '{}';
   ALTER TABLE rackproof.gateway ADD COLUMN rig text, ADD COLUMN installs boolean NOT NULL DEFAULT false,
     ADD COLUMN suites jsonb NOT NULL DEFAULT '[]';
   CREATE TABLE rackproof.cause (
     night integer NOT NULL, gateway text NOT NULL, found jsonb NOT NULL,
     PRIMARY KEY (night, gateway), FOREIGN KEY (night, gateway) REFERENCES rackproof.turn);`,

  // Those who wait for a gateway, in their order; limits of the fleet; runs of people and of CI jobs, with their last lines.
  `ALTER TABLE rackproof.night ADD COLUMN kind text NOT NULL DEFAULT 'night' CHECK (kind IN ('night', 'run'));
   ALTER TABLE rackproof.turn ADD COLUMN hold_id text;
   ALTER TABLE rackproof.hold ADD COLUMN taken_by name NOT NULL DEFAULT session_user, ADD COLUMN claim text;
   CREATE INDEX hold_owner ON rackproof.hold (owner);
   CREATE INDEX hold_claim ON rackproof.hold (claim);

   CREATE TABLE rackproof.limits (
     number integer PRIMARY KEY CHECK (number = 1), gateways_per_owner integer, longest_ms double precision);
   INSERT INTO rackproof.limits VALUES (1, NULL, NULL);

   CREATE TABLE rackproof.claim (
     id text PRIMARY KEY, gateway text, labels jsonb NOT NULL, owner text NOT NULL, purpose text NOT NULL,
     priority integer NOT NULL, for_agent boolean NOT NULL, suite_version text, ttl_ms double precision NOT NULL,
     limit_ms double precision NOT NULL, taken_by name NOT NULL DEFAULT session_user,
     since timestamptz NOT NULL DEFAULT clock_timestamp(), expires_at timestamptz NOT NULL);

   CREATE TABLE rackproof.tail (
     night integer NOT NULL, gateway text NOT NULL, first integer NOT NULL, lines jsonb NOT NULL, at timestamptz NOT NULL,
     PRIMARY KEY (night, gateway), FOREIGN KEY (night, gateway) REFERENCES rackproof.turn);

   -- Gives free gateways to those who wait: by priority, which rises by one in 30 minutes, then to the owner with the
   -- fewest gateways, then to the first. The caller has the lock of all holds.
   CREATE FUNCTION rackproof.grant_claims(moment timestamptz) RETURNS void LANGUAGE plpgsql AS $$
   DECLARE
     best record;
   BEGIN
     LOOP
       SELECT claim.*, gateway.id AS unit, gateway.lab INTO best
       FROM rackproof.claim
       CROSS JOIN LATERAL (
         SELECT count(DISTINCT hold.gateway) AS units FROM rackproof.hold
         WHERE hold.owner = claim.owner AND hold.expires_at > moment) AS share
       JOIN rackproof.gateway ON gateway.state = 'listed' AND gateway.labels @> claim.labels
         AND (claim.gateway IS NULL OR claim.gateway = gateway.id)
       JOIN rackproof.lab ON lab.name = gateway.lab AND lab.state = 'running' AND lab.expires_at > moment
         AND (claim.suite_version IS NULL OR claim.suite_version = lab.suite_version)
       WHERE claim.expires_at > moment
         AND share.units < coalesce((SELECT gateways_per_owner FROM rackproof.limits), share.units + 1)
         AND NOT EXISTS (SELECT FROM rackproof.hold WHERE hold.wire = gateway.id AND hold.expires_at > moment)
       ORDER BY claim.priority - floor(extract(epoch FROM moment - claim.since) / 1800), share.units, claim.since, random()
       LIMIT 1;
       EXIT WHEN NOT FOUND;
       WITH ended AS (DELETE FROM rackproof.hold WHERE wire = best.unit RETURNING *)
       INSERT INTO rackproof.past_hold
         SELECT wire, fence, id, gateway, owner, purpose, taken_at, expires_at, 'expired' FROM ended;
       INSERT INTO rackproof.hold
         (wire, id, gateway, owner, purpose, fence, taken_at, expires_at, limit_at, taken_by, claim)
       VALUES (best.unit, CASE WHEN best.for_agent THEN 'agent:' || best.lab || ':' ELSE '' END || best.id, best.unit,
         best.owner, best.purpose, nextval('rackproof.fence'), moment,
         moment + least(best.ttl_ms, best.limit_ms) * interval '1 millisecond',
         moment + best.limit_ms * interval '1 millisecond', best.taken_by, best.id);
       DELETE FROM rackproof.claim WHERE id = best.id;
     END LOOP;
   END $$;

   -- A sign of life of one who waits; answers the hold when it was granted.
   CREATE FUNCTION rackproof.ask_for(
     p_id text, p_gateway text, p_labels jsonb, p_owner text, p_purpose text, p_priority integer, p_for_agent boolean,
     p_suite_version text, p_ttl_ms double precision, p_limit_ms double precision, alive_ms double precision)
   RETURNS SETOF rackproof.hold LANGUAGE plpgsql AS $$
   DECLARE
     moment timestamptz;
   BEGIN
     PERFORM pg_advisory_xact_lock(hashtext('rackproof.hold'));
     moment := clock_timestamp();
     IF NOT EXISTS (SELECT FROM rackproof.hold WHERE claim = p_id AND expires_at > moment) THEN
       INSERT INTO rackproof.claim AS known
         (id, gateway, labels, owner, purpose, priority, for_agent, suite_version, ttl_ms, limit_ms, expires_at)
       VALUES (p_id, p_gateway, p_labels, p_owner, p_purpose, p_priority, p_for_agent, p_suite_version, p_ttl_ms,
         least(p_limit_ms, (SELECT longest_ms FROM rackproof.limits)),
         moment + alive_ms * interval '1 millisecond')
       ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at;
       DELETE FROM rackproof.claim WHERE expires_at < moment;
       PERFORM rackproof.grant_claims(moment);
     END IF;
     RETURN QUERY SELECT * FROM rackproof.hold WHERE claim = p_id AND expires_at > moment;
   END $$;

   CREATE OR REPLACE FUNCTION rackproof.take_hold(
     wanted text[], p_id text, p_gateway text, p_owner text, p_purpose text,
     ttl_ms double precision, limit_ms double precision)
   RETURNS SETOF rackproof.hold LANGUAGE plpgsql AS $$
   DECLARE
     moment timestamptz;
     next_fence bigint;
   BEGIN
     PERFORM pg_advisory_xact_lock(hashtext('rackproof.hold'));
     moment := clock_timestamp();
     PERFORM rackproof.grant_claims(moment);
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

  // What roles may: holds are taken and ended by functions, which check limits and owners.
  `CREATE FUNCTION rackproof.may_end_all() RETURNS boolean LANGUAGE sql STABLE SET search_path = pg_catalog AS $$
     SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'rackproof' AND pg_has_role(session_user, nspowner, 'MEMBER'))
       OR EXISTS (SELECT FROM pg_roles WHERE rolname IN ('rackproof_admin', 'rackproof_agent')
         AND pg_has_role(session_user, oid, 'MEMBER'))
   $$;

   CREATE FUNCTION rackproof.release_hold(p_id text) RETURNS void LANGUAGE plpgsql AS $$
   BEGIN
     IF NOT rackproof.may_end_all() AND EXISTS (SELECT FROM rackproof.hold WHERE id = p_id AND taken_by <> session_user) THEN
       RAISE EXCEPTION 'another user has reserved it' USING ERRCODE = 'insufficient_privilege';
     END IF;
     WITH ended AS (DELETE FROM rackproof.hold WHERE id = p_id RETURNING *)
     INSERT INTO rackproof.past_hold
       SELECT wire, fence, id, gateway, owner, purpose, taken_at, least(expires_at, clock_timestamp()), 'released' FROM ended;
   END $$;

   CREATE FUNCTION rackproof.revoke_hold(p_id text) RETURNS void LANGUAGE plpgsql AS $$
   BEGIN
     IF NOT rackproof.may_end_all() AND EXISTS (SELECT FROM rackproof.hold WHERE id = p_id AND taken_by <> session_user) THEN
       RAISE EXCEPTION 'it is used for another user' USING ERRCODE = 'insufficient_privilege';
     END IF;
     UPDATE rackproof.hold SET revoked = true WHERE id = p_id;
   END $$;

   ALTER FUNCTION rackproof.grant_claims SECURITY DEFINER SET search_path = pg_catalog;
   ALTER FUNCTION rackproof.ask_for SECURITY DEFINER SET search_path = pg_catalog;
   ALTER FUNCTION rackproof.take_hold SECURITY DEFINER SET search_path = pg_catalog;
   ALTER FUNCTION rackproof.release_hold SECURITY DEFINER SET search_path = pg_catalog;
   ALTER FUNCTION rackproof.revoke_hold SECURITY DEFINER SET search_path = pg_catalog;
   REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA rackproof FROM PUBLIC;`,
];
