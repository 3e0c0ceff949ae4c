// The watermark of a server without replicas.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUp } from '#server/testing/people/members.ts'
import { openBrowser } from '#server/testing/replication/browser.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { WATERMARK_COOKIE } from './watermarks.ts'

let world: World
beforeAll(async () => void (world = await openWorld()))
afterAll(() => world.close())

test('is never set, and one of another server ends with the next change', async () => {
  const [browser, other] = [openBrowser(world, await signUp(world)), await signUp(world)]
  await browser.call('GET', '/feed/latest')
  await browser.call('PUT', `/follows/${other.id}`)
  expect(browser.cookies.size).toBe(0)
  browser.cookies.set(WATERMARK_COOKIE, '0/1.mac')
  await browser.call('GET', '/feed/latest')
  expect(browser.cookies.size).toBe(1)
  await browser.call('DELETE', `/follows/${other.id}`)
  expect(browser.cookies.size).toBe(0)
})
