// Fixtures of every story: a server with the demo people, a proxy, and a phone.
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { test as base } from '@playwright/test'
import { defined } from '#contract/testing/defined.ts'
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
  /** Proxy between browsers and server; the rig itself calls the server directly. */
  readonly network: Proxy
  readonly phone: Phone
  /** Starts another browser with its own profile; it is discarded or reused after the story. */
  readonly newPhone: (options?: PhoneOptions) => Promise<Phone>
  /** A playable video of 60 MB. */
  readonly largeVideo: MadeVideo
  /** Whether the story, or its file, needs its own server, since it kills the server or counts its data. */
  readonly ownServer: boolean | 'file'
  /** Whether the story starts in a browser that has never opened the app. */
  readonly firstVisit: boolean
  /** Whether the browser must be started by the story, as on its desktop, and is not taken from the pool. */
  readonly ownPhone: boolean
}

interface WorkerFixtures {
  /** The server of all stories without `ownServer`. */
  readonly sharedServer: Server
  /** The servers of files with `ownServer: 'file'`, one at a time. */
  readonly fileServers: FileServer
  /** The app as installed in the profile of the browsers. */
  readonly installedApp: InstalledApp
  /** Pool of browsers that stories reuse. */
  readonly phonePool: PhonePool
}

function copyDemoData(): string {
  const data = temporaryFolder('data')
  cpSync(defined(process.env['E2E_DATA']), data, { recursive: true })
  return data
}

async function withServer(work: (server: Server) => Promise<void>): Promise<void> {
  const data = copyDemoData()
  const server = await Server.launch(data)
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
    this.#data = copyDemoData()
    this.#server = await Server.launch(this.#data)
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
  installedApp: [
    async ({ sharedServer }, provide) => {
      await provide(await installApp(sharedServer))
    },
    { scope: 'worker' },
  ],
  phonePool: [
    async ({ installedApp }, provide) => {
      const pool = new PhonePool(installedApp)
      await provide(pool)
      await pool.discard()
    },
    { scope: 'worker' },
  ],
  server: async ({ ownServer, sharedServer, fileServers }, provide, info) => {
    const provideServer = async (server: Server): Promise<void> => {
      // An idle connection of an earlier story may be closing now; this request takes the failure.
      await fetch(`${server.url}/api/health`).catch(() => undefined)
      const before = server.output.length
      await provide(server)
      if (hasFailed(info)) writeFileSync(info.outputPath('server.log'), server.output.slice(before))
    }
    if (ownServer === true) await withServer(provideServer)
    else await provideServer(ownServer ? await fileServers.of(info.file) : sharedServer)
  },
  network: async ({ server, installedApp }, provide) => {
    const network = await Proxy.open(server.port, installedApp.port)
    await provide(network)
    await network.close()
  },
  phone: async ({ newPhone }, provide) => {
    await provide(await newPhone())
  },
  newPhone: async ({ installedApp, phonePool, firstVisit, ownPhone }, provide, info) => {
    const phones: Phone[] = []
    await provide(async (options) => {
      const isReusable = !options && !firstVisit && !ownPhone
      const phone = isReusable
        ? await phonePool.acquire()
        : await Phone.launch({ ...(firstVisit ? {} : { profile: installedApp.profile }), ...options })
      phones.push(phone)
      return phone
    })
    const failed = hasFailed(info)
    for (const [n, phone] of phones.entries()) {
      if (failed) await recordPages(phone, info, `phone-${n + 1}`)
      await (failed ? phone.discard() : phonePool.release(phone))
    }
  },
  // oxlint-disable-next-line no-empty-pattern -- as above
  largeVideo: async ({}, provide) => {
    await provide(JSON.parse(defined(process.env['E2E_VIDEO'])) as MadeVideo)
  },
})

export { expect } from '@playwright/test'
