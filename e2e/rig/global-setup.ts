// Global set-up of the stories: makes the demo data folder and the large video.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { demoData } from './network/demo-data.ts'
import { temporaryFolder } from './network/ports.ts'
import { makeVideo } from './posting/video.ts'

const MB = 1_000_000

export default async function globalSetup(): Promise<() => void> {
  const folder = temporaryFolder('e2e')
  process.env['E2E_DATA'] = await demoData()
  process.env['E2E_VIDEO'] = JSON.stringify(makeVideo(join(folder, 'large.mp4'), 60 * MB))
  return () => rmSync(folder, { recursive: true, force: true })
}
