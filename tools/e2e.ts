// `npm run e2e`: runs the browser stories, after a build of the app if needed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buildIfStale } from './build.ts'
import { beginRun } from './runs/begin.ts'

await beginRun()
const built = await buildIfStale(true)
if (built.code !== 0) process.exit(built.code)
const [status] = await once(
  spawn('playwright', ['test', ...process.argv.slice(2)], { stdio: 'inherit' }),
  'exit',
)
process.exitCode = (status as number | null) ?? 1
