// Sends pushes to a push service: encrypted and signed, with every reply interpreted.
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PushService, pushTo, startPushService } from '#server/testing/clients/push-service.ts'
import { isPublicAddress, openAddressGuard } from './address-guard.ts'
import { type Push, type PushMessage, openPush } from './push.ts'
import { arePair, loadVapid } from './vapid.ts'

let service: PushService
let push: Push
let folder: string
const message: PushMessage = { text: '{"今日":"は"}', ttl: 60, urgency: 'low', topic: 'a-topic' }

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'todoke-push-'))
  service = await startPushService()
  push = pushTo(service)
})
afterAll(async () => {
  push.close()
  await service.close()
  await rm(folder, { recursive: true })
})

const device = () => {
  const { endpoint, keys } = service.subscribe()
  return { endpoint, ...keys }
}

describe('keys', () => {
  test('are made once, are a pair, and are readable only by the server’s user', async () => {
    const [one, other] = await Promise.all([loadVapid(folder), loadVapid(folder)])
    expect(one).toEqual(other)
    expect(arePair(one)).toBe(true)
    expect((await stat(path.join(folder, 'vapid.json'))).mode & 0o777).toBe(0o600)
  })

  test('a private key of another pair is detected', async () => {
    const [one, other] = [await loadVapid(await mkdtemp(path.join(folder, 'a'))), await loadVapid(folder)]
    expect(arePair({ publicKey: one.publicKey, privateKey: other.privateKey })).toBe(false)
  })
})

describe('sending', () => {
  test('encrypts the message for the device, and signs it for the push service', async () => {
    const it = device()
    expect(await push.send(it, message)).toEqual({ is: 'accepted' })
    expect(service.arrived.at(-1)).toMatchObject({
      text: message.text,
      ttl: '60',
      urgency: 'low',
      topic: 'a-topic',
      vapid: { key: push.publicKey, sub: 'mailto:someone@todoke.example' },
    })
  })

  test('a message has at most 3993 bytes', async () => {
    const it = device()
    expect(await push.send(it, { ...message, text: 'x'.repeat(3993) })).toEqual({ is: 'accepted' })
    expect(service.arrived.at(-1)?.size).toBe(4096)
    expect(await push.send(it, { ...message, text: 'x'.repeat(3994) })).toEqual({ is: 'too_large' })
  })

  test.each([
    [{ status: 404 }, { is: 'expired' }],
    [{ status: 410 }, { is: 'expired' }],
    [{ status: 413 }, { is: 'too_large' }],
    [
      { status: 429, headers: { 'retry-after': '120' } },
      { is: 'later', after: 120 },
    ],
    [{ status: 429 }, { is: 'later', after: undefined }],
    [
      { status: 503, headers: { 'retry-after': '999999999' } },
      { is: 'later', after: 86_400 },
    ],
    [{ status: 500 }, { is: 'later', after: undefined }],
    [{ status: 400 }, { is: 'refused', status: 400 }],
    [{ status: 401 }, { is: 'refused', status: 401 }],
    // Redirects are not followed: they could lead to a private address.
    [
      { status: 302, headers: { location: 'http://127.0.0.1/' } },
      { is: 'refused', status: 302 },
    ],
  ])('a reply of %o means %o', async (answer, meaning) => {
    service.answers.push(answer)
    expect(await push.send(device(), message)).toEqual(meaning)
  })

  test('a Retry-After with a date is converted to seconds', async () => {
    const date = new Date(Date.now() + 90_000).toUTCString()
    service.answers.push({ status: 503, headers: { 'retry-after': date } })
    const result = await push.send(device(), message)
    expect(result).toMatchObject({ is: 'later', after: expect.closeTo(90, -1) })
  })

  test('a push to an unreachable push service is for later, and the result does not have its address', async () => {
    const other = await startPushService()
    const { endpoint, keys } = other.subscribe()
    await other.close()
    const unreachable = openPush({
      keys: await loadVapid(folder),
      subject: 'mailto:a@b.c',
      trusted: other.origin,
    })
    expect(await unreachable.send({ endpoint, ...keys }, message)).toEqual({ is: 'later', after: undefined })
    unreachable.close()
  })

  test('invalid keys are refused before anything is sent', async () => {
    const it = { ...device(), p256dh: Buffer.alloc(65, 4).toString('base64url') }
    expect(await push.accepts(it)).toBe(false)
    expect(await push.send(it, message)).toEqual({ is: 'refused', status: 0 })
  })
})

describe('addresses that browsers send', () => {
  test.each([
    'http://push.example/x',
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://93.184.216.34/x',
    'https://push.example:8443/x',
    'https://user:word@push.example/x',
    'ftp://push.example/',
    'nothing',
  ])('%s is not called', (url) => {
    expect(openAddressGuard().mayCall(url)).toBe(false)
  })

  test('a name that resolves to this machine is not called, also if it did not at the subscription', async () => {
    const strict = openPush({ keys: await loadVapid(folder), subject: 'mailto:a@b.c' })
    const it = { ...device(), endpoint: 'https://localhost/push/x' }
    expect(await strict.accepts(it)).toBe(false)
    expect(await strict.send(it, message)).toEqual({ is: 'refused', status: 0 })
    strict.close()
  })

  test.each([
    ['8.8.8.8', true],
    ['2606:4700:4700::1111', true],
    ['10.1.2.3', false],
    ['100.64.0.1', false],
    ['169.254.169.254', false],
    ['172.31.0.1', false],
    ['192.168.1.1', false],
    ['0.0.0.0', false],
    ['255.255.255.255', false],
    ['::', false],
    ['::1', false],
    ['::ffff:10.0.0.1', false],
    ['64:ff9b::a00:1', false],
    ['2002:a00:1::', false],
    ['fe80::1', false],
    ['fd00::1', false],
    ['localhost', false],
  ])('%s is public: %s', (address, is) => {
    expect(isPublicAddress(address)).toBe(is)
  })
})
