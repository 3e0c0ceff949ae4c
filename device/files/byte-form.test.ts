// The form of stored bytes, decided by a probe in the worker and by WebKit.
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** The module as a page finds it that was just opened. */
async function opened() {
  vi.resetModules()
  return import('./byte-form.ts')
}

const readsRightly = async (): Promise<string> => 'todoke'

beforeEach(() => vi.stubGlobal('navigator', { vendor: 'Google Inc.' }))

afterEach(async () => {
  const { closeDatabase } = await import('#device/database/database.ts')
  await closeDatabase()
  indexedDB.deleteDatabase('todoke')
  vi.unstubAllGlobals()
})

test('slices are stored where the worker reads them back, and the result is saved', async () => {
  const page = await opened()
  page.setProbe(readsRightly)
  expect(await page.byteForm()).toBe('blob')

  const next = await opened()
  next.setProbe(async () => 'xxxxxx')
  expect(await next.byteForm()).toBe('blob')
})

test('a worker that reads something else, one that does not answer, and none at all mean buffers', async () => {
  const silent = await opened()
  silent.setProbe(async () => undefined)
  expect(await silent.byteForm()).toBe('buffer')

  expect(await (await opened()).byteForm()).toBe('buffer')

  const wrong = await opened()
  wrong.setProbe(async () => 'xxxxxx')
  expect(await wrong.byteForm()).toBe('buffer')
})

test('WebKit never stores a slice, whatever its worker reads and whatever was saved before', async () => {
  const before = await opened()
  before.setProbe(readsRightly)
  expect(await before.byteForm()).toBe('blob')

  vi.stubGlobal('navigator', { vendor: 'Apple Computer, Inc.' })
  const page = await opened()
  page.setProbe(readsRightly)
  expect(await page.byteForm()).toBe('copy')

  const next = await opened()
  next.setProbe(async () => 'xxxxxx')
  expect(await next.byteForm()).toBe('copy')
})

test('WebKit stores buffers where its worker cannot read copied Blobs', async () => {
  vi.stubGlobal('navigator', { vendor: 'Apple Computer, Inc.' })
  const page = await opened()
  page.setProbe(async () => 'xxxxxx')
  expect(await page.byteForm()).toBe('buffer')
})

test('where Blobs are refused, as in private windows, buffers are stored and no result is saved', async () => {
  vi.stubGlobal('navigator', { vendor: 'Apple Computer, Inc.' })
  const refusing = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('Blobs are not supported', 'DataCloneError')
  })
  const page = await opened()
  page.setProbe(readsRightly)
  expect(await page.byteForm()).toBe('buffer')
  refusing.mockRestore()

  expect(await page.byteForm()).toBe('copy')
})

const savedKeys = async () => {
  const { transact } = await import('#device/database/database.ts')
  return transact(['settings'], 'readonly', (tx) => tx.objectStore('settings').getAllKeys())
}

test.each(['Google Inc.', 'Apple Computer, Inc.'])(
  'in the engine of %s the worker reads the probe itself',
  async (vendor) => {
    vi.stubGlobal('navigator', { vendor })
    const page = await opened()
    const texts: unknown[] = []
    page.setProbe(async (key) => {
      const text = await page.readProbe(key)
      texts.push(text)
      return text
    })
    expect(await page.readProbe('byte-probe')).toBeUndefined()
    expect(await page.byteForm()).toBe(vendor.startsWith('Apple') ? 'copy' : 'blob')
    expect(texts).toEqual(['todoke'])
    expect(await savedKeys()).toEqual(['byte-form', 'byte-probe'])
  },
)

test('a saved result of buffers is used again', async () => {
  const wrong = await opened()
  wrong.setProbe(async () => 'xxxxxx')
  expect(await wrong.byteForm()).toBe('buffer')
  const next = await opened()
  next.setProbe(readsRightly)
  expect(await next.byteForm()).toBe('buffer')
})

test('an unanswered probe is repeated, and without a worker none is written', async () => {
  const page = await opened()
  expect(await page.byteForm()).toBe('buffer')
  expect(await savedKeys()).toEqual([])
  const next = await opened()
  next.setProbe(async () => undefined)
  expect(await next.byteForm()).toBe('buffer')
  next.setProbe(readsRightly)
  expect(await next.byteForm()).toBe('blob')
})
