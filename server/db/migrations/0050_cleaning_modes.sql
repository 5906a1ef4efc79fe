CREATE FUNCTION normalize_cleaning_mode(name text) RETURNS text LANGUAGE sql STRICT AS $$
  SELECT CASE WHEN name IN ('scrub', 'sweep', 'vacuum', 'dust_mop', 'polish', 'disinfect', 'other') THEN name
    WHEN cardinality(modes) = 1 THEN modes[1] ELSE 'other' END
  FROM (
    SELECT array_agg(mode) AS modes
    FROM (
      SELECT regexp_replace(regexp_replace(lower(regexp_replace(name, '([a-z0-9])([A-Z])', '\1 \2', 'g')), '[^a-z]+', ' ', 'g'),
        'dust mop', 'dustmop', 'g') AS words
    ) spelled, (VALUES
      ('scrub', 'scrub(s|bing|bed)?'), ('sweep', 'sweep(s|ing)?'), ('vacuum', 'vacuum(s|ing|ed)?|suction'),
      ('dust_mop', 'dustmop(s|ping|ped)?'), ('polish', '(polish|burnish)(es|ing|ed)?'),
      ('disinfect', 'disinfect(s|ing|ion|ed)?|saniti[sz](e|es|ing|ed)'),
      ('other', 'mop(s|ping|ped)?|wash(es|ing|ed)?|wip(e|es|ing|ed)')
    ) verb(mode, pattern)
    WHERE words ~ ('\m(' || pattern || ')\M')
  ) meant
$$;
--> statement-breakpoint
UPDATE "runs" SET
  "mode" = normalize_cleaning_mode(coalesce("mode", "mode_raw")),
  "mode_raw" = coalesce("mode_raw",
    CASE WHEN normalize_cleaning_mode("original"->>'mode') <> "original"->>'mode' THEN "original"->>'mode' END,
    CASE WHEN normalize_cleaning_mode("mode") <> "mode" THEN "mode" END),
  "original" = CASE WHEN "original"->>'mode' IS NULL THEN "original"
    ELSE "original" || jsonb_build_object('mode', normalize_cleaning_mode("original"->>'mode')) END
WHERE normalize_cleaning_mode(coalesce("mode", "mode_raw")) IS DISTINCT FROM "mode"
  OR normalize_cleaning_mode("original"->>'mode') <> "original"->>'mode';
--> statement-breakpoint
DROP FUNCTION normalize_cleaning_mode(text);
--> statement-breakpoint
CREATE INDEX "runs_mode_idx" ON "runs" USING btree ("mode","id") WHERE "runs"."deleted_at" is null;
--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_mode_check" CHECK ("runs"."mode" in ('scrub', 'sweep', 'vacuum', 'dust_mop', 'polish', 'disinfect', 'other'));
