// A captive portal during an installation: no foreign page is cached or announced.
import { installNewVersion } from './rig/browsers/new-version.ts'
import { creator, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

// The story installs its own worker.
test.use({ ownPhone: true })

test('a new version with a foreign answer among its files is not installed; without one it is offered', async ({
  server,
  network,
  phone,
}) => {
  const { page } = phone
  await signIn(page, network.url, creator)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  const offer = page.getByText('新しいバージョン')
  const built = await (await fetch(`${server.url}/sw.js`)).text()
  // A script that the page does not name: the worker recognises the page of a build by the scripts in it.
  const script = /"url":"(assets\/login-[^"]+\.js)"/.exec(built)?.[1] ?? ''
  const renewed = (url: string, n: number) =>
    built.replace(`"url":"${url}"`, `"url":"${url}?${n}"`).replace(/$/, `\n// ${n}`)

  // The revision of the page changes.
  const page1 = built.replace(
    /"revision":"[0-9a-f]+","url":"index\.html"/,
    '"revision":"1","url":"index.html"',
  )
  expect(page1).not.toBe(built)
  network.deploy('/sw.js', page1)
  network.begin('GET /index.html', { is: 'portal', status: 200 })
  // Settled: the state of a worker whose installation has ended.
  expect(await installNewVersion(page)).toBe('redundant')

  // The portal answers a script with a page.
  const script2 = renewed(script, 2)
  expect(script2).not.toBe(built)
  network.deploy('/sw.js', script2)
  network.begin(`GET /${script}?2`, { is: 'portal', status: 200 })
  // The browser may still be checking for the first version; the second check is for this one.
  for (const _ of [1, 2]) {
    // Settled: as above.
    expect(await installNewVersion(page)).toBe('redundant')
  }
  network.end('GET /index.html')
  network.end(`GET /${script}?2`)

  // A script that a proxy has rewritten: its type is right, its bytes are not.
  network.deploy(`/${script}?3`, 'self.rewritten = true')
  network.deploy('/sw.js', renewed(script, 3))
  for (const _ of [1, 2]) {
    // Settled: as above.
    expect(await installNewVersion(page)).toBe('redundant')
  }
  await expect(offer).toHaveCount(0)

  const sound = page1.replace(`"url":"${script}"`, `"url":"${script}?4"`).concat('\n// 4')
  network.deploy('/sw.js', sound)
  // Settled: as above.
  expect(await installNewVersion(page)).toBe('installed')
  await expect(offer).toBeVisible()
})
