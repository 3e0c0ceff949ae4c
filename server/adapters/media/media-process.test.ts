// Requests to a media process that ends.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { makeJobFolder } from './job-folder.ts'
import { startMediaProcess } from './media-process.ts'

test('a request to a process that has ended is rejected, and does not wait for a reply', async () => {
  const scratch = await mkdtemp(path.join(tmpdir(), 'todoke-make-'))
  const child = startMediaProcess({
    sandbox: 'none',
    job: await makeJobFolder(scratch),
    path: process.env['PATH'] ?? '',
    memory: 2 ** 31,
    cpu: 60,
    hidden: [],
  })
  await child.end()
  await expect(child.request({}, 60_000)).rejects.toThrow('media child ended with SIGKILL')
  await rm(scratch, { recursive: true })
}, 20_000)
