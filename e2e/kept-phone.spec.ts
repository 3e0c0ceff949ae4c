// The browser that one story leaves to the next (decision 040): nothing of what was done with it is there any more.
import { type BrowserContext, type Page } from '@playwright/test'
import { creator, fan, knownAs } from './rig/people/people.ts'
import type { Phone } from './rig/browsers/phone.ts'
import { expect, test } from './rig/story.ts'

const mark = 'left by a story'

/** A page of the address that is not the app: it reads and writes without anybody beside it. */
const bare = (url: string) => `${url}/manifest.webmanifest`

/** Everything that a page of an address finds. */
const found = (page: Page) =>
  page.evaluate(async () => {
    const answer = <T>(request: IDBRequest<T>) =>
      new Promise<T>((tell, fail) => {
        request.addEventListener('success', () => tell(request.result))
        request.addEventListener('error', () => fail(request.error ?? new Error('refused')))
      })
    const rows: string[] = []
    for (const { name } of await indexedDB.databases()) {
      const database = await answer(indexedDB.open(name ?? ''))
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

test('a phone that is used again has seen the app and knows nothing else', async ({ network, kept }) => {
  const phone = await kept.take()
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

  // Somebody signs in, writes, and leaves it lying there with tabs open, a network that answers wrongly, and none.
  const { context, page } = phone
  await knownAs(page, network.url, creator)
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
  let heard = 0
  context.on('request', () => (heard += 1))
  context.setDefaultTimeout(1)
  await context.setOffline(true)

  await kept.giveBack(phone)
  const again = await kept.take()
  expect(again).toBe(phone)
  expect(again.context.pages()).toHaveLength(1)
  expect(again.page.url()).toBe('about:blank')
  expect(await again.context.cookies()).toEqual([])
  const before = heard
  await again.page.goto(bare(network.url))
  expect(await found(again.page)).toEqual(fresh)
  expect(heard).toBe(before)
  const [restarted] = again.context.serviceWorkers()
  expect(await restarted?.evaluate(() => 'left' in globalThis)).toBe(false)
  // Whoever comes next is asked who they are, and is themselves.
  await again.page.goto(network.url)
  await expect(again.page).toHaveURL(/\/login/)
  await knownAs(again.page, network.url, fan)
  await again.page.goto(`${network.url}/post/upload2`)
  await expect(again.page.getByRole('textbox', { name: '本文' })).toHaveValue('')
  await kept.giveBack(again)
})

test('a phone that is used again lets a story stand between its worker and the network', async ({
  network,
  kept,
}) => {
  await kept.giveBack(await kept.take())
  const phone = await kept.take()
  const asked: string[] = []
  await phone.context.route('**/api/**', async (route) => {
    asked.push(new URL(route.request().url()).pathname)
    await route.continue()
  })
  await knownAs(phone.page, network.url, fan)
  await phone.page.goto(network.url)
  await expect(phone.page.getByRole('heading', { name: 'ホーム' })).toBeVisible()
  expect(asked).toContain('/api/auth/session')
  await kept.giveBack(phone)
})

const changes: Record<string, (phone: Phone, context: BrowserContext) => Promise<unknown>> = {
  'a script of its own': (_, context) => context.addInitScript('window.left = 1'),
  'a function of the test': (_, context) => context.exposeFunction('left', () => 1),
  'another clock': ({ page }) => page.clock.install(),
  'a permission': (_, context) => context.grantPermissions(['notifications']),
  'a debugger': (phone) => phone.cdp(),
  'a killed browser': async (phone) => {
    await phone.kill()
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
      const cache = await caches.open((await caches.keys())[0] ?? '')
      await cache.delete((await cache.keys())[0] ?? '')
    })
  },
}

for (const [name, change] of Object.entries(changes))
  test(`a phone with ${name} is not used again`, { tag: '@deep' }, async ({ network, kept }) => {
    const phone = await kept.take()
    // With the worker awake there is nothing else that speaks against it.
    await phone.page.goto(bare(network.url))
    await change(phone, phone.context)
    await kept.giveBack(phone)
    const next = await kept.take()
    expect(next).not.toBe(phone)
    expect(phone.isRunning).toBe(false)
    await kept.giveBack(next)
  })
