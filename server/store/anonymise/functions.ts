// Functions of the session that make the values of an anonymisation.
import { sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'

/** Wide characters: prose without names, numbers, links and mentions. */
const WIDE =
  'やわらかな朝の光が窓から入り、机の上の紙を明るく照らしている。湯をわかして茶をいれ、しばらく外の音を聞いた。' +
  '風が木の葉をゆらし、遠くで鳥の声がする。今日は何を書こうかと考えながら、新しいノートの最初の頁を開いた。' +
  '色とかたち、リズムとことば。小さな工夫を重ねると、作品は少しずつ育っていく。' +
  '昼には雲が流れ、夕方には街のあかりが水面にうつる。静かな夜に、続きを楽しみにしている人のことを思う。'

/** Narrow characters: the same without meaning. */
const NARROW =
  'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua '

/** Marks that add to the character before them, so that they are not counted. */
const MARKS = String.raw`[\u0300-\u036f\u200b-\u200f\u2060\ufe00-\ufe0f\U0001F3FB-\U0001F3FF]`
/** Characters of one or two bytes in UTF-8. What replaces them has one, so that no text becomes longer in bytes. */
const SHORT = String.raw`[\u0001-\u07ff]`

const definitions: readonly string[] = [
  // The first 128 bits of the hash, in the form of a random UUID.
  `new_id(old uuid) returns uuid language sql stable strict as $f$
    select overlay(overlay(left(encode(sha256(convert_to(current_setting('todoke.anonymise_key') || old::text, 'UTF8')), 'hex'), 32)
      placing '4' from 13) placing '8' from 17)::uuid $f$`,
  `read_id(old text) returns uuid language sql stable strict as $f$
    select case when old ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then old::uuid end $f$`,
  `token(old text) returns text language sql stable strict as $f$
    select case when old = '' then '' else
      'x' || left(encode(sha256(convert_to(current_setting('todoke.anonymise_key') || old, 'UTF8')), 'hex'), 31) end $f$`,
  `code(old text) returns text language sql stable strict as $f$
    select case when old ~ '^[a-z][a-z0-9_./-]{0,39}$' then old else pg_temp.token(old) end $f$`,
  `number(old text) returns text language sql stable strict as $f$
    select case when old ~ '^([A-Z]-)?[0-9]{1,12}(-[0-9]{1,12}){0,2}$' then old else pg_temp.token(old) end $f$`,
  `ids(old uuid[]) returns uuid[] language sql stable strict as $f$
    select coalesce(array_agg(pg_temp.new_id(it) order by pg_temp.new_id(it)), '{}') from unnest(old) as it $f$`,
  `pair(old text) returns text language sql stable strict as $f$
    select string_agg(id, ':' order by id collate "C") from (
      select pg_temp.new_id(pg_temp.read_id(it))::text as id from unnest(string_to_array(old, ':')) as it) as both_ids $f$`,
  // A code, or a code and an id.
  `group_key(old text) returns text language sql stable strict as $f$
    select case when old ~ '^[a-z][a-z_-]{0,39}(:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$'
      then concat_ws(':', split_part(old, ':', 1), pg_temp.new_id(pg_temp.read_id(split_part(old, ':', 2)))::text)
      else pg_temp.token(old) end $f$`,
  `birth_date(old date) returns date language sql stable strict as $f$
    select case when old <= current_date - interval '18 years' then date '1990-01-01'
      else (date_trunc('year', current_date) - interval '14 years')::date end $f$`,
  `neutral_line(line text, place integer) returns text language sql stable strict as $f$
    select substr(repeat('${WIDE}', wide / ${WIDE.length} + 2), 1 + place % ${WIDE.length}, wide)
      || regexp_replace(substr(repeat('${NARROW}', narrow / ${NARROW.length} + 2), 1 + place % ${NARROW.length}, narrow),
        '^ | $', 'a', 'g')
    from (select counted.wide, char_length(counted.plain) - counted.wide as narrow from (
      select plain, char_length(regexp_replace(plain, '${SHORT}', '', 'g')) as wide
      from (select regexp_replace(line, '${MARKS}', '', 'g') as plain) as written) as counted) as counts $f$`,
  `neutral(old text) returns text language sql stable strict as $f$
    select coalesce(string_agg(pg_temp.neutral_line(line, place + n::integer), chr(10) order by n), '')
    from (select ('x' || left(md5(current_setting('todoke.anonymise_key') || old), 7))::bit(28)::integer as place) as begins,
      string_to_table(old, chr(10)) with ordinality as lines (line, n) $f$`,
]

/**
 * Prepares the transaction. The key is a setting of the transaction, so that neither the database nor its log has it.
 * @param key random, and used by no other run: it alone leads from new ids and tokens to the earlier ones
 * @param passwordHash of all accounts; '' when no account has a password
 */
export async function addFunctions(tx: Db, key: string, passwordHash: string): Promise<void> {
  await tx.execute(sql`select set_config('todoke.anonymise_key', ${key}, true),
    set_config('todoke.anonymise_password', ${passwordHash}, true)`)
  for (const it of definitions) await tx.execute(sql.raw(`create or replace function pg_temp.${it}`))
}
