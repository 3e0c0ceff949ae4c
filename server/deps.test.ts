// Durability of the embedded database.
import fs from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { openFolder } from './adapters/database/embedded/embedded.ts'
import { migrationsFolder } from './store/database.ts'

test('every commit is synced to the disk, and its rows exist after reopening', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'todoke-deps-'))
  const first = await openFolder(folder, migrationsFolder)
  await first.executeSql('create table stored (n int)')
  const sync = vi.spyOn(fs, 'fsyncSync')
  for (let n = 0; n < 5; n++) await first.executeSql('insert into stored values ($1)', [n])
  const syncs = sync.mock.calls.length
  sync.mockRestore()
  await first.close()
  expect(syncs).toBeGreaterThanOrEqual(5)
  const second = await openFolder(folder, migrationsFolder)
  const { rows } = await second.executeSql('select count(*)::int as n from stored')
  await second.close()
  await rm(folder, { recursive: true })
  expect(rows).toEqual([{ n: 5 }])
}, 60_000)
