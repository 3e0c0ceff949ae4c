// Versions of the app and of the programs it runs with, each read once.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import * as v from 'valibot'
import type { getMachine } from '#contract/administration/machine.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { withTimeLimit } from '#server/services/runtime/time-limit.ts'
import { migrationsFolder } from '#server/store/database.ts'
import { databaseFacts } from '#server/store/staff/machine.ts'

type Versions = ReplyOf<typeof getMachine>['versions']

const nullable = v.nullable(v.pipe(v.string(), v.maxLength(60)))
const buildFile = v.pipe(v.string(), v.parseJson(), v.object({ build: nullable, commit: nullable }))
export type Build = v.InferOutput<typeof buildFile>

/** The build and the commit that `npm run build` wrote; nulls for an app that was built before it did. */
export async function readBuild(dist: string): Promise<Build> {
  const text = await readFile(path.join(dist, 'build.json'), 'utf8').catch(() => undefined)
  const parsed = v.safeParse(buildFile, text)
  return parsed.success ? parsed.output : { build: null, commit: null }
}

const journal = v.pipe(v.string(), v.parseJson(), v.object({ entries: v.array(v.unknown()) }))

/** Migrations that this version of the server knows. */
async function knownMigrations(): Promise<number> {
  const text = await readFile(path.join(migrationsFolder, 'meta/_journal.json'), 'utf8')
  return v.parse(journal, text).entries.length
}

let ffmpeg: Promise<string | null> | undefined

/** The version of ffmpeg on the PATH; null without one. Read once. */
function ffmpegVersion(): Promise<string | null> {
  ffmpeg ??= promisify(execFile)('ffmpeg', ['-version'], { timeout: 5000 }).then(
    ({ stdout }) => /^ffmpeg version (\S{1,60})/.exec(stdout)?.[1] ?? null,
    () => null,
  )
  return ffmpeg
}

/** Time limit of Redis, ms. */
const REDIS_TIME = 1000

export async function readVersions({ database, redis, settings }: Deps): Promise<Versions> {
  const { version, migrations } = await databaseFacts(database)
  return {
    ...(await readBuild(settings.dist)),
    node: process.version,
    database: database.kind === 'pglite' ? `PGlite (PostgreSQL ${version})` : `PostgreSQL ${version}`,
    redis: redis ? await withTimeLimit(redis.version(), REDIS_TIME).catch(() => null) : null,
    ffmpeg: await ffmpegVersion(),
    migrations: { applied: migrations, known: await knownMigrations() },
  }
}
