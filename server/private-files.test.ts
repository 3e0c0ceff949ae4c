// Files that the server writes to its data folder are readable only by its user.
import { mkdtemp, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startServer } from './testing/process.ts'

const folders: string[] = []
afterAll(async () => {
  for (const it of folders) await rm(it, { recursive: true, force: true })
})

test('uploads, identity documents, media and keys are readable only by the server’s user', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'todoke-private-'))
  folders.push(dataDir)
  // Folders of earlier versions were readable by others.
  await mkdir(path.join(dataDir, 'uploads'), { mode: 0o755 })
  const server = await startServer({ DATA_DIR: dataDir, SEED_DEMO: '1' })
  await server.end('SIGTERM')
  // PGlite sets the modes of its own files, in a folder that only its user can enter. Assets are public.
  const names = (await readdir(dataDir, { recursive: true })).filter((it) => !/^(pglite|assets)\//.test(it))
  const open: string[] = []
  for (const name of names) {
    const { mode } = await stat(path.join(dataDir, name))
    if ((mode & 0o077) !== 0) open.push(`${name} ${(mode & 0o777).toString(8)}`)
  }
  expect(names).toContain('pglite')
  expect(names.filter((it) => it.startsWith('uploads/')).length).toBeGreaterThan(0)
  expect(open).toEqual([])
})
