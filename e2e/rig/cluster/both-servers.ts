// A conversation whose two people are connected to different servers.
import { expect, type Page } from '@playwright/test'
import type { Api } from '#e2e/rig/people/api.ts'
import { type Cluster, webServers } from './cluster.ts'

/** Opens a conversation as two people whose live connections are on different servers. */
export async function openOnBothServers(
  cluster: Cluster,
  pages: readonly [Page, Page],
  people: readonly Api[],
): Promise<void> {
  const [a, b] = people
  if (!a || !b) throw new Error('no people')
  const connections = () => Promise.all(webServers.map((it) => cluster.metric(it, 'todoke_live_connections')))
  await pages[0].goto(`${cluster.url}/chat-messages/${b.id}`)
  await expect.poll(async () => Math.max(...(await connections()))).toBeGreaterThan(0)
  await expect(async () => {
    await pages[1].goto(`${cluster.url}/chat-messages/${a.id}`)
    await expect.poll(async () => Math.min(...(await connections())), { timeout: 3000 }).toBeGreaterThan(0)
  }).toPass()
}
