// Parsers of foreign input take linear time (16 times the input, at most 64 times). Each parser is tested with
// every 32nd of the worst-case characters, from a different one on; `growth.deep.ts` tests all of them.
import { Metadata } from '@tus/server'
import type { InjectOptions } from 'fastify'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/api.ts'
import type { Schema } from '#contract/endpoint.ts'
import { fold, foldedPieces, termsOf } from '#contract/text/fold.ts'
import { growthOf, LINEAR, superLinear, worstCharacters } from '#contract/testing/growth.ts'
import { handlesIn, tokensOf } from '#contract/text/mentions.ts'
import { API_BASE, SHARE_PATH, TUS_PATH } from '#contract/paths.ts'
import { isSvgText } from '#contract/text/svg-text.ts'
import { type Member, signUp } from './testing/people/members.ts'
import { openWorld, type World } from './testing/world.ts'
import { readFrame } from './adapters/realtime/protocol.ts'
import { requestedRange } from './http/byte-range.ts'
import { deviceOf, deviceText } from './services/auth/device-name.ts'
import { logLineOf } from './http/log.ts'
import { mask } from './http/mask.ts'
import { timeCursor } from './http/cursor.ts'
import { pagesFrom } from '#contract/pages.ts'
import { personCursor } from './modules/search/person-cursor.ts'
import { safeName } from './rules/export-names.ts'
import { maskedEmail } from './rules/masked-email.ts'
import { searchable, searchFor, searchTermsOf } from './rules/search-grams.ts'
import { countable } from './rules/searched-words.ts'
import { generalCard, shortened, withCard } from './rules/share-card.ts'

/** Time limit of a test, ms: large, since measurements are repeated on a busy machine. */
const SLOW = 300_000

const STEP = process.env['GROWTH'] === 'whole' ? 1 : 32

/** Length of a request's text, UTF-16 units: the fixed cost of a request would hide the time of a shorter one. */
const LONG_REQUEST = 32 * 1024

/** Every STEPth character, for the parser with this number; each character is tested with some parser. */
const charactersOf = (parser: number, step = STEP) =>
  worstCharacters.filter((_, i) => i % step === parser % step)

const logLine = (text: string) =>
  JSON.stringify({ level: 30, req: { url: `/${text}` }, err: { message: text } })
const cursor = (text: string) => Buffer.from(text).toString('base64url')
const pages = pagesFrom(['/', '/post/$id', '/profile/$id/posts', '/post/upload'])

const parsers: Record<string, (text: string) => unknown> = {
  'the mask of the log': mask,
  'a record of the log': (it) => logLineOf(logLine(it)),
  'the recogniser of SVG': isSvgText,
  'an SVG behind a prolog': (it) => isSvgText(`<?xml version="1.0"?>${it}`),
  fold,
  'the words of a search': termsOf,
  'links, hashtags and mentions': tokensOf,
  'handles of a text': handlesIn,
  'pairs of a text': searchable,
  'the query of a search': (it) => searchFor(searchTermsOf(it)),
  'searches that count': countable,
  'names of files': (it) => safeName(it, 'file'),
  'Range headers': (it) => requestedRange(`bytes=${it}`, 1000, '"tag"', it),
  'User-Agent headers': (it) => deviceOf(deviceText(it)),
  'cursors of times': timeCursor.read,
  'cursors of times in base64url': (it) => timeCursor.read(cursor(it)),
  'cursors of people': personCursor.read,
  'cursors of people in base64url': (it) => personCursor.read(cursor(it)),
  'masked addresses': maskedEmail,
  'Upload-Metadata headers': (it) => Metadata.parse(it),
  'frames of live connections': readFrame,
  'frames that are JSON': (it) => readFrame(JSON.stringify({ event: it, data: it, channel: it })),
  'paths of pages': (it) => pages.patternOf(`/${it}`),
  'descriptions of share cards': (it) => shortened(it, 100),
  'heads of pages': (it) => {
    const card = { ...generalCard('https://todoke.example'), title: it, description: it }
    return withCard('<head><meta name="description" content="" /><title>a</title></head>', card, {
      canonical: true,
      indexed: true,
    })
  },
}

describe('a parser takes linear time', { timeout: SLOW }, () => {
  for (const [n, [name, parse]] of Object.entries(parsers).entries())
    test(`for ${name}`, async () => expect(await superLinear(parse, charactersOf(n))).toEqual([]))
})

test('a text and its positions are folded in linear time', { timeout: SLOW }, async () => {
  const marks = ['a', '゛', 'か゛', 'ﾊﾞ', 'ー~', '\u0301', '\u0301\u0327', 'ﾞ\u0301', '👨‍👩']
  expect(await superLinear(foldedPieces, marks)).toEqual([])
})

describe('the measurement', { timeout: SLOW }, () => {
  test('finds a quadratic parser', async () => {
    const parse = (text: string) => {
      let sum = 0
      for (let from = 0; from < text.length; from += 128)
        for (let at = from; at < text.length; at++) sum += text.charCodeAt(at)
      return sum
    }
    // If other programs slow down the smaller input alone, a measurement misses the growth.
    const factors: number[] = []
    while (factors.length < 10 && !factors.some((it) => it > LINEAR)) factors.push(await growthOf(parse, 'a'))
    expect(Math.max(...factors)).toBeGreaterThan(LINEAR)
  })
  test('accepts a parser that returns early for short texts, and reads a bounded part of long ones', async () => {
    const parse = (text: string) => {
      let sum = 0
      for (let round = 0; text.length > 1000 && round < 400; round++)
        for (let at = 0; at < 1000; at++) sum += text.charCodeAt(at)
      return sum
    }
    expect(await growthOf(parse, 'a')).toBeLessThanOrEqual(LINEAR)
  })
  test('finds an exponential parser in bounded time', async () => {
    const fibonacci = (left: number): number => (left < 2 ? 1 : fibonacci(left - 1) + fibonacci(left - 2))
    expect(await growthOf((it) => fibonacci(Math.min(38, it.length)), 'a')).toBe(Number.POSITIVE_INFINITY)
  })
  test('accepts a linear parser', async () => {
    expect(await growthOf((it) => it.split('').map((sign) => sign.toUpperCase()), 'a')).toBeLessThanOrEqual(
      LINEAR,
    )
  })
})

/** Each field of an object's schema. */
const fieldsOf = (schema: Schema | undefined): string[] =>
  schema && 'entries' in schema ? Object.keys(schema.entries as object) : []

describe('the schema of every field is linear', { timeout: SLOW }, () => {
  for (const part of ['params', 'query', 'body'] as const)
    test(`in ${part}`, async () => {
      const slow: unknown[] = []
      let fields = 0
      for (const it of endpoints) {
        const schema = (it as { [name in typeof part]?: Schema })[part]
        for (const name of fieldsOf(schema)) {
          const parse = (text: string) => schema && v.safeParse(schema, { [name]: text })
          for (const found of await superLinear(parse, charactersOf(fields++)))
            slow.push([it.name, name, ...found])
        }
      }
      expect(slow).toEqual([])
    })
})

describe('a request takes linear time', { timeout: SLOW }, () => {
  let world: World
  let member: Member
  beforeAll(async () => {
    world = await openWorld({ settings: { logLevel: 'info', logTo: { write: () => undefined } } })
    member = await signUp(world)
  })
  afterAll(() => world.close())

  const inject = (it: InjectOptions) =>
    world.app.inject({ method: 'GET', url: `${API_BASE}/operator`, ...it })
  const encoded = (text: string) => encodeURIComponent(text.toWellFormed()).slice(0, text.length)
  /** Headers contain bytes: the text is sent as UTF-8. */
  const header = (text: string) =>
    Buffer.from(text.toWellFormed())
      .toString('latin1')
      .replaceAll(/[^\x20-\x7e\x80-\xff]/g, ' ')
      .slice(0, text.length)
  const requests: Record<string, (text: string) => InjectOptions> = {
    path: (it) => ({ url: `/${encoded(it)}` }),
    'path below the API': (it) => ({ url: `${API_BASE}/${encoded(it)}` }),
    'path of a media': (it) => ({ url: `${API_BASE}/media/${encoded(it)}/w240` }),
    'path of a post’s page': (it) => ({ url: `/post/${encoded(it)}` }),
    query: (it) => ({ url: `${API_BASE}/search/posts?q=${encoded(it)}` }),
    'query of a page': (it) => ({ url: `/?${encoded(it)}` }),
    'raw query': (it) => ({ url: `${API_BASE}/posts?${header(it).replaceAll(/[ #\x7f-\xff]/g, '&')}` }),
    'body of JSON': (it) => ({
      method: 'POST',
      url: `${API_BASE}/auth/sign-in`,
      payload: { email: it, password: it },
    }),
    'body that is not JSON': (it) => ({
      method: 'POST',
      url: `${API_BASE}/auth/sign-in`,
      headers: { 'content-type': 'application/json' },
      payload: it,
    }),
    'share target': (it) => ({ method: 'POST', url: SHARE_PATH, payload: it }),
    'multipart form': (it) => ({
      method: 'POST',
      url: `${API_BASE}/post/add`,
      headers: { ...member.auth, 'content-type': 'multipart/form-data; boundary=x' },
      payload: `--x\r\ncontent-disposition: form-data; name="content"\r\n\r\n${it}\r\n--x--\r\n`,
    }),
    'part’s headers': (it) => ({
      method: 'POST',
      url: `${API_BASE}/post/add`,
      headers: { ...member.auth, 'content-type': 'multipart/form-data; boundary=x' },
      payload: `--x\r\ncontent-disposition: form-data; name="a"; filename="${it}"\r\n\r\na\r\n--x--\r\n`,
    }),
    'Upload-Metadata': (it) => ({
      method: 'POST',
      url: TUS_PATH,
      headers: {
        ...member.auth,
        'tus-resumable': '1.0.0',
        'upload-length': '1',
        'upload-metadata': header(it),
      },
    }),
  }
  for (const name of [
    'accept',
    'accept-encoding',
    'accept-language',
    'authorization',
    'content-type',
    'cookie',
    'forwarded',
    'host',
    'idempotency-key',
    'if-none-match',
    'origin',
    'range',
    'referer',
    'user-agent',
    'x-forwarded-for',
    'x-socket-id',
  ])
    requests[`header ${name}`] = (it) => ({
      method: name === 'content-type' || name === 'origin' ? 'POST' : 'GET',
      url: name === 'if-none-match' || name === 'accept-encoding' ? '/' : `${API_BASE}/posts`,
      headers: { [name]: header(it) },
    })

  for (const [n, [name, request]] of Object.entries(requests).entries())
    test(`with a long ${name}`, async () => {
      expect(await superLinear((it) => inject(request(it)), charactersOf(n, STEP * 2), LONG_REQUEST)).toEqual(
        [],
      )
    })
})
