// A reused browser has no data of the previous story (decision 040).
import { type BrowserContext, type Page } from '@playwright/test'
import { killPhone, nothingWritten } from './rig/browsers/leaving.ts'
import { creator, fan, signInByCookie } from './rig/people/people.ts'
import { expectNoDrafts } from './rig/posting/editor.ts'
import type { Phone } from './rig/browsers/phone.ts'
import { expect, test } from './rig/story.ts'

const mark = 'left by a story'

/** A page of the app's origin without the app's code. */
const bare = (url: string) => `${url}/manifest.webmanifest`

/** All stored data that a page of the origin can read. */
const found = (page: Page) =>
  page.evaluate(async () => {
    const answer = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, fail) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => fail(request.error ?? new Error('refused')))
      })
    const rows: string[] = []
    for (const { name } of await indexedDB.databases()) {
      if (name === undefined) continue
      const database = await answer(indexedDB.open(name))
      for (const store of database.objectStoreNames) {
        const keys = await answer(database.transaction(store).objectStore(store).getAllKeys())
        rows.push(...keys.map((it) => `${store} ${JSON.stringify(it)}`))
      }
      database.close()
    }
    const files: string[] = []
    for await (const it of (await navigator.storage.getDirectory()).keys()) files.push(it)
    return {
      rows,
      files,
      cookies: document.cookie,
      local: Object.keys(localStorage),
      session: Object.keys(sessionStorage),
      caches: await caches.keys(),
      workers: (await navigator.serviceWorker.getRegistrations()).map((it) => it.active?.scriptURL),
      online: navigator.onLine,
      name: window.name,
    }
  })

test('a phone that is used again has the app installed and no other data', async ({ network, phonePool }) => {
  const phone = await phonePool.acquire()
  await phone.page.goto(bare(network.url))
  const fresh = await found(phone.page)
  expect(fresh).toMatchObject({
    cookies: '',
    local: ['todoke.push-offer'],
    session: [],
    rows: [],
    files: [],
  })
  expect(fresh.caches).toHaveLength(1)
  expect(fresh.workers).toEqual([`${network.url}/sw.js`])

  // A person signs in and writes; the story ends with open tabs, wrong replies and no network.
  const { context, page } = phone
  await signInByCookie(page, network.url, creator)
  await page.goto(`${network.url}/post/upload2`)
  await page.getByRole('textbox', { name: '本文' }).fill(mark)
  await expect.poll(async () => (await found(page)).rows).not.toEqual([])
  await page.evaluate(async (it) => {
    document.cookie = `${it}=1; path=/`
    localStorage.setItem(it, it)
    sessionStorage.setItem(it, it)
    window.name = it
    await (await navigator.storage.getDirectory()).getFileHandle('left', { create: true })
  }, mark)
  const worker = context.serviceWorkers()[0]
  await worker?.evaluate((it) => void Object.assign(globalThis, { left: it }), mark)
  await (await context.newPage()).goto(network.url)
  await context.route('**/api/**', (route) => route.abort())
  let requests = 0
  context.on('request', () => (requests += 1))
  context.setDefaultTimeout(1)
  await context.setOffline(true)

  await phonePool.release(phone)
  const again = await phonePool.acquire()
  expect(again).toBe(phone)
  expect(again.context.pages()).toHaveLength(1)
  expect(again.page.url()).toBe('about:blank')
  // Settled: the pool has cleared the browser before it gave it out.
  expect(await again.context.cookies()).toEqual([])
  const before = requests
  await again.page.goto(bare(network.url))
  // Settled: the page has none of the app's code, which could write.
  expect(await found(again.page)).toEqual(fresh)
  expect(requests).toBe(before)
  const [restarted] = again.context.serviceWorkers()
  // Settled: the pool has started the worker again before it gave the browser out.
  expect(await restarted?.evaluate(() => 'left' in globalThis)).toBe(false)
  // The next person has to sign in and gets their own session.
  await again.page.goto(network.url)
  await expect(again.page).toHaveURL(/\/login/)
  await signInByCookie(again.page, network.url, fan)
  await again.page.goto(`${network.url}/post/upload2`)
  await expect(again.page.getByRole('textbox', { name: '本文' })).toHaveValue('')
  await expectNoDrafts(again.page)
  await phonePool.release(again)
})

test(
  'a phone that is used again lets a story intercept the requests of its worker',
  { tag: '@deep' },
  async ({ network, phonePool }) => {
    await phonePool.release(await phonePool.acquire())
    const phone = await phonePool.acquire()
    const routed: string[] = []
    await phone.context.route('**/api/**', async (route) => {
      routed.push(new URL(route.request().url()).pathname)
      await route.continue()
    })
    await signInByCookie(phone.page, network.url, fan)
    await phone.page.goto(network.url)
    await expect(phone.page.getByRole('heading', { name: 'ホーム' })).toBeVisible()
    await expect.poll(() => routed).toContain('/api/auth/session')
    await phonePool.release(phone)
  },
)

const changes: Record<string, (phone: Phone, context: BrowserContext) => Promise<unknown>> = {
  'a script of its own': (_, context) => context.addInitScript('window.left = 1'),
  'a function of the test': (_, context) => context.exposeFunction('left', () => 1),
  'another clock': ({ page }) => page.clock.install(),
  'a permission': (_, context) => context.grantPermissions(['notifications']),
  'a debugger': (phone) => phone.cdp(),
  'a killed browser': async (phone) => {
    await killPhone(phone, nothingWritten)
    await phone.start()
  },
  'no worker': async ({ page }) => {
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.unregister())
  },
  'another cache': async ({ page }) => {
    await page.evaluate(() => caches.open('left'))
  },
  'a file less in the cache': async ({ page }) => {
    await page.evaluate(async () => {
      const [name] = await caches.keys()
      if (name === undefined) throw new Error('there is no cache')
      const cache = await caches.open(name)
      const [file] = await cache.keys()
      if (file === undefined) throw new Error('the cache is empty')
      await cache.delete(file)
    })
  },
}

for (const [name, change] of Object.entries(changes))
  test(`a phone with ${name} is not used again`, { tag: '@deep' }, async ({ network, phonePool }) => {
    const phone = await phonePool.acquire()
    // With the worker running, nothing else prevents reuse.
    await phone.page.goto(bare(network.url))
    await change(phone, phone.context)
    await phonePool.release(phone)
    const next = await phonePool.acquire()
    expect(next).not.toBe(phone)
    expect(phone.isRunning).toBe(false)
    await phonePool.release(next)
  })
