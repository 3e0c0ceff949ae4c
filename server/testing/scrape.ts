// Servers with metrics, and the text of their scrapes.
import type { FastifyInstance } from 'fastify'
import { openPrometheus } from '#server/adapters/metrics/prometheus.ts'
import { buildApp } from '#server/app.ts'
import type { Deps } from '#server/deps.ts'
import { openWorld, type World, type WorldOptions } from './world.ts'

/** Token of `/metrics` in tests. */
export const METRICS_TOKEN = 'a-token-of-metrics-with-more-than-32-characters'

/** A server that counts for Prometheus, with metrics on the port of the app. */
export const openScraped = ({ settings, parts, ...options }: WorldOptions = {}): Promise<World> =>
  openWorld({
    ...options,
    settings: { metricsToken: METRICS_TOKEN, ...settings },
    parts: { metrics: openPrometheus(), ...parts },
  })

/** A further app of the same server, to which a test may add hooks. */
export const anotherApp = (deps: Deps): Promise<FastifyInstance> => buildApp(deps)

export interface Scraped {
  readonly text: string
  /** The value of a series as it is written, such as `todoke_mails_total{outcome="sent"}`; undefined without it. */
  value(series: string): number | undefined
}

/** Names of all metrics with their type, also those without a value yet. */
export const typesIn = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map((it) => [it[1] ?? '', it[2] ?? '']))

/** Scrapes the port of the app. */
export async function scrape({ app }: Pick<World, 'app'>): Promise<Scraped> {
  const reply = await app.inject({
    url: '/metrics',
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  })
  if (reply.statusCode !== 200) throw new Error(`the scrape was refused: ${reply.statusCode}`)
  const values = new Map(
    reply.body
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const space = line.lastIndexOf(' ')
        return [line.slice(0, space), Number(line.slice(space + 1))]
      }),
  )
  return { text: reply.body, value: (series) => values.get(series) }
}
