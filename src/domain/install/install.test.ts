// Installation is offered by the method of the browser, and only on a later visit.
import { describe, expect, test } from 'vitest'
import { mayOfferInstall, noInstallNote, noteDay, dismissOffer } from './install-moment.ts'
import { installMethod } from './install-method.ts'

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 Version/18.4 Mobile/15E148 Safari/604.1'
const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.4 Safari/605.1.15'
const android =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36'
const chrome = { standalone: false, offered: false, agent: android, touchPoints: 5 }

describe('the install method', () => {
  test.each([
    ['installed', { ...chrome, standalone: true, offered: true }],
    ['prompt', { ...chrome, offered: true }],
    ['menu', chrome],
    ['ios', { ...chrome, agent: iPhone }],
    ['ios', { ...chrome, agent: mac, touchPoints: 5 }],
    ['menu', { ...chrome, agent: mac, touchPoints: 0 }],
    ['in-app', { ...chrome, agent: `${iPhone} Line/15.2.0` }],
    ['in-app', { ...chrome, agent: `${android} Instagram 300.0.0.0 Android` }],
    ['in-app', { ...chrome, agent: `${iPhone} [FBAN/FBIOS;FBAV/480.0]` }],
  ] as const)('is %s', (method, browser) => {
    expect(installMethod(browser)).toBe(method)
  })
})

describe('the offer', () => {
  const DAY = 24 * 3600 * 1000
  const twice = noteDay(noteDay(noInstallNote, '2026-11-21'), '2026-11-22')

  test('comes on the second day of use, not on the first', () => {
    const once = noteDay(noteDay(noInstallNote, '2026-11-21'), '2026-11-21')
    expect([mayOfferInstall(once, 0), mayOfferInstall(twice, 0)]).toEqual([false, true])
  })

  test('comes again a month after a dismissal, then after three months, then never', () => {
    const first = dismissOffer(twice, 0)
    expect([mayOfferInstall(first, 30 * DAY - 1), mayOfferInstall(first, 30 * DAY)]).toEqual([false, true])
    const second = dismissOffer(first, 30 * DAY)
    expect([mayOfferInstall(second, 119 * DAY), mayOfferInstall(second, 120 * DAY)]).toEqual([false, true])
    expect(mayOfferInstall(dismissOffer(second, 120 * DAY), 10_000 * DAY)).toBe(false)
  })
})
