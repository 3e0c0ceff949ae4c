// Set-up for tests of server processes: a data folder with an account each.
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { openFolder } from '#server/adapters/database/embedded/embedded.ts'
import { migrationsFolder } from '#server/store/database.ts'
import { addProcessMember } from './process-member.ts'
import { type Running, startServer } from '#server/testing/process.ts'
import { fillDataFolder } from '#server/testing/template.ts'

export interface ProcessSetup {
  /** The data folder of the test. */
  dataDir: string
  /** Starts a server on the folder; it is killed after the test. */
  readonly start: (env?: Record<string, string>) => Promise<Running>
  /** Makes another folder of the same kind, which is deleted after the test. */
  readonly otherFolder: () => Promise<string>
}

/** Makes the folder before each test, and deletes it after its servers have ended. */
export function processSetup(): ProcessSetup {
  let template: string
  let folders: string[] = []
  let server: Running | undefined
  const otherFolder = async (): Promise<string> => {
    const folder = await mkdtemp(path.join(tmpdir(), 'todoke-process-'))
    folders.push(folder)
    await cp(template, folder, { recursive: true })
    return folder
  }
  const it: ProcessSetup = {
    dataDir: '',
    otherFolder,
    start: async (env = {}) => (server = await startServer({ DATA_DIR: it.dataDir, ...env })),
  }
  beforeAll(async () => {
    template = await mkdtemp(path.join(tmpdir(), 'todoke-made-'))
    await fillDataFolder(template)
    const database = await openFolder(template, migrationsFolder)
    await addProcessMember(database.db)
    await database.close()
  })
  afterAll(() => rm(template, { recursive: true, force: true }))
  beforeEach(async () => {
    it.dataDir = await otherFolder()
  })
  afterEach(async () => {
    await server?.end('SIGKILL')
    server = undefined
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
    folders = []
  })
  return it
}
