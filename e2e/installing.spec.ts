// Installation of the app, start without network, and updates to a new version.
import type { Page } from '@playwright/test'
import { write, press } from './rig/posting/editor.ts'
import { expectPublishedOnce } from './rig/posting/delivery.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { installNewVersion } from './rig/browsers/new-version.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { creator, fan, signInByCookie, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

test.use({ firstVisit: true })

test('the browser reports no obstacle to an installation', async ({ network, phone }) => {
  const { page } = phone
  await signIn(page, network.url, fan)
  await page.evaluate(async () => navigator.serviceWorker.ready)
  const debug = await phone.cdp()
  const manifest = await debug.send('Page.getAppManifest')
  expect(manifest.errors).toEqual([])
  const { id, icons, screenshots, shortcuts } = JSON.parse(manifest.data ?? '{}') as Record<string, unknown[]>
  expect(id).toBe('/')
  for (const list of [icons, screenshots, shortcuts]) expect(list?.length).toBeGreaterThan(0)
  const { installabilityErrors } = await debug.send('Page.getInstallabilityErrors')
  expect(installabilityErrors).toEqual([])
})

test(
  'every image of the manifest exists in its declared size',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    await page.goto(`${network.url}/login`)
    const wrong = await page.evaluate(async () => {
      const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]')
      if (!link) throw new Error('the page names no manifest')
      const manifest = (await (await fetch(link.href)).json()) as Record<
        string,
        { src: string; sizes: string }[]
      >
      const wrongOnes: string[] = []
      for (const { src, sizes } of [...(manifest['icons'] ?? []), ...(manifest['screenshots'] ?? [])]) {
        const answer = await fetch(src)
        const picture = await createImageBitmap(await answer.blob()).catch(() => undefined)
        if (`${picture?.width}x${picture?.height}` !== sizes)
          wrongOnes.push(`${src} ${picture?.width}x${picture?.height}`)
      }
      return wrongOnes
    })
    expect(wrong).toEqual([])
  },
)

test('the shell starts without network, and the person is still signed in', async ({ network, phone }) => {
  const { page } = phone
  await signIn(page, network.url, fan)
  await page.evaluate(async () => navigator.serviceWorker.ready)
  network.cut()
  await phone.context.setOffline(true)
  await page.goto(`${network.url}/`)
  await expect(page.getByText('オフラインです。')).toBeVisible()
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await expect(page).toHaveURL(`${network.url}/`)
})

test('a new version is offered during an upload, installed on request, and loses nothing', async ({
  server,
  network,
  phone,
  largeVideo,
}) => {
  const { page } = phone
  const content = '新しい版でも届く'
  await signIn(page, network.url, creator)
  await page.evaluate(async () => navigator.serviceWorker.ready)
  // Slow enough that the old version is still uploading when it should release its lock.
  network.throttle(4_000_000)
  await write(page, network.url, { content, files: [largeVideo.path] })
  await press(page, network.url)

  const worker = await (await fetch(`${server.url}/sw.js`)).text()
  network.deploy('/sw.js', `${worker}\n// the next version`)
  // Settled: the state of a worker whose installation has ended.
  expect(await installNewVersion(page)).toBe('installed')
  await expect(page.getByText('新しいバージョンがあります。')).toBeVisible()
  const states = (): Promise<(string | undefined)[]> =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration()
      return [registration?.waiting?.state, registration?.active?.state]
    })
  await expect.poll(states).toEqual(['installed', 'activated'])

  // For three seconds the page sends requests to the old version, as a scrolled page does.
  await page.evaluate(() => {
    let remaining = 150
    const timer = setInterval(
      () => (remaining-- > 0 ? void fetch('/icons/icon-192.png') : clearInterval(timer)),
      20,
    )
  })
  // The app tries up to eight times to end the old version, half a minute on a busy machine.
  const loaded = page.waitForEvent('load')
  const busy = await page.getByRole('button', { name: '更新する' }).evaluate(async (button: HTMLElement) => {
    button.click()
    // The progress is drawn at once; the page may be reloaded a quarter of a second later.
    // oxlint-disable-next-line house/no-sleep-in-tests -- the next task of the page
    await new Promise((done) => setTimeout(done))
    return [button.ariaBusy, button.innerText]
  })
  expect(busy).toEqual(['true', '更新しています'])
  await loaded
  await expect.poll(states).toEqual([undefined, 'activated'])
  network.throttle(Number.POSITIVE_INFINITY)
  await expectPublishedOnce({ server, network, phone, largeVideo }, content)
})

/**
 * Fires the browser's install prompt event, which a headless browser never fires. The app has taken it, and has drawn what
 * follows from it.
 */
const offerToInstall = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const prompt = () => {
      document.body.dataset['prompted'] = 'yes'
      return Promise.resolve({ outcome: 'accepted' })
    }
    const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt })
    if (window.dispatchEvent(event)) throw new Error('the app did not take the prompt')
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame)
  })

test(
  'a returning person is offered an installation, prompted on request, and not again after a refusal',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    // The browser decides when to offer an installation, so the story triggers the event.
    await page.addInitScript(() => {
      addEventListener('beforeinstallprompt', (event) => event.isTrusted && event.stopImmediatePropagation())
    })
    await signInByCookie(page, network.url, fan)
    await page.goto(network.url)
    const offer = page.getByRole('region', { name: 'ホーム画面に追加' })
    await expect(page.getByRole('article').first()).toBeVisible()
    await offerToInstall(page)
    await expect(offer).toHaveCount(0)

    // The first visit was yesterday.
    await page.evaluate(() =>
      localStorage.setItem(
        'todoke.install',
        JSON.stringify({ days: ['2026年1月1日'], dismissed: 0, dismissedAt: 0 }),
      ),
    )
    await reload(page, ['2026年1月1日'])
    await expect(page.getByRole('article').first()).toBeVisible()
    await offerToInstall(page)
    await offer.getByRole('button', { name: '追加する' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '追加する' }).click()
    await expect(page.locator('body[data-prompted=yes]')).toHaveCount(1)
    await expect(page.getByText('ホーム画面に追加しました。')).toBeVisible()

    await reload(page, nothingWritten)
    await expect(page.getByRole('article').first()).toBeVisible()
    await offerToInstall(page)
    await offer.getByRole('button', { name: 'あとで' }).click()
    await reload(page, ['"dismissed":1'])
    await expect(page.getByRole('article').first()).toBeVisible()
    await offerToInstall(page)
    await expect(offer).toHaveCount(0)
  },
)

test(
  'an iPhone shows the steps, an in-app browser the way out of it, and each its notification support',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    const iPhone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 Version/18.4 Mobile/15E148'
    await signInByCookie(page, network.url, fan)
    const debug = await phone.cdp()
    // Neither has an install prompt or the Push API.
    await page.addInitScript(() => {
      addEventListener('beforeinstallprompt', (event) => event.stopImmediatePropagation())
      Reflect.deleteProperty(window, 'PushManager')
    })
    for (const [agent, step, pushes] of [
      [
        iPhone,
        '「ホーム画面に追加」を選びます',
        'iPhoneとiPadでは、ホーム画面に追加したとどけから開くと、通知を受け取れます。',
      ],
      [`${iPhone} Line/15.2.0`, '「ブラウザーで開く」を選びます', 'かわりに、メールで受け取れます。'],
    ] as const) {
      await debug.send('Emulation.setUserAgentOverride', { userAgent: agent })
      await page.goto(`${network.url}/settings`)
      await page.getByRole('button', { name: 'ホーム画面に追加' }).click()
      await expect(page.getByRole('dialog').getByRole('listitem').filter({ hasText: step })).toBeVisible()
      await expectNoViolationsInEachLook(page)
      await page.goto(`${network.url}/settings/notification`)
      await expect(page.getByRole('main').getByText(pushes)).toBeVisible()
      await expectNoViolationsInEachLook(page)
    }
  },
)

test(
  'a new version that one tab requested is loaded in the other tab too',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const [first, second] = [phone.page, await phone.context.newPage()]
    await signInByCookie(first, network.url, fan)
    for (const page of [first, second]) {
      await page.goto(`${network.url}/settings`)
      await page.evaluate(async () => navigator.serviceWorker.ready)
    }
    const worker = await (await fetch(`${server.url}/sw.js`)).text()
    network.deploy('/sw.js', `${worker}\n// the next version`)
    // Settled: as above.
    expect(await installNewVersion(first)).toBe('installed')
    for (const page of [first, second])
      await expect(page.getByText('新しいバージョンがあります。')).toBeVisible()
    const loaded = [first, second].map((page) => page.waitForEvent('load'))
    await second.getByRole('button', { name: '更新する' }).click()
    await Promise.all(loaded)
    for (const page of [first, second]) {
      await expect(page.getByRole('link', { name: '通知の設定' })).toBeVisible()
      await expect(page.getByText('新しいバージョンがあります。')).toHaveCount(0)
    }
  },
)

test(
  'a missing part of the build reloads the page once, not repeatedly',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page, context } = phone
    await signInByCookie(page, network.url, fan)
    await page.goto(`${network.url}/settings`)
    await expect(page.getByRole('link', { name: '通知の設定' })).toBeVisible()
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
      for (const name of await caches.keys()) await caches.delete(name)
    })
    const loads: string[] = []
    page.on('load', () => loads.push(new URL(page.url()).pathname))
    await context.route('**/assets/notification-*.js', (route) => route.fulfill({ status: 404 }))
    // When only prefetched, the new version is offered.
    await page.getByRole('link', { name: '通知の設定' }).hover()
    await expect(page.getByText('新しいバージョンがあります。')).toBeVisible()
    expect(loads).toEqual([])
    await page.getByRole('link', { name: '通知の設定' }).click()
    await expect(page).toHaveURL(`${network.url}/settings/notification`)
    await expect(page.getByRole('heading', { name: '読み込めませんでした' })).toBeVisible()
    expect(loads).toEqual(['/settings/notification'])
    await context.unroute('**/assets/notification-*.js')
    await reload(page, nothingWritten)
    await expect(page.getByRole('heading', { name: '通知の設定' })).toBeVisible()
  },
)
