// Migrations of a later version, for tests.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { migrationsFolder } from '#server/store/database.ts'

interface Journal {
  entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[]
}

/** Adds a migration to a folder, later than all others. */
export async function addMigration(folder: string, sql: string): Promise<void> {
  const file = path.join(folder, 'meta', '_journal.json')
  const journal = JSON.parse(await readFile(file, 'utf8')) as Journal
  const idx = journal.entries.length
  const when = Math.max(...journal.entries.map((it) => it.when)) + 1
  const tag = `${String(idx).padStart(4, '0')}_later`
  journal.entries.push({ idx, version: '7', when, tag, breakpoints: true })
  await writeFile(path.join(folder, `${tag}.sql`), sql)
  await writeFile(file, JSON.stringify(journal))
}

export interface LaterMigrations {
  readonly folder: string
  remove(): Promise<void>
}

/** @param indexes statements of `concurrent-indexes.sql` */
export async function laterMigrations(
  statements: readonly string[],
  indexes?: string,
): Promise<LaterMigrations> {
  const folder = await mkdtemp(path.join(tmpdir(), 'todoke-migrations-'))
  await cp(migrationsFolder, folder, { recursive: true })
  for (const it of statements) await addMigration(folder, it)
  if (indexes !== undefined) await writeFile(path.join(folder, 'concurrent-indexes.sql'), indexes)
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
