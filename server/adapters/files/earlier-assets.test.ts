// Files of earlier builds are served to pages that were opened before a deploy.
import { mkdtemp, readdir, rm, writeFile, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openWorld } from '#server/testing/world.ts'
import { storeAssets } from './earlier-assets.ts'

const DAY = 24 * 3600 * 1000
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'todoke-assets-'))
})
afterEach(() => rm(folder, { recursive: true }))

const dist = () => path.join(folder, 'dist')
const earlierAssets = () => path.join(folder, 'earlier')

/** A deploy: only the new build's files are in `dist`. */
async function deploy(...names: string[]): Promise<void> {
  await rm(dist(), { recursive: true, force: true })
  await mkdir(path.join(dist(), 'assets'), { recursive: true })
  await writeFile(path.join(dist(), 'index.html'), '<!doctype html>')
  for (const name of names) await writeFile(path.join(dist(), 'assets', name), name)
}
const start = (now: number) => storeAssets(path.join(dist(), 'assets'), earlierAssets(), now)
const names = async () => (await readdir(earlierAssets())).toSorted()

test('files of the previous build stay after a deploy, except source maps', async () => {
  await deploy('home-a.js', 'home-a.js.map')
  await start(DAY)
  await deploy('home-b.js')
  await start(2 * DAY)
  expect(await names()).toEqual(['home-a.js', 'home-b.js'])
})

test('files that no build had for 30 days are removed; files of the current build stay', async () => {
  await deploy('home-a.js', 'same.js')
  await start(0)
  await deploy('home-b.js', 'same.js')
  await start(29 * DAY)
  expect(await names()).toEqual(['home-a.js', 'home-b.js', 'same.js'])
  await start(31 * DAY)
  expect(await names()).toEqual(['home-b.js', 'same.js'])
})

test('without a build nothing is stored', async () => {
  await start(0)
  await expect(readdir(earlierAssets())).rejects.toThrow('ENOENT')
})

test('a file of the previous build is served as immutable, and no file outside that folder', async () => {
  await deploy('home-a.js')
  await start(Date.now())
  await deploy('home-b.js')
  const world = await openWorld({ settings: { dist: dist(), earlierAssets: earlierAssets() } })
  const get = (url: string) => world.app.inject({ url })
  const old = await get('/assets/home-a.js')
  expect([old.statusCode, old.body, old.headers['cache-control']]).toEqual([
    200,
    'home-a.js',
    'public, max-age=31536000, immutable',
  ])
  expect((await get('/assets/home-b.js')).statusCode).toBe(200)
  expect(await names()).toEqual(['home-a.js', 'home-b.js'])
  expect((await get('/assets/home-c.js')).statusCode).toBe(404)
  expect((await get('/assets/..%2f..%2fdist%2findex.html.js')).statusCode).toBe(404)
  await world.close()
})
