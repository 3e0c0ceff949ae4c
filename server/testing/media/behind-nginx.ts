// A test server behind nginx with the shipped file, and posts whose files nginx sends.
import type { FastifyInstance } from 'fastify'
import { buildApp } from '#server/app.ts'
import { compileTrust } from '#server/http/client-address.ts'
import { noLimits } from '#server/http/limits.ts'
import { addPurchase } from '#server/store/posts/posts.ts'
import { type Nginx, type NginxReply, startNginx } from '#server/testing/clients/nginx.ts'
import { freePort } from '#server/testing/free-port.ts'
import { open, placeMedia, priced } from '#server/testing/media/placed.ts'
import type { Member } from '#server/testing/people/members.ts'
import { openStudio, type Studio } from '#server/testing/people/studio.ts'
import type { S3Settings } from '#server/testing/s3/stores.ts'
import type { Settings } from '#server/settings.ts'
import { openWorld, type World } from '#server/testing/world.ts'

type Placed = Awaited<ReturnType<typeof placeMedia>>

export interface BehindNginx {
  readonly world: World
  readonly studio: Studio
  readonly nginx: Nginx
  /** The same server, which sends the bytes itself. */
  readonly streaming: FastifyInstance
  openVideo(): Promise<Placed>
  /** A video that the studio's fan has bought. */
  paidVideo(): Promise<Placed>
  /** Requests a file through nginx, at the address that the server would sign for a viewer. */
  file(
    mediaId: string,
    name: string,
    as: Member | null,
    headers?: Record<string, string>,
    method?: string,
  ): Promise<NginxReply>
  close(): Promise<void>
}

const files = ['play.mp4', 'poster.webp', 'hls/main.m3u8', 'hls/init.mp4', 'hls/1.m4s']

/** @param s3 settings of an object store on this machine, from which nginx reads; by default objects are on the disk */
export async function openBehindNginx(s3?: S3Settings, logTo?: Settings['logTo']): Promise<BehindNginx> {
  const port = await freePort()
  const publicUrl = `https://localhost:${port}`
  const settings = {
    accelPrefix: '/stored',
    accelStore: s3 !== undefined,
    corsOrigins: ['https://app.example'],
    https: true,
    limits: { ...noLimits, guesses: { max: 1, timeWindow: 3600_000 } },
    origins: [publicUrl],
    publicUrl,
    trustProxy: compileTrust('1'),
  }
  const world = await openWorld({
    listen: true,
    settings: { ...settings, ...(logTo && { logTo, logLevel: 'debug' }) },
    parts: { ...(s3 && { s3 }) },
  })
  const studio = await openStudio(world)
  const streaming = await buildApp({ ...world.deps, settings: { ...world.deps.settings, accelPrefix: '' } })
  // The first server is not there: nginx goes to the other one.
  const servers = [await freePort(), Number(new URL(world.origin).port)] as const
  const storePort = s3 && Number(new URL(s3.endpoint).port)
  const nginx = await startNginx(world.dataDir, servers, port, { storePort })
  return {
    world,
    studio,
    nginx,
    streaming,
    openVideo: () => placeMedia(world, studio, open, { hls: true, files }),
    async paidVideo() {
      const placed = await placeMedia(world, studio, priced, { hls: true, files })
      await addPurchase(world.deps.db, placed.postId, studio.fan.id, 500, world.clock.now)
      return placed
    },
    file: (id, name, as, headers = {}, method = 'GET') =>
      nginx.request(studio.addressOf(id, name, as), { ...as?.auth, ...headers }, method),
    async close() {
      await nginx.close()
      await streaming.close()
      await world.close()
    },
  }
}
