// What every story starts from: a server with the demo people, a network before it, and a phone.
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { test as base } from '@playwright/test'
import { PhonePool } from './browsers/phone-pool.ts'
import { Phone, type PhoneOptions } from './browsers/phone.ts'
import { temporaryFolder } from './network/ports.ts'
import { Proxy } from './network/proxy.ts'
import { Server } from './network/server.ts'
import { hasFailed, recordPages } from './failed-pages.ts'
import type { MadeVideo } from './posting/video.ts'
import { type InstalledApp, installApp } from './browsers/installed-app.ts'

interface StoryFixtures {
  readonly server: Server
  /** Browsers come through here; the rig itself asks the server directly. */
  readonly network: Proxy
  readonly phone: Phone
  /** More browsers, each with its own profile; discarded after the story. */
  readonly newPhone: (options?: PhoneOptions) => Promise<Phone>
  /** A playable video of 60 MB. */
  readonly largeVideo: MadeVideo
  /** The story kills its server or counts what is on it: it gets one of its own, or its file gets one. */
  readonly ownServer: boolean | 'file'
  /** The story is about a browser that has never seen the app. */
  readonly firstVisit: boolean
  /** The story's browser has to start in what the story made for it, as a desktop: it is not handed on. */
  readonly ownPhone: boolean
}

interface WorkerFixtures {
  /** The server of all stories that leave it as it is. */
  readonly sharedServer: Server
  /** The server of one file's stories after the other's. */
  readonly fileServers: FileServer
  /** What the browsers of one story after the other come to. */
  readonly address: InstalledApp
  /** Browsers that stories use one after the other. */
  readonly phonePool: PhonePool
}

function copiedData(): string {
  const data = temporaryFolder('data')
  cpSync(process.env['E2E_DATA'] ?? '', data, { recursive: true })
  return data
}

async function withServer(work: (server: Server) => Promise<void>): Promise<void> {
  const data = copiedData()
  const server = await Server.on(data)
  await work(server)
  await server.stop()
  rmSync(data, { recursive: true, force: true })
}

/** One server at a time, for the stories of one file. */
class FileServer {
  #file: string | undefined
  #server: Server | undefined
  #data = ''

  async of(file: string): Promise<Server> {
    if (this.#server && this.#file === file) return this.#server
    await this.end()
    this.#file = file
    this.#data = copiedData()
    this.#server = await Server.on(this.#data)
    return this.#server
  }

  async end(): Promise<void> {
    await this.#server?.stop()
    this.#server = undefined
    rmSync(this.#data, { recursive: true, force: true })
  }
}

export const test = base.extend<StoryFixtures, WorkerFixtures>({
  ownServer: [false, { option: true }],
  firstVisit: [false, { option: true }],
  ownPhone: [false, { option: true }],
  sharedServer: [
    // oxlint-disable-next-line no-empty-pattern -- the runner reads the names of fixtures from this pattern
    async ({}, provide) => {
      await withServer(provide)
    },
    { scope: 'worker' },
  ],
  fileServers: [
    // oxlint-disable-next-line no-empty-pattern -- as above
    async ({}, provide) => {
      const servers = new FileServer()
      await provide(servers)
      await servers.end()
    },
    { scope: 'worker' },
  ],
  address: [
    async ({ sharedServer }, provide) => {
      await provide(await installApp(sharedServer))
    },
    { scope: 'worker' },
  ],
  phonePool: [
    async ({ address }, provide) => {
      const pool = new PhonePool(address)
      await provide(pool)
      await pool.discard()
    },
    { scope: 'worker' },
  ],
  server: async ({ ownServer, sharedServer, fileServers }, provide, info) => {
    const tell = async (server: Server): Promise<void> => {
      // A connection that stood idle since an earlier story may be closing at this moment: nothing is lost with this.
      await fetch(`${server.url}/api/health`).catch(() => undefined)
      const before = server.said.length
      await provide(server)
      if (hasFailed(info)) writeFileSync(info.outputPath('server.log'), server.said.slice(before))
    }
    if (ownServer === true) await withServer(tell)
    else await tell(ownServer ? await fileServers.of(info.file) : sharedServer)
  },
  network: async ({ server, address }, provide) => {
    const network = await Proxy.to(server.port, address.port)
    await provide(network)
    await network.close()
  },
  phone: async ({ newPhone }, provide) => {
    await provide(await newPhone())
  },
  newPhone: async ({ address, phonePool, firstVisit, ownPhone }, provide, info) => {
    const phones: Phone[] = []
    await provide(async (options) => {
      const usual = !options && !firstVisit && !ownPhone
      const phone = usual
        ? await phonePool.take()
        : await Phone.on({ ...(firstVisit ? {} : { profile: address.profile }), ...options })
      phones.push(phone)
      return phone
    })
    const failed = hasFailed(info)
    for (const [n, phone] of phones.entries()) {
      if (failed) await recordPages(phone, info, `phone-${n + 1}`)
      await (failed ? phone.discard() : phonePool.giveBack(phone))
    }
  },
  // oxlint-disable-next-line no-empty-pattern -- as above
  largeVideo: async ({}, provide) => {
    await provide(JSON.parse(process.env['E2E_VIDEO'] ?? '') as MadeVideo)
  },
})

/**
 * Details of one story of a matrix: `npm test` runs those that show each meaning once, `npm run test:deep` all of them.
 */
export const deepUnless = (isSample: boolean): { tag?: string } => (isSample ? {} : { tag: '@deep' })

export { expect } from '@playwright/test'
