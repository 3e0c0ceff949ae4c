// What a running server writes into its data folder: no other user of the machine may read any of it.
import { mkdtemp, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startServer } from './testing/process.ts'

const folders: string[] = []
afterAll(async () => {
  for (const it of folders) await rm(it, { recursive: true, force: true })
})

test('uploads, identity documents, media and keys are readable by the server’s own user alone', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'todoke-private-'))
  folders.push(dataDir)
  // An earlier version made its folders readable.
  await mkdir(path.join(dataDir, 'uploads'), { mode: 0o755 })
  const server = await startServer({ DATA_DIR: dataDir, SEED_DEMO: '1' })
  await server.end('SIGTERM')
  // PGlite sets the modes of its own files, in a folder that lets no other user in. Assets are files of public builds.
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
