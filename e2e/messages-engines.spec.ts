// Messages in Firefox and WebKitGTK: live, and written and read without network.
import { engines } from './rig/browsers/engines.ts'
import { type OtherBrowser, signInWith } from './rig/browsers/other-browser.ts'
import { containing, goTo, keysOf, rowsOf, withBrowser } from './rig/browsers/other-pages.ts'
import type { Proxy } from './rig/network/proxy.ts'
import { until } from './rig/network/ports.ts'
import { type Api, apiOf } from './rig/people/api.ts'
import { openConversation, sendBy } from './rig/people/conversations.ts'
import { creator, fan } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

const FIELD = '//textarea[@aria-label="メッセージを書く" or @placeholder="メッセージを書く"]'
const SEND = '//button[@aria-label="送信" or normalize-space()="送信"]'
const WAITS = '接続が戻ると送信します'

interface Story {
  readonly me: Api
  readonly other: Api
  readonly network: Proxy
  readonly browser: OtherBrowser
}

/** The texts of the conversation, as the server has them. */
async function textsOf({ me, other }: Story): Promise<string[]> {
  const { messages } = (await me.call('GET', `/conversations/${other.id}/messages`)) as {
    messages: { body: { content: string } }[]
  }
  return messages.map((it) => it.body.content)
}

async function write(browser: OtherBrowser, content: string): Promise<void> {
  await browser.type(FIELD, content)
  await browser.click(SEND)
}

/** Both directions with a network: a message is shown when it comes, and an own one is sent. */
async function chats(it: Story): Promise<void> {
  const { me, other, browser } = it
  await goTo(browser, `/chat-messages/${other.id}`)
  await browser.find(containing('はじめまして'))
  await write(browser, '窓からの眺めです')
  await until(async () => (await textsOf(it)).includes('窓からの眺めです') || undefined, 'the message')
  await sendBy(other, me, '返事がすぐに届きました')
  await browser.find('//article' + containing('返事がすぐに届きました'))
  const copied = async () =>
    (await rowsOf(browser, 'answers')).some((row) => row.includes('返事がすぐに届きました'))
  await until(async () => (await copied()) || undefined, 'the copy of the conversation')
  await until(async () => (await keysOf(browser, 'acts')).length === 0 || undefined, 'the message to be sent')
}

/** Reads and writes without network; with a worker, after the browser was killed. */
async function writesOffline({ other, network, browser }: Story, worker: boolean): Promise<void> {
  network.cut()
  if (worker) {
    // oxlint-disable-next-line house/story-leaving -- `chats` has waited until everything is sent and copied
    await browser.kill()
    await browser.start()
    await browser.goto(`${network.url}/chat-messages/${other.id}`)
    await browser.find('//article' + containing('返事がすぐに届きました'))
  }
  for (const it of ['トンネルの一つ目', 'トンネルの二つ目']) {
    await write(browser, it)
    await browser.find(containing(it))
  }
  await browser.find(containing(WAITS))
  // A bubble is shown before its message is stored.
  const stored = async () =>
    (await rowsOf(browser, 'acts')).filter((row) => row.includes('sendMessage')).length === 2
  await until(async () => (await stored()) || undefined, 'both messages to be stored')
  // oxlint-disable-next-line house/story-leaving -- both messages are stored
  await browser.kill()
}

/** With the network back, both arrive once and in their order. */
async function deliversOnce(it: Story): Promise<void> {
  const { network, browser } = it
  network.restore()
  await browser.start()
  await browser.goto(network.url)
  await until(async () => (await textsOf(it)).includes('トンネルの二つ目') || undefined, 'the messages')
  await until(async () => (await keysOf(browser, 'acts')).length === 0 || undefined, 'nothing to be left')
  const written = ['窓からの眺めです', '返事がすぐに届きました', 'トンネルの一つ目', 'トンネルの二つ目']
  // Settled: the device has nothing left to send.
  expect(await textsOf(it)).toEqual(['はじめまして', 'こんにちは', ...written])
}

for (const { name, isInstalled, open, packages, worker } of engines)
  test(
    `${name}: a message comes live, and what was written without network arrives once`,
    { tag: '@deep' },
    async ({ server, network }) => {
      test.skip(!isInstalled(), `not installed here (Debian: apt-get install ${packages})`)
      const [me, other] = await Promise.all([apiOf(server.url, fan), apiOf(server.url, creator)])
      await openConversation(me, other)
      await withBrowser(open(), async (browser) => {
        const it = { me, other, network, browser }
        await signInWith(browser, network.url, fan)
        await test.step('a network', () => chats(it))
        await test.step('no network', () => writesOffline(it, worker))
        await test.step('the network is back', () => deliversOnce(it))
      })
    },
  )
