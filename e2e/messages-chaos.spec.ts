// Messages of two people on three devices through seeded faults.
import { createRandom } from '#contract/testing/random.ts'
import { defined } from '#contract/testing/defined.ts'
import type { Phone } from './rig/browsers/phone.ts'
import type { Fault } from './rig/network/faults.ts'
import type { Proxy } from './rig/network/proxy.ts'
import type { Server } from './rig/network/server.ts'
import { until } from './rig/network/ports.ts'
import { type Api, apiOf } from './rig/people/api.ts'
import { field, openAs, openConversation, write } from './rig/people/conversations.ts'
import { creator, fan } from './rig/people/people.ts'
import { runsWhole } from './rig/sample.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true, ownPhone: true })

/** A sample here; `npm run test:deep -- stories` has all. */
const MESSAGES = runsWhole ? 500 : 20
const PER_ROUND = 20
const ROUNDS = MESSAGES / PER_ROUND
/** The messages with which the conversation was opened. */
const OPENING = ['はじめまして', 'こんにちは']

interface Device {
  readonly phone: Phone
  readonly me: Api
  readonly otherId: string
}
interface Round {
  readonly server: Server
  readonly network: Proxy
  readonly devices: readonly Device[]
  readonly below: (limit: number) => number
}

const pathOf = ({ otherId }: Device): string => `/chat-messages/${otherId}`

/** Texts of the messages that the device's queue holds. */
const queuedOn = ({ phone }: Device): Promise<string[]> =>
  phone.page.evaluate(async () => {
    const opening = indexedDB.open('todoke')
    await new Promise((done) => opening.addEventListener('success', done))
    const all = opening.result.transaction('acts').objectStore('acts').getAll()
    await new Promise((done) => all.addEventListener('success', done))
    opening.result.close()
    return all.result.map((it) => String(it.form.mutation.body.content))
  })

/** Every text of the conversation as the server has it, oldest first. */
async function storedTexts({ me, otherId }: Device): Promise<string[]> {
  const texts: string[] = []
  for (let before: number | undefined; ;) {
    const query = before === undefined ? '' : `?before=${before}`
    const { messages } = (await me.call('GET', `/conversations/${otherId}/messages${query}`)) as {
      messages: { seq: number; body: { content: string } }[]
    }
    texts.unshift(...messages.map((it) => it.body.content))
    before = messages[0]?.seq
    if (before === undefined || before === 1) return texts
  }
}

/** Every text of the conversation as the screen shows it while it is scrolled from the end to the beginning. */
async function shownTexts({ phone }: Device): Promise<string[]> {
  const box = phone.page.getByRole('region', { name: /とのメッセージ/ })
  const bySeq = new Map<number, string>()
  await expect
    .poll(
      async () => {
        const rows = await box.evaluate((it) => {
          const shown = [...it.querySelectorAll<HTMLElement>('[data-seq]')]
          const read = shown.map((row) => ({
            seq: Number(row.dataset['seq']),
            text: row.querySelector('p[dir=auto]')?.textContent ?? '',
          }))
          it.scrollBy({ top: -1200 })
          return read
        })
        for (const [n, { seq, text }] of rows.entries()) {
          // Within what is drawn at one time the numbers follow each other.
          expect(n === 0 || seq > (rows[n - 1]?.seq ?? 0)).toBe(true)
          expect(bySeq.get(seq) ?? text).toBe(text)
          bySeq.set(seq, text)
        }
        return bySeq.has(1)
      },
      { intervals: [150] },
    )
    .toBe(true)
  return [...bySeq].sort(([a], [b]) => a - b).map(([, text]) => text)
}

/** Plans faults for requests of the round: cut, late, overtaken, doubled, refused for now, without a reply. */
function plan({ network, below }: Round): void {
  const faults: readonly Fault[] = [
    { is: 'reply-dropped' },
    { is: 'doubled' },
    { is: 'delayed', ms: 1500 },
    { is: 'answered', status: 503, retryAfter: 1 },
    { is: 'cut', after: 20 },
    { is: 'portal', status: 200 },
  ]
  for (const request of ['POST /api/conversations/', 'GET /api/conversations/', 'GET /app/'])
    for (let n = 0; n < 3; n++) {
      const fault = faults[below(faults.length)]
      if (fault) network.once(request, fault, below(8))
    }
}

async function reopen(it: Device, network: Proxy): Promise<void> {
  await it.phone.page.goto(network.url + pathOf(it))
  await expect(field(it.phone.page)).toBeVisible()
}

/** What happens to a device, the network or the server in the middle of a round. */
const disruptions: readonly ((it: Round, device: Device) => Promise<void>)[] = [
  async () => undefined,
  async ({ network }) => network.cut(),
  async ({ network }) => network.reset(),
  async ({ network }, device) => reopen(device, network),
  async ({ network }, device) => {
    // oxlint-disable-next-line house/story-leaving -- `writeRound` has waited until the last message is stored
    await device.phone.kill()
    await device.phone.start()
    await reopen(device, network)
  },
  async ({ server }) => {
    await server.kill()
    await server.start()
  },
]

/** Writes the messages of a round, from each device in turn. @returns the texts of each device */
async function writeRound(it: Round, round: number, written: ReadonlyMap<Device, string[]>): Promise<void> {
  const { network, devices, below } = it
  const middle = 4 + below(PER_ROUND - 8)
  for (let n = 0; n < PER_ROUND; n++) {
    const device = devices[below(devices.length)]
    if (!device) throw new Error('no device')
    const text = `${round}周目の${n + 1}通目`
    await write(device.phone.page, text)
    written.get(device)?.push(text)
    // The reads of the last messages fail, and no later event makes a device read again.
    if (round === ROUNDS && n === PER_ROUND - 6)
      network.begin('GET /api/conversations/', { is: 'answered', status: 503 })
    if (n !== middle) continue
    // A bubble is shown before its message is stored; a kill in between is not what this story is about.
    const isStored = async () =>
      (await queuedOn(device)).includes(text) || (await storedTexts(device)).includes(text) || undefined
    await until(isStored, `“${text}” to be stored`)
    await disruptions[below(disruptions.length)]?.(it, device)
  }
}

const isSubsequence = (part: readonly string[], whole: readonly string[]): boolean => {
  let next = 0
  for (const it of whole) if (it === part[next]) next++
  return next === part.length
}

/** Waits until nothing is left in the queue of the device, and compares what its screen shows. */
async function expectShown(device: Device, stored: readonly string[]): Promise<void> {
  const { page } = device.phone
  await expect.poll(async () => (await queuedOn(device)).filter((it) => stored.includes(it))).toEqual([])
  const toNewest = page.getByRole('button', { name: /新着メッセージ|最新のメッセージへ/ })
  const last = page.getByRole('article').getByText(defined(stored.at(-1)), { exact: true })
  // A device whose reads have failed reads again after at most 30 s; no number of attempts makes up for a lost message.
  await expect(async () => {
    if (await toNewest.isVisible()) await toNewest.click({ timeout: 1000 })
    await expect(last).toBeInViewport({ timeout: 1000 })
    expect(await shownTexts(device)).toEqual(stored)
  }).toPass()
}

test(`${MESSAGES} messages of two people on three devices arrive once through faults, in one order on every screen`, async ({
  server,
  network,
  newPhone,
}) => {
  const [a, b] = await Promise.all([apiOf(server.url, fan), apiOf(server.url, creator)])
  await openConversation(a, b)
  const owners = [
    { who: fan, me: a, otherId: b.id },
    { who: fan, me: a, otherId: b.id },
    { who: creator, me: b, otherId: a.id },
  ]
  const devices: Device[] = []
  for (const { who, ...rest } of owners) {
    const phone = await newPhone()
    await openAs(phone.page, network.url, who, rest.otherId)
    await phone.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    devices.push({ phone, ...rest })
  }
  const written = new Map(devices.map((it) => [it, [] as string[]]))
  for (let round = 1; round <= ROUNDS; round++)
    await test.step(`round ${round}`, async () => {
      const it: Round = { server, network, devices, below: createRandom(round * 7919).below }
      plan(it)
      await writeRound(it, round, written)
      network.restore()
    })
  const texts = [...OPENING, ...[...written.values()].flat()]
  const [first] = devices
  if (!first) throw new Error('no device')
  const countStored = async () => (await storedTexts(first)).length
  // A slow machine needs minutes for the rest; one message in a minute is progress.
  for (let count = await countStored(); count < texts.length; count = await countStored())
    await expect.poll(countStored).toBeGreaterThan(count)
  network.clearFaults()
  const stored = await storedTexts(first)
  expect([...stored].sort()).toEqual([...texts].sort())
  for (const device of devices) {
    expect(isSubsequence(defined(written.get(device)), stored)).toBe(true)
    await expectShown(device, stored)
  }
})
