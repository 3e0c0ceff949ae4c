// The files of `deploy/`: environment, units of systemd, HAProxy, its pages, containers, Kubernetes.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { findAloneCommand } from './cli/commands.ts'
import { readEnv, variableNames } from './env/env.ts'

const root = path.join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, 'deploy', file), 'utf8')
const units = ['todoke-web@.service', 'todoke-worker.service'] as const

/** Variables of `NAME=value` lines. */
const assigned = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name, value]) => [name, value]))

/** Variables that a unit sets itself. */
const setBy = (unit: string): Record<string, string> =>
  assigned((/^Environment=(.*)$/m.exec(read(`systemd/${unit}`))?.[1] ?? '').replaceAll(' ', '\n'))

/** Whether a program runs on this machine; its tests are skipped otherwise. */
const has = (program: string, option: string) => spawnSync(program, [option]).status === 0

/** Runs work with a temporary folder. */
function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'todoke-deploy-'))
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('the example of the environment', () => {
  const example = read('todoke.env.example')

  test('lists every variable of the server once, and no other one', () => {
    const listed = [...example.matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name)
    expect(listed.toSorted()).toEqual(variableNames.toSorted())
  })

  test.each(units)('with the variables of %s starts in production once it has those of the site', (unit) => {
    const given = { ...setBy(unit), ...assigned(example), PORT: '8787' }
    expect(() => readEnv(given)).toThrow('OPERATOR_NAME')
    const site = {
      OPERATOR_NAME: '株式会社見本',
      OPERATOR_EMAIL: 'contact@todoke.test',
      SMTP_URL: 'smtps://relay.test',
      DATABASE_URL: 'postgres://127.0.0.1/todoke',
    }
    const env = readEnv({ ...given, ...site })
    expect(env).toMatchObject({ NODE_ENV: 'production', SEED_DEMO: false, DATA_DIR: '/var/lib/todoke' })
  })

  test.each(units)('sets nothing that %s sets, since it would win', (unit) => {
    const own = Object.keys(setBy(unit))
    expect(own).toContain('ROLE')
    expect(own.filter((name) => name in assigned(example))).toEqual([])
  })
})

describe('the units of the backup', () => {
  const service = read('systemd/todoke-backup.service')

  test('run only commands of the command line, with the data folder of the servers', () => {
    const ran = [...service.matchAll(/server\/cli\/main\.ts (\w+ \w+)/g)].map(([, command]) => command ?? '')
    expect(ran).toEqual(['backup create', 'backup erasures'])
    expect(ran.filter((it) => findAloneCommand(it.split(' ')) === undefined)).toEqual([])
    expect(setBy('todoke-backup.service')).toEqual({ NODE_ENV: 'production', DATA_DIR: '/var/lib/todoke' })
  })

  test('write the state and the backups alone, and gain no privileges', () => {
    const lines = service.split('\n')
    for (const line of [
      'NoNewPrivileges=yes',
      'ProtectSystem=strict',
      'CapabilityBoundingSet=',
      'User=todoke',
    ])
      expect(lines).toContain(line)
    expect(lines.filter((it) => it.startsWith('ReadWritePaths='))).toEqual([
      'ReadWritePaths=/var/backups/todoke',
    ])
  })

  test('delete backups that are older than BACKUP_DAYS, and nothing else', () => {
    const command = defined(
      /^ExecStartPost=\/bin\/sh -c '(test .*)'$/m.exec(service)?.[1]?.replaceAll('$$', '$'),
    )
    const left = inFolder((folder) => {
      const now = Date.now() / 1000
      for (const [name, days] of [
        ['13', 13.9],
        ['14', 14.1],
        ['old', 400],
      ] as const) {
        mkdirSync(path.join(folder, name))
        writeFileSync(path.join(folder, name, 'backup.json'), '')
        utimesSync(path.join(folder, name), now, now - days * 86_400)
      }
      writeFileSync(path.join(folder, 'erasures'), '')
      utimesSync(path.join(folder, 'erasures'), now, now - 400 * 86_400)
      const run = command.replaceAll('/var/backups/todoke', folder)
      const env = (days: string) => ({ env: { ...process.env, BACKUP_DAYS: days } })
      expect(spawnSync('/bin/sh', ['-c', run], env('0')).status).toBe(1)
      expect(spawnSync('/bin/sh', ['-c', run], env('14')).status).toBe(0)
      return readdirSync(folder).toSorted()
    })
    expect(left).toEqual(['13', 'erasures'])
  })

  test.skipIf(!has('systemd-analyze', '--version'))('are accepted by systemd-analyze verify', () => {
    const printed = inFolder((folder) => {
      const files = ['todoke-backup.service', 'todoke-backup.timer'].map((it) => {
        const file = path.join(folder, it)
        const node = '/opt/todoke/node_modules/node/bin/node'
        writeFileSync(file, read(`systemd/${it}`).replaceAll(node, process.execPath))
        return file
      })
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], {
        encoding: 'utf8',
      })
      return { status, about: stderr.split('\n').filter((line) => line.includes('todoke')) }
    })
    expect(printed).toEqual({ status: 0, about: [] })
  })
})

describe.each(units)('the unit %s', (unit) => {
  const text = read(`systemd/${unit}`)

  test('waits for the drain and the 9.5 s of a stop before it kills', () => {
    const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1])
    expect(seconds).toBeGreaterThanOrEqual(Number(setBy(unit)['DRAIN_SECONDS']) + 10)
  })

  test('writes only its state, and gains no privileges', () => {
    for (const line of [
      'NoNewPrivileges=yes',
      'ProtectSystem=strict',
      'CapabilityBoundingSet=',
      'User=todoke',
    ])
      expect(text.split('\n')).toContain(line)
    expect(text).not.toMatch(/^ReadWritePaths=/m)
  })

  test.skipIf(!has('systemd-analyze', '--version'))('is accepted by systemd-analyze verify', () => {
    const printed = inFolder((folder) => {
      // Only the program of this machine is another one.
      const placed = text.replace('/opt/todoke/node_modules/node/bin/node', process.execPath)
      const file = path.join(folder, unit.replace('@.', '@8787.'))
      writeFileSync(file, placed)
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], {
        encoding: 'utf8',
      })
      return { status, about: stderr.split('\n').filter((line) => line.includes('todoke')) }
    })
    expect(printed).toEqual({ status: 0, about: [] })
  })
})

test.skipIf(!has('haproxy', '-v'))('HAProxy accepts its file', () => {
  const fixtures = path.join(import.meta.dirname, 'testing/fixtures/push-service')
  const { status, output } = inFolder((folder) => {
    const pem = path.join(folder, 'todoke.pem')
    const parts = ['certificate.pem', 'key.pem'].map((it) => readFileSync(path.join(fixtures, it), 'utf8'))
    writeFileSync(pem, parts.join(''))
    const file = path.join(folder, 'haproxy.cfg')
    const text = read('haproxy/haproxy.cfg').replace('/etc/haproxy/todoke.pem', pem)
    writeFileSync(file, text.replaceAll('/etc/haproxy/pages', path.join(root, 'deploy/pages')))
    const checked = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' })
    return { status: checked.status, output: checked.stdout + checked.stderr }
  })
  expect([status, output]).toEqual([0, expect.not.stringContaining('WARNING')])
})

describe.each(['unavailable.html', 'refused.html'])('the page %s of the proxies', (name) => {
  const page = read(`pages/${name}`)

  test('may run its own style and script, by their hashes, and loads nothing', () => {
    const policy = defined(/Content-Security-Policy"\s+content="([^"]+)"/.exec(page)?.[1])
    const own = [...page.matchAll(/<(style|script)>([^]*?)<\/\1>/g)].map(([, kind, text]) => {
      const digest = createHash('sha256').update(defined(text)).digest('base64')
      return `${kind}-src 'sha256-${digest}'`
    })
    expect(own.length).toBeGreaterThan(0)
    for (const it of own) expect(policy).toContain(it)
    expect(policy).toContain("default-src 'none'")
    expect(page).not.toMatch(/\bsrc=|<link|url\(|@import|https?:/)
  })

  test('fits the buffer in which HAProxy keeps it', () => {
    expect(Buffer.byteLength(page)).toBeLessThan(12_000)
  })
})

describe('the files of containers', () => {
  const compose = read('container/compose.yaml')
  const image = read('container/Containerfile')

  test('set only variables of the server', () => {
    const block = defined(/^x-environment: .*\n((?: {2}.*\n)+)/m.exec(compose)?.[1])
    const names = [...block.matchAll(/^ {2}([A-Z0-9_]+):/gm)].map(([, name]) => name ?? '')
    expect(names).toContain('DATABASE_URL')
    expect(names.filter((name) => !variableNames.includes(name))).toEqual([])
  })

  test('run the server without root and capabilities, on a read-only root', () => {
    expect(/^USER (\d+):/m.exec(image)?.[1]).not.toBe('0')
    for (const line of ['read_only: true', 'cap_drop: [ALL]']) expect(compose).toContain(`\n  ${line}\n`)
    expect(compose.match(/no-new-privileges:true/g)).toHaveLength(3)
  })

  test('wait for the drain and the 9.5 s of a stop', () => {
    const seconds = Number(/stop_grace_period: (\d+)s/.exec(compose)?.[1])
    expect(seconds).toBeGreaterThanOrEqual(Number(/DRAIN_SECONDS=(\d+)/.exec(image)?.[1]) + 10)
  })
})

test('nginx has its pages in every installation', () => {
  const [folder] = defined(/root (\/opt\/todoke\/deploy\/pages);/.exec(read('nginx/todoke.conf'))).slice(1)
  expect(read('container/compose.yaml')).toContain(`- ../pages:${folder}:ro`)
  expect(existsSync(path.join(root, defined(folder?.slice('/opt/todoke/'.length)), 'refused.html'))).toBe(
    true,
  )
})

describe('the example for Kubernetes', () => {
  const kubernetes = read('kubernetes/todoke.yaml')

  test('sets only variables of the server', () => {
    const names = [...kubernetes.matchAll(/^(?: {2}| +- \{ name: )([A-Z][A-Z0-9_]+)(?::|, value)/gm)].map(
      ([, name]) => name ?? '',
    )
    expect(names).toEqual(expect.arrayContaining(['PUBLIC_URL', 'DRAIN_SECONDS']))
    expect(names.filter((name) => !variableNames.includes(name))).toEqual([])
  })

  test('probes life and readiness at their own addresses, and waits for a stop', () => {
    const oneLine = kubernetes.replaceAll(/\s+/g, ' ')
    expect(oneLine).toContain('readinessProbe: { httpGet: { path: /api/health/ready,')
    expect(oneLine).toContain('livenessProbe: { httpGet: { path: /api/health/live,')
    const drain = Number(/DRAIN_SECONDS, value: '(\d+)'/.exec(kubernetes)?.[1])
    for (const [, seconds] of kubernetes.matchAll(/terminationGracePeriodSeconds: (\d+)/g))
      expect(Number(seconds)).toBeGreaterThanOrEqual(drain + 10)
  })
})
