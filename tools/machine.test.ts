// Installing the programs that the tests need: commands and messages for each kind of machine.
import { afterEach, expect, test, vi } from 'vitest'
import { missingPrograms } from './local-machine.ts'
import { type Machine, prepare, programs } from './machine.ts'

/** A fake machine. `installs` has the programs that commands install, by the command's last word. */
function machineWith(initial: readonly string[], installs: Readonly<Record<string, string>>, apt: boolean) {
  const present = new Set(initial)
  const ran: string[] = []
  const messages: string[] = []
  const machine: Machine = {
    apt,
    has: (...names) => names.some((it) => present.has(it)),
    run: async (...command) => {
      ran.push(command.join(' '))
      const installed = installs[command.at(-1) ?? '']
      if (installed !== undefined) present.add(installed)
      return installed === undefined ? 1 : 0
    },
    log: (sentence) => void messages.push(sentence),
  }
  return { machine, ran, messages }
}

const webkitPrograms = programs.flatMap(({ name }) =>
  name === 'WebKitGTK' ? ['WebKitWebDriver', 'gjs', 'Xvfb'] : [],
)
const install = 'apt-get install -q -y --no-install-recommends'

test('nothing is installed on a machine with a Chromium', async () => {
  const { machine, ran, messages } = machineWith(['chromium'], {}, true)
  expect(await prepare(machine, false)).toBe(true)
  expect([ran, messages]).toEqual([[], []])
})

test('on Debian, root installs the package', async () => {
  const { machine, ran, messages } = machineWith([], { chromium: 'chromium' }, true)
  expect(await prepare(machine, false)).toBe(true)
  expect(ran).toEqual(['apt-get update -q', `${install} chromium`])
  expect(messages).toEqual(['Installing by apt-get: Chromium.'])
})

test('every other machine downloads the Chromium of Playwright', async () => {
  const { machine, ran, messages } = machineWith([], { chromium: 'chromium' }, false)
  expect(await prepare(machine, false)).toBe(true)
  expect(ran).toEqual(['npx playwright install chromium'])
  expect(messages).toEqual(['Downloading Chromium: npx playwright install chromium.'])
})

test('when neither works, a message has the command to run', async () => {
  const { machine, ran, messages } = machineWith([], {}, true)
  expect(await prepare(machine, false)).toBe(false)
  expect(ran).toEqual(['apt-get update -q', `${install} chromium`, 'npx playwright install chromium'])
  expect(messages.at(-1)).toBe(
    'No Chromium could be installed: run "npx playwright install chromium" or set CHROMIUM_PATH.',
  )
})

test('with `all` each program has its own command, and programs still missing are reported', async () => {
  const { machine, ran, messages } = machineWith(
    ['chromium', 'ffmpeg', ...webkitPrograms],
    { 'redis-server': 'redis-server' },
    true,
  )
  expect(await prepare(machine, true)).toBe(true)
  expect(ran).toEqual([
    'apt-get update -q',
    `${install} postgresql`,
    `${install} redis-server`,
    `${install} pgbouncer`,
    `${install} nginx-light`,
    `${install} haproxy`,
    `${install} bubblewrap`,
    `${install} fontconfig fonts-noto-cjk`,
    `${install} firefox-esr`,
    `${install} radosgw ceph-mon ceph-osd ceph-common`,
    `${install} dbus-daemon`,
  ])
  expect(messages.slice(1).map((it) => it.split(' is missing')[0])).toEqual([
    'PostgreSQL',
    'PgBouncer',
    'nginx',
    'HAProxy',
    'bubblewrap',
    'Japanese fonts',
    'Firefox',
    'Ceph',
    'D-Bus',
  ])
})

afterEach(() => vi.unstubAllEnvs())

test('with PROGRAMS=path a program outside of PATH is missing, also where Debian has it', () => {
  vi.stubEnv('PROGRAMS', 'path')
  vi.stubEnv('PATH', '/nowhere')
  const missing = missingPrograms().map((it) => it.name)
  expect(missing).toEqual(
    programs.map((it) => it.name).filter((it) => it !== 'Chromium' || missing.includes(it)),
  )
})
