// A PGlite database with all migrations, made once and copied by tests.
import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, globSync, openAsBlob, readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { openMemory } from '#server/adapters/database/embedded/embedded.ts'
import { migrationsFolder } from '#server/store/database.ts'
import { openJobs } from '#server/store/jobs.ts'
import { cacheFolder } from './cache-folder.ts'

const runProgram = promisify(execFile)

/** @returns the path of a tar file with the template database, including the tables of jobs */
async function templateFile(): Promise<string> {
  const migrations = globSync(path.join(migrationsFolder, '*.sql')).toSorted()
  const hash = createHash('sha256')
  for (const file of migrations) hash.update(readFileSync(file))
  const dumpFile = path.join(cacheFolder(), `todoke-world-${hash.digest('hex').slice(0, 16)}.tar`)
  if (existsSync(dumpFile)) return dumpFile
  const empty = await openMemory(migrationsFolder)
  const jobs = await openJobs(empty, () => undefined)
  await jobs.stop()
  // PostgreSQL's own template databases are a third of the dump, which every test server unpacks.
  await empty.executeSql('update pg_database set datistemplate = false')
  for (const it of ['template0', 'template1']) await empty.executeSql(`drop database ${it}`)
  const temporary = `${dumpFile}.${randomUUID()}`
  await writeFile(temporary, Buffer.from(await (await empty.dump()).arrayBuffer()))
  await empty.close()
  await rename(temporary, dumpFile)
  return dumpFile
}

/** The template database, to open in memory. */
export const templateDump = async (): Promise<Blob> => openAsBlob(await templateFile())

/** Puts the template database into the data folder of a server, whose start then runs no migration. */
export async function fillDataFolder(dataDir: string): Promise<void> {
  const folder = path.join(dataDir, 'pglite')
  await mkdir(folder, { recursive: true })
  // The names in the dump begin with a slash, which tar removes with a warning.
  await runProgram('tar', ['--extract', '--file', await templateFile(), '--directory', folder])
}
