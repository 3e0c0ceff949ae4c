// A browser without WebAssembly: heic2any converts, in a sandboxed document of its own, and no other policy is wider.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { onDevice } from './rig/converting.ts'
import { press } from './rig/editor.ts'
import { reference, values } from './rig/heic.ts'
import { openEditor, pick, stored, taken } from './rig/picked.ts'
import { arrival } from './rig/posts.ts'
import { expect, test } from './rig/story.ts'

const SANDBOX = '/heic-sandbox.html'
// Hardened browsers compile nothing at run time, which leaves no WebAssembly.
const withoutWasm = { jsFlags: '--jitless' }
/** Of 8 bits and of before iOS 18: what heic2any reads. */
const photos = ['syn-p3flat.heic', 'syn-alpha.heic']
const fixture = (name: string) => join(import.meta.dirname, 'fixtures/heic', name)

/** Counts documents of heic2any, and tries to interfere with each as another script of the page could. */
async function watchFrames(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = { frames: 0, inside: [] as string[] }
    Object.assign(window, { seen })
    new MutationObserver((changes) => {
      for (const node of changes.flatMap((it) => [...it.addedNodes])) {
        if (!(node instanceof HTMLIFrameElement)) continue
        seen.frames++
        seen.inside.push(`${node.getAttribute('sandbox')} ${new URL(node.src).pathname}`)
        // Forged answers: to the window, in every shape that might be taken for one.
        for (const forged of [new ArrayBuffer(8), null, { png: new ArrayBuffer(8) }])
          window.postMessage(forged, '*')
      }
    }).observe(document, { childList: true, subtree: true })
  })
}

const frames = (page: Page) =>
  page.evaluate(() => (window as unknown as { seen: { frames: number; inside: string[] } }).seen)

test('HEICs become JPEGs by heic2any where there is no WebAssembly, and are posted', async ({
  server,
  network,
  another,
}) => {
  const content = 'WebAssemblyなしで届く'
  const phone = await another(withoutWasm)
  const { page } = phone
  await watchFrames(page)
  const violations: string[] = []
  page.on('console', (it) => it.text().includes('Content Security Policy') && violations.push(it.text()))
  await openEditor(page, network.url)
  expect(await page.evaluate(() => 'WebAssembly' in window)).toBe(false)
  await page.getByRole('textbox', { name: '本文' }).fill(content)
  await pick(page, photos.map(fixture))
  await expect(taken(page)).toHaveCount(photos.length)
  const rows = await stored(page)
  expect(rows.map((it) => [it.name, it.mime])).toEqual([
    ['syn-p3flat.jpg', 'image/jpeg'],
    ['syn-alpha.jpg', 'image/jpeg'],
  ])
  for (const [at, name] of photos.entries()) {
    const bytes = rows[at]?.bytes ?? Buffer.alloc(0)
    const { format, exif, icc } = await sharp(bytes).metadata()
    // Only the first says that its colours are those of Display P3.
    expect({ name, format, exif, isTagged: icc !== undefined }).toEqual({
      name,
      format: 'jpeg',
      exif: undefined,
      isTagged: at === 0,
    })
    // Its libheif is of 2019 and rounds in another way.
    const [made, wanted] = [await values(bytes), await reference(name)]
    expect(Math.max(...made.map((value, i) => Math.abs(value - (wanted[i] ?? 0)))), name).toBeLessThan(20)
  }
  // One document for each file, gone after it.
  const document = `allow-scripts ${SANDBOX}`
  expect(await frames(page)).toEqual({ frames: 2, inside: [document, document] })
  expect(page.frames()).toHaveLength(1)
  expect(violations).toEqual([])
  await press(page, network.url)
  await arrival(server.url, content)
})

test('pictures heic2any cannot read rightly are not taken from it: the person decides about them', async ({
  network,
  another,
}) => {
  const { page } = await another(withoutWasm)
  await openEditor(page, network.url)
  await pick(page, [fixture('syn-10bit.heic')])
  await expect(page.getByText(/syn-10bit\.heic：この端末では変換できませんでした/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'syn-10bit.heic：そのまま送る' })).toBeVisible()
  const [row] = await onDevice(page)
  expect(row?.bytes).toBe(readFileSync(fixture('syn-10bit.heic')).toString('hex'))
})

test('inside its document there is no origin, no cookie, no storage, no network and no way to the page', async ({
  network,
  another,
}) => {
  const { page } = await another(withoutWasm)
  await openEditor(page, network.url)
  await page.evaluate((path) => {
    const frame = document.createElement('iframe')
    frame.sandbox.add('allow-scripts')
    frame.src = path
    document.body.append(frame)
  }, SANDBOX)
  await expect.poll(() => page.frames().length).toBe(2)
  const frame = page.frames()[1]
  await frame?.waitForLoadState()
  const found = await frame?.evaluate(async (api) => {
    const tried = async (it: () => unknown) => {
      try {
        await it()
        return 'allowed'
      } catch (error) {
        return error instanceof Error ? error.name : 'refused'
      }
    }
    return {
      origin: self.origin,
      cookie: await tried(() => document.cookie),
      local: await tried(() => localStorage.length),
      database: await tried(
        () =>
          new Promise((done, failed) => {
            const opening = indexedDB.open('todoke')
            opening.addEventListener('success', done)
            opening.addEventListener('error', () => failed(new DOMException('', 'SecurityError')))
          }),
      ),
      caches: await tried(() => caches.keys()),
      network: await tried(() => fetch(api)),
      page: await tried(() => parent.document.title),
    }
  }, `${network.url}/api/health`)
  expect(found).toEqual({
    origin: 'null',
    cookie: 'SecurityError',
    local: 'SecurityError',
    database: 'SecurityError',
    caches: 'SecurityError',
    network: 'TypeError',
    page: 'SecurityError',
  })
})

test('the decoder answers the page that embeds it alone, and only the first file', async ({
  network,
  another,
}) => {
  const { page } = await another(withoutWasm)
  await openEditor(page, network.url)
  const answers = await page.evaluate(async (path) => {
    const frame = document.createElement('iframe')
    frame.sandbox.add('allow-scripts')
    frame.src = path
    await new Promise((loaded) => {
      frame.addEventListener('load', loaded, { once: true })
      document.body.append(frame)
    })
    const ask = (...given: [unknown, Transferable[]?]) => {
      const { port1, port2 } = new MessageChannel()
      const answer = new Promise<string>((done) => {
        port1.addEventListener('message', ({ data }) => done(data === null ? 'unreadable' : typeof data))
        port1.start()
        setTimeout(() => done('silent'), 3000)
      })
      frame.contentWindow?.postMessage(given[0], '*', [port2])
      return answer
    }
    return [
      await ask('no file'),
      await ask(new Blob(['x'])),
      await ask(new ArrayBuffer(8)),
      await ask(new ArrayBuffer(8)),
    ]
  }, SANDBOX)
  expect(answers).toEqual(['silent', 'silent', 'unreadable', 'silent'])
})

test('the policy of every other page is what it was, and the device does not keep the decoder', async ({
  server,
  network,
  phone,
}) => {
  const policy = async (path: string) =>
    (await fetch(`${server.url}${path}`)).headers.get('content-security-policy') ?? ''
  const home = await policy('/')
  for (const path of ['/post/upload', '/post/upload2', '/login', '/settings', '/api/health', '/sw.js'])
    expect(await policy(path), path).toBe(home)
  expect(home).toContain("script-src 'self' 'wasm-unsafe-eval';")
  expect(home).toContain("worker-src 'self';")
  expect(home).not.toContain("'unsafe-eval'")
  expect(home).not.toContain('frame-src')
  const sandbox = await policy(SANDBOX)
  expect(sandbox).toContain("default-src 'none'")
  expect(sandbox).toContain('sandbox allow-scripts')

  // With WebAssembly the shell from the device has the server's policy.
  await openEditor(phone.page, network.url)
  await expect.poll(() => phone.page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  const shell = await phone.page.reload()
  expect(shell?.headers()['content-security-policy']).not.toContain('frame-src')
  const kept = await phone.page.evaluate(async () => {
    const names = await caches.keys()
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return keys.flat().map((it) => new URL(it.url).pathname)
  })
  expect(kept).toContain('/index.html')
  expect(kept).not.toContain(SANDBOX)
})
