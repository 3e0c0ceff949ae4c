// A copy of the server's code with one more migration, as its next version.
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { addMigration } from './migrations.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))

export interface LaterVersion {
  /** The program that starts it. */
  readonly program: string
  remove(): Promise<void>
}

/** @param migrations SQL of the migrations that this version has more */
export async function laterVersion(migrations: readonly string[]): Promise<LaterVersion> {
  const folder = await mkdtemp(path.join(tmpdir(), 'todoke-later-'))
  const isNeeded = (file: string) => !/(?:\.test\.ts|_snapshot\.json)$/.test(file)
  for (const it of ['server', 'contract', 'package.json'])
    await cp(path.join(project, it), path.join(folder, it), { recursive: true, filter: isNeeded })
  await symlink(path.join(project, 'node_modules'), path.join(folder, 'node_modules'))
  for (const it of migrations) await addMigration(path.join(folder, 'server/store/migrations'), it)
  return {
    program: path.join(folder, 'server/main.ts'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
