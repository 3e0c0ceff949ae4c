// Settings: what is assumed, and one sentence for each that is wrong.
import path from 'node:path'
import { expect, test } from 'vitest'
import { EnvError, readEnv } from './env.ts'

const sentencesOf = (source: Record<string, string>): readonly string[] => {
  try {
    readEnv(source)
    return []
  } catch (error) {
    return error instanceof EnvError ? error.sentences : [`unexpected ${String(error)}`]
  }
}

test('an empty environment serves the demo on 127.0.0.1:8787 from ./data', () => {
  expect(readEnv({})).toMatchObject({
    PORT: 8787,
    HOST: '127.0.0.1',
    DATA_DIR: path.resolve('data'),
    DATABASE_URL: '',
    SEED_DEMO: true,
    RATE_LIMITS: true,
    CORS_ORIGINS: [],
  })
})

test('a DATA_DIR is made absolute', () => {
  expect(readEnv({ DATA_DIR: 'here' }).DATA_DIR).toBe(path.resolve('here'))
})

test('every wrong variable gets a sentence that names it', () => {
  const said = sentencesOf({
    PORT: 'eighty',
    DATABASE_URL: 'mysql://x',
    LOG_LEVEL: 'loud',
    SEED_DEMO: 'maybe',
  })
  expect(said).toHaveLength(4)
  for (const name of ['PORT', 'DATABASE_URL', 'LOG_LEVEL', 'SEED_DEMO']) {
    expect(said.filter((it) => it.includes(` ${name} `))).toHaveLength(1)
  }
})

test('production makes no demo people, and refuses to when told', () => {
  expect(readEnv({ NODE_ENV: 'production' }).SEED_DEMO).toBe(false)
  expect(sentencesOf({ NODE_ENV: 'production', SEED_DEMO: '1' })).toEqual([
    expect.stringContaining('SEED_DEMO'),
  ])
})

test('origins are parsed, and one that is none is refused', () => {
  expect(readEnv({ CORS_ORIGINS: 'https://a.example/, http://localhost:5173' }).CORS_ORIGINS).toEqual([
    'https://a.example',
    'http://localhost:5173',
  ])
  expect(sentencesOf({ CORS_ORIGINS: 'everyone' })).toEqual([expect.stringContaining('CORS_ORIGINS')])
})
