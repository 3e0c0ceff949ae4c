// Without WebAssembly heic2any converts in a sandboxed document; other pages keep their policy.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { filesOnDevice } from './rig/posting/converting.ts'
import { press } from './rig/posting/editor.ts'
import { reference, values } from './rig/posting/heic.ts'
import { openEditor, pick, storedFiles, filesInDraft } from './rig/posting/picked.ts'
import { waitForPost } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

const SANDBOX = '/heic-sandbox.html'
// Hardened browsers have no just-in-time compiler and therefore no WebAssembly.
const withoutWasm = { jsFlags: '--jitless' }
const fixture = (name: string) => join(import.meta.dirname, 'fixtures/heic', name)

/** Counts documents of heic2any, and attacks each as another script of the page could. */
async function watchFrames(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = { frames: 0, inside: [] as string[] }
    Object.assign(window, { seen })
    new MutationObserver((changes) => {
      for (const node of changes.flatMap((it) => [...it.addedNodes])) {
        if (!(node instanceof HTMLIFrameElement)) continue
        seen.frames++
        seen.inside.push(`${node.getAttribute('sandbox')} ${new URL(node.src).pathname}`)
        // Forged results, sent to the window in every form that might be accepted.
        for (const forged of [new ArrayBuffer(8), null, { png: new ArrayBuffer(8) }])
          window.postMessage(forged, '*')
      }
    }).observe(document, { childList: true, subtree: true })
  })
}

const frames = (page: Page) =>
  page.evaluate(() => (window as unknown as { seen: { frames: number; inside: string[] } }).seen)

test('without WebAssembly heic2any converts a HEIC to a JPEG, which is posted', async ({
  server,
  network,
  newPhone,
}) => {
  const content = 'WebAssemblyなしで届く'
  const phone = await newPhone(withoutWasm)
  const { page } = phone
  await watchFrames(page)
  const violations: string[] = []
  page.on('console', (it) => it.text().includes('Content Security Policy') && violations.push(it.text()))
  await openEditor(page, network.url)
  // Settled: the engine was started without it.
  expect(await page.evaluate(() => 'WebAssembly' in window)).toBe(false)
  await page.getByRole('textbox', { name: '本文' }).fill(content)
  await pick(page, [fixture('syn-p3flat.heic')])
  await expect(filesInDraft(page)).toHaveCount(1)
  const [photo] = await storedFiles(page)
  expect(photo).toMatchObject({ name: 'syn-p3flat.jpg', mime: 'image/jpeg' })
  const { format, exif, icc } = await sharp(photo?.bytes).metadata()
  expect({ format, exif }).toEqual({ format: 'jpeg', exif: undefined })
  expect(icc?.toString('latin1').replaceAll('\0', '')).toContain('Display P3')
  // Its libheif of 2019 rounds differently.
  const [made, expected] = [await values(photo?.bytes ?? Buffer.alloc(0)), await reference('syn-p3flat.heic')]
  expect(Math.max(...made.map((value, i) => Math.abs(value - (expected[i] ?? 0))))).toBeLessThan(20)
  // The one file had one document, which is removed afterwards.
  await expect.poll(() => page.frames().length).toBe(1)
  // Settled: the only file is converted, and its document is gone.
  expect(await frames(page)).toEqual({ frames: 1, inside: [`allow-scripts ${SANDBOX}`] })
  expect(violations).toEqual([])
  await press(page, network.url)
  await waitForPost(server.url, content)
})

test(
  'a picture that heic2any cannot decode correctly is not used: the person decides',
  { tag: '@deep' },
  async ({ network, newPhone }) => {
    const { page } = await newPhone(withoutWasm)
    await openEditor(page, network.url)
    // 10 bits, transparency, and the boxes of iOS 18.
    const names = ['syn-10bit.heic', 'syn-alpha.heic', 'syn-small-ios18-full.heic']
    await pick(page, names.map(fixture))
    for (const name of names) {
      await expect(
        page.getByRole('main').getByText(`${name}：この端末では変換できませんでした`, { exact: false }),
      ).toBeVisible()
      await expect(page.getByRole('button', { name: `${name}：そのまま送る` })).toBeVisible()
    }
    await expect
      .poll(async () => (await filesOnDevice(page)).map((it) => it.bytes))
      .toEqual(names.map((it) => readFileSync(fixture(it)).toString('hex')))
  },
)

test('the document of heic2any has no origin, cookie, storage, network or access to the page', async ({
  network,
  newPhone,
}) => {
  const { page } = await newPhone(withoutWasm)
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

test(
  'the decoder answers only the page that embeds it, and only for the first file',
  { tag: '@deep' },
  async ({ network, newPhone }) => {
    const { page } = await newPhone(withoutWasm)
    await openEditor(page, network.url)
    const answers = await page.evaluate(async (path) => {
      /** Embeds a decoder. @returns sends it a message and resolves with its answer, which may never come */
      const embed = async () => {
        const frame = document.createElement('iframe')
        frame.sandbox.add('allow-scripts')
        frame.src = path
        await new Promise((loaded) => {
          frame.addEventListener('load', loaded, { once: true })
          document.body.append(frame)
        })
        return (message: unknown) => {
          const { port1, port2 } = new MessageChannel()
          const answer = new Promise<string>((done) => {
            port1.addEventListener('message', ({ data }) => done(data === null ? 'unreadable' : typeof data))
            port1.start()
          })
          frame.contentWindow?.postMessage(message, '*', [port2])
          return answer
        }
      }
      const found = ['silent', 'silent', 'silent', 'silent']
      const note = async (n: number, answer: Promise<string>) => (found[n] = await answer)
      const ask = await embed()
      void note(0, ask('no file'))
      void note(1, ask(new Blob(['x'])))
      await note(2, ask(new ArrayBuffer(8)))
      void note(3, ask(new ArrayBuffer(8)))
      // Another decoder, which is loaded and asked afterwards, has answered: an answer of the first one would have come.
      await (
        await embed()
      )(new ArrayBuffer(8))
      return found
    }, SANDBOX)
    expect(answers).toEqual(['silent', 'silent', 'unreadable', 'silent'])
  },
)

test(
  'the policy of every other page is unchanged, and the decoder is not cached on the device',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const policy = async (path: string) =>
      (await fetch(`${server.url}${path}`)).headers.get('content-security-policy') ?? ''
    const home = await policy('/')
    for (const path of ['/post/upload', '/post/upload2', '/login', '/settings', '/api/health', '/sw.js'])
      // Settled: the reply to this request.
      expect(await policy(path), path).toBe(home)
    expect(home).toContain("script-src 'self' 'wasm-unsafe-eval';")
    expect(home).toContain("worker-src 'self';")
    expect(home).not.toContain("'unsafe-eval'")
    expect(home).not.toContain('frame-src')
    const sandbox = await policy(SANDBOX)
    expect(sandbox).toContain("default-src 'none'")
    expect(sandbox).toContain('sandbox allow-scripts')

    // With WebAssembly the cached shell has the server's policy.
    await openEditor(phone.page, network.url)
    await expect.poll(() => phone.page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
    const shell = await reload(phone.page, nothingWritten)
    expect(shell?.headers()['content-security-policy']).not.toContain('frame-src')
    const cached = await phone.page.evaluate(async () => {
      const names = await caches.keys()
      const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
      return keys.flat().map((it) => new URL(it.url).pathname)
    })
    expect(cached).toContain('/index.html')
    expect(cached).not.toContain(SANDBOX)
  },
)
