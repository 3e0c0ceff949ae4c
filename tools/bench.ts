// `npm run bench`: runs measurements as one run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { beginRun } from './runs/begin.ts'

// Before Playwright is imported, which then reads where temporary files are.
await beginRun()
const [status] = await once(
  spawn(process.execPath, ['bench/main.ts', ...process.argv.slice(2)], { stdio: 'inherit' }),
  'exit',
)
process.exitCode = (status as number | null) ?? 1
