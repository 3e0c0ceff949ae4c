// Pauses statements of a program that a test kills.
import { openSession, type Session } from '#server/testing/copies.ts'

/**
 * `dump`: before the first table is made. `emptied`: all schemas are dropped, and `public` is not made again.
 * `copy {table}`: a row arrives by COPY. `delete {table}`, `update {table}`: such a statement runs.
 */
export type Pause = 'dump' | 'emptied' | `${'copy' | 'delete' | 'update'} ${string}`

export interface Pauses {
  /** From now on, sessions that begin pause there; undefined: nowhere. */
  pauseAt(pause: Pause | undefined): Promise<void>
  /** Whether a session is in the pause. */
  isPaused(): Promise<boolean>
  /** Ends sessions that are in the pause, except those of this name. */
  endOthers(name: string): Promise<void>
  /** Makes sessions that change the comment of the database wait. @returns a function that ends those sessions, and the wait */
  holdComment(): Promise<() => Promise<void>>
  /** Whether a session waits to change the comment. */
  isCommentAwaited(): Promise<boolean>
  close(): Promise<void>
}

/** Longer than every test. */
const PAUSE_SECONDS = 600

/** In the one schema that a restore does not drop. Triggers on tables belong to the restored database, and go with it. */
const functions = `
create function information_schema.test_pause() returns trigger language plpgsql as $$
declare is_copy boolean := current_query() ~* '^\\s*copy ';
begin
  if current_setting('todoke.pause', true) is not null and is_copy = (tg_op = 'INSERT') then
    perform pg_sleep(${PAUSE_SECONDS});
  end if;
  return new;
end $$;
create function information_schema.test_pause_ddl() returns event_trigger language plpgsql as $$
declare
  pause text := coalesce(current_setting('todoke.pause', true), '');
  what text := split_part(pause, ' ', 1);
  of_table text := split_part(pause, ' ', 2);
begin
  if pause = 'dump' and tg_event = 'ddl_command_start' and tg_tag = 'CREATE TABLE'
    or pause = 'emptied' and tg_event = 'ddl_command_start' and tg_tag = 'CREATE SCHEMA' then
    perform pg_sleep(${PAUSE_SECONDS});
  end if;
  if of_table <> '' and tg_event = 'ddl_command_end' and exists (
    select 1 from pg_event_trigger_ddl_commands() where object_identity = 'public.' || of_table
  ) then
    execute format('create trigger test_pause before %s on public.%I for each %s execute function information_schema.test_pause()',
      case what when 'copy' then 'insert' else what end, of_table, case what when 'copy' then 'row' else 'statement' end);
  end if;
end $$;
create event trigger test_pause_start on ddl_command_start when tag in ('CREATE TABLE', 'CREATE SCHEMA')
  execute function information_schema.test_pause_ddl();
create event trigger test_pause_end on ddl_command_end when tag in ('CREATE TABLE')
  execute function information_schema.test_pause_ddl();`

const awaited = `wait_event_type = 'Lock' and query ilike 'comment on database %'`

const urlOf = (url: string, name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href

/** @param url of a database that the test owns, by a superuser; no session of the pauses stays on it */
export async function openPauses(url: string): Promise<Pauses> {
  const name = new URL(url).pathname.slice(1)
  const own = await openSession(url)
  await own.rows(functions)
  await own.close()
  const admin = urlOf(url, 'postgres')
  const session = await openSession(admin)
  return {
    async pauseAt(pause) {
      const how = pause === undefined ? 'reset todoke.pause' : `set todoke.pause = '${pause}'`
      await session.rows(`alter database ${name} ${how}`)
    },
    isPaused: () => hasSession(session, name, `wait_event = 'PgSleep'`),
    endOthers: async (kept) =>
      void (await session.rows(
        `select pg_terminate_backend(pid, 30000) from pg_stat_activity
         where datname = $1 and wait_event = 'PgSleep' and application_name <> $2`,
        [name, kept],
      )),
    async holdComment() {
      const holding = await openSession(admin)
      await holding.rows('begin')
      await holding.rows(`comment on database ${name} is 'held by a test'`)
      return async () => {
        await session.rows(
          `select pg_terminate_backend(pid, 30000) from pg_stat_activity where datname = $1 and ${awaited}`,
          [name],
        )
        await holding.close()
      }
    },
    isCommentAwaited: () => hasSession(session, name, awaited),
    close: () => session.close(),
  }
}

async function hasSession(session: Session, database: string, that: string): Promise<boolean> {
  const rows = await session.rows(`select 1 from pg_stat_activity where datname = $1 and ${that}`, [database])
  return rows.length > 0
}
