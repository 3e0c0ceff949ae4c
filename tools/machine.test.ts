// Installing what the tests need: which commands a machine gets, and what is said.
import { expect, test } from 'vitest'
import { type Machine, prepare, programs } from './machine.ts'

/** A machine with some programs; `brings`: programs that an installation adds, by the last word of its command. */
function machineWith(own: readonly string[], brings: Readonly<Record<string, string>>, apt: boolean) {
  const there = new Set(own)
  const ran: string[] = []
  const said: string[] = []
  const machine: Machine = {
    apt,
    has: (...names) => names.some((it) => there.has(it)),
    run: async (...command) => {
      ran.push(command.join(' '))
      const brought = brings[command.at(-1) ?? '']
      if (brought !== undefined) there.add(brought)
      return brought === undefined ? 1 : 0
    },
    say: (sentence) => void said.push(sentence),
  }
  return { machine, ran, said }
}

const everything = programs.flatMap(({ name }) =>
  name === 'WebKitGTK' ? ['WebKitWebDriver', 'gjs', 'Xvfb'] : [],
)
const install = 'apt-get install -q -y --no-install-recommends'

test('a machine with a Chromium gets nothing installed', async () => {
  const { machine, ran, said } = machineWith(['chromium'], {}, true)
  expect(await prepare(machine, false)).toBe(true)
  expect([ran, said]).toEqual([[], []])
})

test('root on Debian gets the package', async () => {
  const { machine, ran, said } = machineWith([], { chromium: 'chromium' }, true)
  expect(await prepare(machine, false)).toBe(true)
  expect(ran).toEqual(['apt-get update -q', `${install} chromium`])
  expect(said).toEqual(['Installing by apt-get: Chromium.'])
})

test('everybody else gets the download of Playwright', async () => {
  const { machine, ran, said } = machineWith([], { chromium: 'chromium' }, false)
  expect(await prepare(machine, false)).toBe(true)
  expect(ran).toEqual(['npx playwright install chromium'])
  expect(said).toEqual(['Downloading Chromium: npx playwright install chromium.'])
})

test('where neither works one sentence names the command', async () => {
  const { machine, ran, said } = machineWith([], {}, true)
  expect(await prepare(machine, false)).toBe(false)
  expect(ran).toEqual(['apt-get update -q', `${install} chromium`, 'npx playwright install chromium'])
  expect(said.at(-1)).toBe(
    'No Chromium could be installed: run "npx playwright install chromium" or set CHROMIUM_PATH.',
  )
})

test('with everything asked for, each program is a command of its own, and what is missing after it is said', async () => {
  const { machine, ran, said } = machineWith(
    ['chromium', 'ffmpeg', ...everything],
    { 'redis-server': 'redis-server' },
    true,
  )
  expect(await prepare(machine, true)).toBe(true)
  expect(ran).toEqual([
    'apt-get update -q',
    `${install} postgresql`,
    `${install} redis-server`,
    `${install} bubblewrap`,
    `${install} fontconfig fonts-noto-cjk`,
    `${install} firefox-esr`,
    `${install} dbus-daemon`,
  ])
  expect(said.slice(1).map((it) => it.split(' is missing')[0])).toEqual([
    'PostgreSQL',
    'bubblewrap',
    'Japanese fonts',
    'Firefox',
    'D-Bus',
  ])
})
