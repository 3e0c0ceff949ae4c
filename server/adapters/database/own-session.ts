// Refuses a PostgreSQL that is too old, and a pooler without own sessions.
import { randomUUID } from 'node:crypto'
import type pg from 'pg'

/** Tries to find the session of another connection: a busy pooler may give another one. */
const TRIES = 5

/** Locks and prepared statements belong to a session, which PgBouncer shares in its transaction mode. */
export class SessionsShared extends Error {
  constructor() {
    super(
      'PgBouncer などのプーラーが、接続ごとのセッションを保っていません。pool_mode を session にするか、PostgreSQL に直接つないでください。',
    )
    this.name = 'SessionsShared'
  }
}

/** The oldest PostgreSQL that the statements of this version need. */
const OLDEST = 15

export class VersionTooOld extends Error {
  constructor(version: number) {
    super(`データベースは PostgreSQL ${version} です。PostgreSQL ${OLDEST} 以降にしてから起動してください。`)
    this.name = 'VersionTooOld'
  }
}

/** @param version as `server_version_num` has it @throws VersionTooOld */
export function refuseOld(version: number): void {
  const major = Math.floor(version / 10_000)
  if (major < OLDEST) throw new VersionTooOld(major)
}

/** @throws VersionTooOld */
export async function refuseOldVersion(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ version: string }>(
      "select current_setting('server_version_num') as version",
    )
    refuseOld(Number(rows[0]?.version))
  } finally {
    client.release()
  }
}

/** @throws SessionsShared when what one connection has set is seen by another one */
export async function refuseSharedSessions(pool: pg.Pool): Promise<void> {
  const [first, second] = [await pool.connect(), await pool.connect()]
  try {
    const mark = randomUUID()
    for (let tries = 0; tries < TRIES; tries++) {
      await first.query("select set_config('todoke.session', $1, false)", [mark])
      const { rows } = await second.query<{ seen: string | null }>(
        "select current_setting('todoke.session', true) as seen",
      )
      if (rows[0]?.seen === mark) throw new SessionsShared()
    }
  } finally {
    first.release()
    second.release()
  }
}
