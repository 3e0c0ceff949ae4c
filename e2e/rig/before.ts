// Before all stories: the app is built, a data folder with the demo people stands ready, the large video is written.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './ports.ts'
import { Server } from './server.ts'
import { makeVideo } from './video.ts'

const MB = 1_000_000

export default async function before(): Promise<() => void> {
  const folder = temporaryFolder('e2e')
  const dataDir = join(folder, 'data')
  const server = await Server.on(dataDir)
  await server.stop()
  process.env['E2E_DATA'] = dataDir
  process.env['E2E_VIDEO'] = JSON.stringify(makeVideo(join(folder, 'large.mp4'), 60 * MB))
  return () => rmSync(folder, { recursive: true, force: true })
}
