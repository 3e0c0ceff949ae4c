// Fixtures of the stories of several servers: one cluster, and phones that open it.
import { writeFileSync } from 'node:fs'
import { test as base } from '@playwright/test'
import { DEADLINE_MS } from '#e2e/rig/deadline.ts'
import { Phone } from '#e2e/rig/browsers/phone.ts'
import { hasFailed, recordPages } from '#e2e/rig/failed-pages.ts'
import { PushService } from '#e2e/rig/people/push.ts'
import { Cluster, clusterAvailable, trustedKey } from './cluster.ts'

interface ClusterFixtures {
  readonly cluster: Cluster
  /** Starts a browser without a profile. */
  readonly newPhone: () => Promise<Phone>
}

interface WorkerFixtures {
  readonly sharedCluster: Cluster
  readonly pushService: PushService
}

export const test = base.extend<ClusterFixtures, WorkerFixtures>({
  pushService: [
    // oxlint-disable-next-line no-empty-pattern -- the runner reads the names of fixtures from this pattern
    async ({}, provide) => {
      const service = await PushService.start()
      await provide(service)
      service.stop()
    },
    { scope: 'worker' },
  ],
  sharedCluster: [
    async ({ pushService }, provide) => {
      const cluster = await Cluster.start(pushService.environment)
      await provide(cluster)
      await cluster.stop()
    },
    { scope: 'worker', timeout: 2 * DEADLINE_MS },
  ],
  cluster: async ({ sharedCluster }, provide, info) => {
    const before = sharedCluster.output.length
    await provide(sharedCluster)
    sharedCluster.network.throttle(Number.POSITIVE_INFINITY)
    if (hasFailed(info)) writeFileSync(info.outputPath('servers.log'), sharedCluster.output.slice(before))
  },
  // oxlint-disable-next-line no-empty-pattern -- as above
  newPhone: async ({}, provide, info) => {
    const phones: Phone[] = []
    await provide(async () => {
      const phone = await Phone.launch({ trustedKey: trustedKey() })
      phones.push(phone)
      return phone
    })
    for (const [n, phone] of phones.entries()) {
      if (hasFailed(info)) await recordPages(phone, info, `phone-${n + 1}`)
      await phone.discard()
    }
  },
})

test.skip(!clusterAvailable(), 'nginx, redis-server, postgresql or ceph is not installed')

export { expect } from '@playwright/test'
