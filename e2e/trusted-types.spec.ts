// Trusted Types in Chromium: no text becomes HTML or the address of a script.
import { expect, test } from './rig/story.ts'

test('no text of a page becomes HTML or a script’s address, and the app’s worker starts', async ({
  network,
  phone,
}) => {
  const { page } = phone
  const violations: string[] = []
  page.on('console', (it) => {
    if (/TrustedHTML|TrustedScript|trusted-types/i.test(it.text())) violations.push(it.text())
  })
  await page.goto(`${network.url}/login`)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  expect(violations).toEqual([])
  const refused = await page.evaluate(() => {
    const attempt = (run: () => unknown): string => {
      try {
        run()
        return 'allowed'
      } catch (error) {
        return error instanceof Error ? error.name : 'unknown'
      }
    }
    return {
      html: attempt(() => (document.createElement('p').innerHTML = '<img src=x onerror=alert(1)>')),
      script: attempt(() => (document.createElement('script').src = 'https://elsewhere.example/a.js')),
      worker: attempt(() => new Worker('/api/openapi.json')),
      own: attempt(() => (document.createElement('script').src = '/assets/a.js')),
      code: attempt(() => (document.createElement('script').text = 'alert(1)')),
    }
  })
  expect(refused).toEqual({
    html: 'TypeError',
    script: 'TypeError',
    worker: 'TypeError',
    own: 'allowed',
    code: 'TypeError',
  })
  // The browser reports each refusal, so that none was reported above means something.
  await expect.poll(() => violations.length).toBeGreaterThan(0)
})
