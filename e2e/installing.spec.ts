// The app as an app: it can be installed, starts with no network, and takes a new version politely.
import { write, press } from './rig/editor.ts'
import { arrivesOnce } from './rig/delivery.ts'
import { creator, fan, signIn } from './rig/people.ts'
import { expect, test } from './rig/story.ts'

test.use({ firstVisit: true })

test('the browser finds nothing against installing it', async ({ network, phone }) => {
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

test('every picture the manifest names is there, in its size', async ({ network, phone }) => {
  const { page } = phone
  await page.goto(`${network.url}/login`)
  const wrong = await page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]')
    const manifest = (await (await fetch(link?.href ?? '')).json()) as Record<
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
})

test('the shell starts with no network, and the person is still known', async ({ network, phone }) => {
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

test('a new version is offered while a video is sent, comes when asked for, and loses nothing', async ({
  server,
  network,
  phone,
  largeVideo,
}) => {
  const { page } = phone
  const content = '新しい版でも届く'
  await signIn(page, network.url, creator)
  await page.evaluate(async () => navigator.serviceWorker.ready)
  // Slow enough that the old version is in the middle of the video whenever it is asked to step aside.
  network.throttle(4_000_000)
  await write(page, network.url, { content, files: [largeVideo.path] })
  await press(page, network.url)

  const worker = await (await fetch(`${server.url}/sw.js`)).text()
  network.deploy('/sw.js', `${worker}\n// the next version`)
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  await expect(page.getByText('新しいバージョンがあります。')).toBeVisible()
  const states = (): Promise<(string | undefined)[]> =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration()
      return [registration?.waiting?.state, registration?.active?.state]
    })
  expect(await states()).toEqual(['installed', 'activated'])

  const loaded = page.waitForEvent('load')
  await page.getByRole('button', { name: '更新する' }).click()
  await loaded
  await expect.poll(states).toEqual([undefined, 'activated'])
  network.throttle(Number.POSITIVE_INFINITY)
  await arrivesOnce({ server, network, phone, largeVideo }, content)
})
